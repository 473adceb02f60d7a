public import CopalModel

/// An attribute in a typed query whose property is Optional. A comparison with it makes a
/// condition.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.code == nil || $0.code == "PB29" }
/// ```
///
/// `==` and `!=` take nil. `<`, `<=`, `>` and `>=` are false where the attribute has no value.
/// Combine conditions with `&&`, `||` and `!`. See ``RequiredQueryAttribute`` for an attribute
/// whose property is not Optional.
public struct QueryAttribute<V: ValueConvertible>: Sendable {
  // Underscored, so that no member hides the name of an attribute.
  @usableFromInline let _name: String
  let _scope: QueryScope

  /// For generated code: the attribute of that name, of the objects of a scope.
  public init(_ name: String, _ scope: QueryScope) { (_name, _scope) = (name, scope) }

  /// Sorts by the attribute, the least value first. Nil comes before every value.
  public var ascending: FetchSortKey { .ascending(_name) }
  /// Sorts by the attribute, the greatest value first. Nil comes after every value.
  public var descending: FetchSortKey { .descending(_name) }

  /// Whether the attribute's value is one of the given values. False for an attribute without a
  /// value.
  public func isIn(_ values: some Sequence<V>) -> FetchPredicate {
    .isIn(_expression, values.map { $0.value })
  }

  /// Whether the attribute's value is in a range, which includes both ends. False for an attribute
  /// without a value.
  public func isBetween(_ least: V, and greatest: V) -> FetchPredicate {
    self >= least && self <= greatest
  }

  /// Whether the attribute equals the value; with nil, whether it has no value.
  public static func == (a: Self, b: V?) -> FetchPredicate {
    .comparing(a._expression, .equal, with: b)
  }
  /// Whether the attribute differs from the value; with nil, whether it has a value. An attribute
  /// without a value differs from every value.
  public static func != (a: Self, b: V?) -> FetchPredicate {
    .comparing(a._expression, .notEqual, with: b)
  }
  /// Whether the attribute is less than the value. False for an attribute without a value.
  public static func < (a: Self, b: V) -> FetchPredicate {
    .comparing(a._expression, .less, with: b)
  }
  /// Whether the attribute is less than or equal to the value. False for an attribute without a
  /// value.
  public static func <= (a: Self, b: V) -> FetchPredicate {
    .comparing(a._expression, .lessOrEqual, with: b)
  }
  /// Whether the attribute is greater than the value. False for an attribute without a value.
  public static func > (a: Self, b: V) -> FetchPredicate {
    .comparing(a._expression, .greater, with: b)
  }
  /// Whether the attribute is greater than or equal to the value. False for an attribute without a
  /// value.
  public static func >= (a: Self, b: V) -> FetchPredicate {
    .comparing(a._expression, .greaterOrEqual, with: b)
  }

  /// Whether two attributes of the object are equal. Two attributes without a value are equal.
  public static func == (a: Self, b: Self) -> FetchPredicate {
    .comparing(a._expression, .equal, to: b._expression)
  }
  /// Whether two attributes of the object differ. Two attributes without a value do not differ.
  public static func != (a: Self, b: Self) -> FetchPredicate {
    .comparing(a._expression, .notEqual, to: b._expression)
  }
  /// Whether the first attribute is less than the second one. False where one of them has no value.
  public static func < (a: Self, b: Self) -> FetchPredicate {
    .comparing(a._expression, .less, to: b._expression)
  }
  /// Whether the first attribute is less than or equal to the second one. False where one of them
  /// has no value.
  public static func <= (a: Self, b: Self) -> FetchPredicate {
    .comparing(a._expression, .lessOrEqual, to: b._expression)
  }
  /// Whether the first attribute is greater than the second one. False where one of them has no
  /// value.
  public static func > (a: Self, b: Self) -> FetchPredicate {
    .comparing(a._expression, .greater, to: b._expression)
  }
  /// Whether the first attribute is greater than or equal to the second one. False where one of
  /// them has no value.
  public static func >= (a: Self, b: Self) -> FetchPredicate {
    .comparing(a._expression, .greaterOrEqual, to: b._expression)
  }

  /// Whether two attributes of the object are equal. Two attributes without a value are equal.
  public static func == (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .equal, to: b._expression)
  }
  /// Whether two attributes of the object differ. Two attributes without a value do not differ.
  public static func != (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .notEqual, to: b._expression)
  }
  /// Whether the first attribute is less than the second one. False where one of them has no value.
  public static func < (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .less, to: b._expression)
  }
  /// Whether the first attribute is less than or equal to the second one. False where one of them
  /// has no value.
  public static func <= (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .lessOrEqual, to: b._expression)
  }
  /// Whether the first attribute is greater than the second one. False where one of them has no
  /// value.
  public static func > (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .greater, to: b._expression)
  }
  /// Whether the first attribute is greater than or equal to the second one. False where one of
  /// them has no value.
  public static func >= (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .greaterOrEqual, to: b._expression)
  }
}

/// A transformable attribute in a typed query. It can only be compared with nil, because a store
/// does not decode values.
///
/// ```swift
/// try context.fetch(ColorLibrary.self) { $0.colorList != nil }
/// ```
public struct QueryTransformable: Sendable {
  @usableFromInline let _name: String
  private let scope: QueryScope
  /// For generated code: the transformable attribute of that name, of the objects of a scope.
  public init(_ name: String, _ scope: QueryScope) { (_name, self.scope) = (name, scope) }

  /// Whether the attribute has no value.
  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.scope.expression(.property(a._name)), .equal, .constant(.null))
  }
  /// Whether the attribute has a value.
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.scope.expression(.property(a._name)), .notEqual, .constant(.null))
  }
}

extension FetchPredicate {
  /// The condition that compares an attribute with a value.
  static func comparing(
    _ expression: FetchExpression, _ comparison: Operator, with value: (some ValueConvertible)?
  ) -> FetchPredicate {
    .comparison(expression, comparison, .constant(value.map { $0.value } ?? .null))
  }

  /// The condition that compares two attributes.
  static func comparing(
    _ expression: FetchExpression, _ comparison: Operator, to other: FetchExpression
  ) -> FetchPredicate {
    .comparison(expression, comparison, other)
  }
}
