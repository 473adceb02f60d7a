public import CopalModel

/// A value in a typed query that is calculated: the sum of two attributes, the number of objects of
/// a relationship.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.price * 2 > $0.density.asDecimal ?? 1 }
/// ```
///
/// It has the operators of ``QueryAttribute``. It is nil where one of its parts is nil, for a
/// division by zero, and for a number that its type cannot have.
public struct QueryValue<V: ValueConvertible>: QueryExpression {
  /// The type of the value.
  public typealias Value = V
  /// The value in a condition.
  public let _expression: FetchExpression

  init(_ expression: FetchExpression) { _expression = expression }

  /// Whether the value is one of the given ones. False for nil.
  public func isIn(_ values: some Sequence<V>) -> FetchPredicate {
    .isIn(_expression, values.map { $0.value })
  }

  /// Whether the value is in a range, which includes both ends. False for nil.
  public func isBetween(_ least: V, and greatest: V) -> FetchPredicate {
    self >= least && self <= greatest
  }
}

// MARK: Comparisons

extension QueryValue {
  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: Self, b: V?) -> FetchPredicate {
    .comparison(a._expression, .equal, .constant(b.map { $0.value } ?? .null))
  }
  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: Self, b: V?) -> FetchPredicate {
    .comparison(a._expression, .notEqual, .constant(b.map { $0.value } ?? .null))
  }
  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .less, .constant(b.value))
  }
  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .lessOrEqual, .constant(b.value))
  }
  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .greater, .constant(b.value))
  }
  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .greaterOrEqual, .constant(b.value))
  }

  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: Self, b: Self) -> FetchPredicate {
    .comparison(a._expression, .equal, b._expression)
  }
  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: Self, b: some QueryExpression<V>) -> FetchPredicate {
    .comparison(a._expression, .equal, b._expression)
  }
  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: some QueryExpression<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .equal, b._expression)
  }

  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: Self, b: Self) -> FetchPredicate {
    .comparison(a._expression, .notEqual, b._expression)
  }
  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: Self, b: some QueryExpression<V>) -> FetchPredicate {
    .comparison(a._expression, .notEqual, b._expression)
  }
  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: some QueryExpression<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .notEqual, b._expression)
  }

  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: Self, b: Self) -> FetchPredicate {
    .comparison(a._expression, .less, b._expression)
  }
  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: Self, b: some QueryExpression<V>) -> FetchPredicate {
    .comparison(a._expression, .less, b._expression)
  }
  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: some QueryExpression<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .less, b._expression)
  }

  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: Self, b: Self) -> FetchPredicate {
    .comparison(a._expression, .lessOrEqual, b._expression)
  }
  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: Self, b: some QueryExpression<V>) -> FetchPredicate {
    .comparison(a._expression, .lessOrEqual, b._expression)
  }
  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: some QueryExpression<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .lessOrEqual, b._expression)
  }

  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: Self, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greater, b._expression)
  }
  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: Self, b: some QueryExpression<V>) -> FetchPredicate {
    .comparison(a._expression, .greater, b._expression)
  }
  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: some QueryExpression<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greater, b._expression)
  }

  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: Self, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greaterOrEqual, b._expression)
  }
  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: Self, b: some QueryExpression<V>) -> FetchPredicate {
    .comparison(a._expression, .greaterOrEqual, b._expression)
  }
  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: some QueryExpression<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greaterOrEqual, b._expression)
  }
}
