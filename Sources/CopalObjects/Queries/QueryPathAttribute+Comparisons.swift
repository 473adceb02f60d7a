public import CopalModel

/// Comparisons of an attribute of another object with one of the object itself.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.maker.name == $0.name }
/// ```
extension QueryPathAttribute {
  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .equal, b._expression)
  }
  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: QueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .equal, b.expression)
  }

  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .equal, b._expression)
  }
  /// Whether the two values are equal. Two nils are equal.
  public static func == (a: RequiredQueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .equal, b.expression)
  }

  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .notEqual, b._expression)
  }
  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: QueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .notEqual, b.expression)
  }

  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .notEqual, b._expression)
  }
  /// Whether the two values differ. Two nils do not differ.
  public static func != (a: RequiredQueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .notEqual, b.expression)
  }

  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .less, b._expression)
  }
  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: QueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .less, b.expression)
  }

  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .less, b._expression)
  }
  /// Whether the first value is less than the second one. False where one of them is nil.
  public static func < (a: RequiredQueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .less, b.expression)
  }

  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .lessOrEqual, b._expression)
  }
  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: QueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .lessOrEqual, b.expression)
  }

  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .lessOrEqual, b._expression)
  }
  /// Whether the first value is less than or equal to the second one. False where one of them is
  /// nil.
  public static func <= (a: RequiredQueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .lessOrEqual, b.expression)
  }

  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .greater, b._expression)
  }
  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: QueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greater, b.expression)
  }

  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .greater, b._expression)
  }
  /// Whether the first value is greater than the second one. False where one of them is nil.
  public static func > (a: RequiredQueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greater, b.expression)
  }

  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .greaterOrEqual, b._expression)
  }
  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: QueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greaterOrEqual, b.expression)
  }

  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: Self, b: RequiredQueryAttribute<V>) -> FetchPredicate {
    .comparison(a.expression, .greaterOrEqual, b._expression)
  }
  /// Whether the first value is greater than or equal to the second one. False where one of them is
  /// nil.
  public static func >= (a: RequiredQueryAttribute<V>, b: Self) -> FetchPredicate {
    .comparison(a._expression, .greaterOrEqual, b.expression)
  }
}
