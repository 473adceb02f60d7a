public import CopalModel

/// An attribute in a typed query. A comparison with it makes a condition.
///
/// ```swift
/// try context.fetch(ColorLibrary.self) { $0.name == "x" && $0.added > lastWeek }
/// ```
///
/// `==` and `!=` take nil. `<`, `<=`, `>` and `>=` are false where the attribute has no value. Combine conditions
/// with `&&`, `||` and `!`.
public struct QueryAttribute<V: ValueConvertible>: Sendable {
  // Underscored, so that no member hides the name of an attribute.
  let _name: String

  /// For generated code: the attribute of that name.
  public init(_ name: String) { _name = name }

  /// Sorts by the attribute, the least value first. Nil comes before every value.
  public var ascending: FetchSortKey { .ascending(_name) }
  /// Sorts by the attribute, the greatest value first. Nil comes after every value.
  public var descending: FetchSortKey { .descending(_name) }

  /// Whether the attribute's value is one of the given values. False for an attribute without a value.
  public func isIn(_ values: some Sequence<V>) -> FetchPredicate {
    .isIn(.attribute(_name), values.map { $0.value })
  }

  /// Whether the attribute's value is in a range, which includes both ends. False for an attribute without a
  /// value.
  public func isBetween(_ least: V, and greatest: V) -> FetchPredicate {
    self >= least && self <= greatest
  }

  private func compare(_ comparison: FetchPredicate.Operator, _ value: V?) -> FetchPredicate {
    .comparison(.attribute(_name), comparison, .constant(value.map { $0.value } ?? .null))
  }

  private func compare(_ comparison: FetchPredicate.Operator, _ other: Self) -> FetchPredicate {
    .comparison(.attribute(_name), comparison, .attribute(other._name))
  }

  /// Whether the attribute equals the value; with nil, whether it has no value.
  public static func == (a: Self, b: V?) -> FetchPredicate { a.compare(.equal, b) }
  /// Whether the attribute differs from the value; with nil, whether it has a value. An attribute
  /// without a value differs from every value.
  public static func != (a: Self, b: V?) -> FetchPredicate { a.compare(.notEqual, b) }
  /// Whether the attribute is less than the value. False for an attribute without a value.
  public static func < (a: Self, b: V) -> FetchPredicate { a.compare(.less, b) }
  /// Whether the attribute is less than or equal to the value. False for an attribute without a value.
  public static func <= (a: Self, b: V) -> FetchPredicate { a.compare(.lessOrEqual, b) }
  /// Whether the attribute is greater than the value. False for an attribute without a value.
  public static func > (a: Self, b: V) -> FetchPredicate { a.compare(.greater, b) }
  /// Whether the attribute is greater than or equal to the value. False for an attribute without a value.
  public static func >= (a: Self, b: V) -> FetchPredicate { a.compare(.greaterOrEqual, b) }

  /// Whether two attributes of the object are equal. Two attributes without a value are equal.
  public static func == (a: Self, b: Self) -> FetchPredicate { a.compare(.equal, b) }
  /// Whether two attributes of the object differ. Two attributes without a value do not differ.
  public static func != (a: Self, b: Self) -> FetchPredicate { a.compare(.notEqual, b) }
  /// Whether the first attribute is less than the second one. False where one of them has no value.
  public static func < (a: Self, b: Self) -> FetchPredicate { a.compare(.less, b) }
  /// Whether the first attribute is less than or equal to the second one. False where one of them has no value.
  public static func <= (a: Self, b: Self) -> FetchPredicate { a.compare(.lessOrEqual, b) }
  /// Whether the first attribute is greater than the second one. False where one of them has no value.
  public static func > (a: Self, b: Self) -> FetchPredicate { a.compare(.greater, b) }
  /// Whether the first attribute is greater than or equal to the second one. False where one of them has no value.
  public static func >= (a: Self, b: Self) -> FetchPredicate { a.compare(.greaterOrEqual, b) }
}

/// A transformable attribute in a typed query. It can only be compared with nil, because a store does not decode
/// values.
///
/// ```swift
/// try context.fetch(ColorLibrary.self) { $0.colorList != nil }
/// ```
public struct QueryTransformable: Sendable {
  let _name: String
  /// For generated code: the transformable attribute of that name.
  public init(_ name: String) { _name = name }

  /// Whether the attribute has no value.
  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(.attribute(a._name), .equal, .constant(.null))
  }
  /// Whether the attribute has a value.
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(.attribute(a._name), .notEqual, .constant(.null))
  }
}

extension FetchPredicate {
  /// Whether both conditions are true.
  public static func && (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate {
    if case .and(let parts) = a { return .and(parts + [b]) }
    return .and([a, b])
  }

  /// Whether at least one of the conditions is true.
  public static func || (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate {
    if case .or(let parts) = a { return .or(parts + [b]) }
    return .or([a, b])
  }

  /// Whether the condition is false.
  public static prefix func ! (a: FetchPredicate) -> FetchPredicate { .not(a) }
}
