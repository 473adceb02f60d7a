public import CopalEssentials

/// The value of an attribute of any type: used for defaults, rules and the constants of conditions.
///
/// Generated classes read and write Swift types. Use `PropertyValue` where the type is known only at run time.
///
/// ```swift
/// let name: PropertyValue = "Ultramarine"
/// let price = PropertyValue.decimal(12.50)
/// ```
///
/// Two values are equal when they have the same case and the same content: `.integer(1)` is not
/// `.double(1)`. A transformable attribute's value is not a `PropertyValue`; only its encoded form is.
///
/// Codable; ``init(from:)`` has the form of each kind.
public enum PropertyValue: Sendable, Hashable {
  /// No value. The same as `nil` in an optional property.
  case null
  /// An integer attribute of any width.
  case integer(Int64)
  /// A float or double attribute. A float is widened, which is exact.
  case double(Double)
  /// A decimal attribute, exact to 38 digits.
  case decimal(Decimal)
  /// A boolean attribute.
  case boolean(Bool)
  /// A date attribute: seconds since 2001-01-01T00:00:00Z.
  case date(Date)
  /// A string attribute.
  case string(String)
  /// A binary attribute, or the encoded form of a transformable one.
  case binary(Data)
  /// A uuid attribute.
  case uuid(UUID)
  /// A uri attribute.
  case uri(URL)
  /// An object, by its id. Only conditions have such values: no attribute can have one.
  case object(ManagedObjectID)

  /// Whether there is no value.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  // Not `ExpressibleByNilLiteral`: an optional PropertyValue would then have two kinds of nil, and
  // `x ? value : nil` would silently mean the wrong one.
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension PropertyValue {
  /// The name of the value's kind for messages: "integer", "string", "null" and so on.
  public var kind: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .double: "double"
    case .decimal: "decimal"
    case .boolean: "boolean"
    case .date: "date"
    case .string: "string"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .object: "object"
    }
  }
}
