public import CopalModel

/// An attribute in a typed query whose property is not Optional. A comparison with it makes a
/// condition.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.name == "Woad" && $0.price < 20 }
/// ```
///
/// It has the operators of ``QueryAttribute``. The compiler warns of a comparison with a literal
/// `nil`: no saved object has nil for a required attribute. An Optional variable can be compared
/// without a warning.
// A type of its own without a protocol for both: with operators that are generic over the kind of
// the attribute, the compiler reports other mistakes in worse words.
public struct RequiredQueryAttribute<V: ValueConvertible>: Sendable {
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
  public static func == (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .equal, to: b._expression)
  }
  /// Whether two attributes of the object differ. Two attributes without a value do not differ.
  public static func != (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .notEqual, to: b._expression)
  }
  /// Whether the first attribute is less than the second one. False where one of them has no value.
  public static func < (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .less, to: b._expression)
  }
  /// Whether the first attribute is less than or equal to the second one. False where one of them
  /// has no value.
  public static func <= (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .lessOrEqual, to: b._expression)
  }
  /// Whether the first attribute is greater than the second one. False where one of them has no
  /// value.
  public static func > (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .greater, to: b._expression)
  }
  /// Whether the first attribute is greater than or equal to the second one. False where one of
  /// them has no value.
  public static func >= (a: Self, b: QueryAttribute<V>) -> FetchPredicate {
    .comparing(a._expression, .greaterOrEqual, to: b._expression)
  }
}

extension RequiredQueryAttribute {
  /// Whether the attribute has no value. Never true for a saved object.
  ///
  /// To find rows that another program wrote without the value, make the ``FetchPredicate`` by
  /// hand.
  @available(
    *, deprecated, message: "the attribute is required, so it is never nil; remove the condition"
  )
  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a._expression, .equal, .constant(.null))
  }

  /// Whether the attribute has a value. True for every saved object.
  @available(
    *, deprecated, message: "the attribute is required, so it is never nil; remove the condition"
  )
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a._expression, .notEqual, .constant(.null))
  }
}
