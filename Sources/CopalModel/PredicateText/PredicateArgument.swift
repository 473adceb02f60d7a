public import CopalEssentials

/// What can take the place of `%@` and of the other placeholders of a format: a value, or an array
/// or a set of values.
///
/// The types of attributes conform to it, and ``PropertyValue``, ``ManagedObjectID``, objects and
/// to-many relationships. An argument keeps its type: it never becomes a part of the text, so a
/// text that a user has typed cannot change a condition.
///
/// ```swift
/// let codes: Set = ["PB29", "PB28"]
/// let predicate = try FetchPredicate(format: "price > %@ AND code IN %@", 12.5, codes)
/// ```
public protocol PredicateArgument {
  /// The argument as data.
  var formatArgument: FormatArgument { get }
}

/// An argument that is one value. Arrays and sets of such values are arguments, too.
public protocol PredicateValue: PredicateArgument {
  /// The value.
  var predicateValue: PropertyValue { get }
}

/// An argument of a format as data: for programs that have their arguments in a list.
public enum FormatArgument: Sendable, Hashable {
  /// A value; `.null` for nil.
  case value(PropertyValue)
  /// A list of values, for `IN` and `BETWEEN`.
  case list([PropertyValue])
  /// A key path, for `%K`.
  case keyPath(String)

  /// The argument in a sentence. It has no part of the values.
  var kind: String {
    switch self {
    case .value(.null): "nil"
    case .value(let value): "a value of the kind \(value.kind)"
    case .list: "a list"
    case .keyPath: "a key path"
    }
  }
}

extension FormatArgument: PredicateArgument {
  /// The argument itself.
  public var formatArgument: FormatArgument { self }
}

extension PredicateValue {
  /// The value as an argument.
  @inlinable public var formatArgument: FormatArgument { .value(predicateValue) }
}

extension PredicateValue where Self: ValueConvertible {
  /// The value as a ``PropertyValue``.
  @inlinable public var predicateValue: PropertyValue { value }
}

extension Int: PredicateValue {}
extension Int16: PredicateValue {}
extension Int32: PredicateValue {}
extension Int64: PredicateValue {}
extension Double: PredicateValue {}
extension Float: PredicateValue {}
extension Decimal: PredicateValue {}
extension Bool: PredicateValue {}
extension Date: PredicateValue {}
extension Data: PredicateValue {}
extension String: PredicateValue {}
extension UUID: PredicateValue {}
extension URL: PredicateValue {}

extension PropertyValue: PredicateValue {
  /// The value itself.
  public var predicateValue: PropertyValue { self }
}

extension ManagedObjectID: PredicateValue {
  /// The id as a value.
  public var predicateValue: PropertyValue { .object(self) }
}

extension Array: PredicateArgument where Element: PredicateValue {
  /// The values as a list, in their order.
  @inlinable public var formatArgument: FormatArgument { .list(map { $0.predicateValue }) }
}

extension Set: PredicateArgument where Element: PredicateValue {
  /// The values as a list, in any order.
  @inlinable public var formatArgument: FormatArgument { .list(map { $0.predicateValue }) }
}
