public import CopalModel

/// An attribute in a typed query: compare it, and a condition comes out.
///
/// ```swift
/// try context.fetch(ColorLibrary.self) { $0.name == "x" && $0.added > lastWeek }
/// ```
///
/// `==` and `!=` take nil; an order against nil is never true. Conditions join with `&&`, `||` and `!`.
public struct QueryAttribute<V: ValueConvertible>: Sendable {
  // Underscored, so that no member hides an attribute's name when paths are added.
  let _name: String

  public init(_ name: String) { _name = name }

  /// Sorts by the attribute, the least first and nil before everything.
  public var ascending: FetchSortKey { .ascending(_name) }
  /// Sorts by the attribute, the greatest first and nil after everything.
  public var descending: FetchSortKey { .descending(_name) }

  /// Whether the attribute's value is one of the given ones.
  public func isIn(_ values: some Sequence<V>) -> FetchPredicate {
    .isIn(.attribute(_name), values.map { $0.value })
  }

  /// Whether the value lies in a range, its ends included.
  public func isBetween(_ least: V, and greatest: V) -> FetchPredicate {
    self >= least && self <= greatest
  }

  private func compare(_ comparison: FetchPredicate.Operator, _ value: V?) -> FetchPredicate {
    .comparison(.attribute(_name), comparison, .constant(value.map { $0.value } ?? .null))
  }

  private func compare(_ comparison: FetchPredicate.Operator, _ other: Self) -> FetchPredicate {
    .comparison(.attribute(_name), comparison, .attribute(other._name))
  }

  public static func == (a: Self, b: V?) -> FetchPredicate { a.compare(.equal, b) }
  public static func != (a: Self, b: V?) -> FetchPredicate { a.compare(.notEqual, b) }
  public static func < (a: Self, b: V) -> FetchPredicate { a.compare(.less, b) }
  public static func <= (a: Self, b: V) -> FetchPredicate { a.compare(.lessOrEqual, b) }
  public static func > (a: Self, b: V) -> FetchPredicate { a.compare(.greater, b) }
  public static func >= (a: Self, b: V) -> FetchPredicate { a.compare(.greaterOrEqual, b) }

  public static func == (a: Self, b: Self) -> FetchPredicate { a.compare(.equal, b) }
  public static func != (a: Self, b: Self) -> FetchPredicate { a.compare(.notEqual, b) }
  public static func < (a: Self, b: Self) -> FetchPredicate { a.compare(.less, b) }
  public static func <= (a: Self, b: Self) -> FetchPredicate { a.compare(.lessOrEqual, b) }
  public static func > (a: Self, b: Self) -> FetchPredicate { a.compare(.greater, b) }
  public static func >= (a: Self, b: Self) -> FetchPredicate { a.compare(.greaterOrEqual, b) }
}

/// A transformable attribute in a typed query: a store can only tell whether it has a value.
public struct QueryTransformable: Sendable {
  let _name: String
  public init(_ name: String) { _name = name }

  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(.attribute(a._name), .equal, .constant(.null))
  }
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(.attribute(a._name), .notEqual, .constant(.null))
  }
}

extension FetchPredicate {
  public static func && (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate {
    if case .and(let parts) = a { return .and(parts + [b]) }
    return .and([a, b])
  }

  public static func || (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate {
    if case .or(let parts) = a { return .or(parts + [b]) }
    return .or([a, b])
  }

  public static prefix func ! (a: FetchPredicate) -> FetchPredicate { .not(a) }
}
