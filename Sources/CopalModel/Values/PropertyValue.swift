public import CopalEssentials

/// The value of an attribute of any type: used for defaults, rules and the constants of conditions.
///
/// Generated classes read and write Swift types. Use `PropertyValue` where the type is known only
/// at run time.
///
/// ```swift
/// let name: PropertyValue = "Ultramarine"
/// let price = PropertyValue.decimal(12.50)
/// ```
///
/// Two values are equal when they have the same case and the same content: `.integer(1)` is not
/// `.double(1)`. A transformable attribute's value is not a `PropertyValue`; only its encoded form
/// is.
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

extension PropertyValue {
  public static func == (a: PropertyValue, b: PropertyValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let x), .integer(let y)): x == y
    case (.double(let x), .double(let y)): x == y
    // Foundation's operators are not used for decimals: 1.50 equals 1.5, and NaN itself.
    case (.decimal(let x), .decimal(let y)):
      x.isNaN || y.isNaN ? x.isNaN && y.isNaN : NumberOrder.compare(x, y) == 0
    case (.boolean(let x), .boolean(let y)): x == y
    case (.date(let x), .date(let y)): x == y
    case (.string(let x), .string(let y)): x == y
    case (.binary(let x), .binary(let y)): x == y
    case (.uuid(let x), .uuid(let y)): x == y
    case (.uri(let x), .uri(let y)): x == y
    case (.object(let x), .object(let y)): x == y
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number)
    case .decimal(let number):
      if number.isNaN { hasher.combine(1) } else { hasher.combine(DecimalParts(number).shortest) }
    case .boolean(let flag): hasher.combine(flag)
    case .date(let date): hasher.combine(date)
    case .string(let text): hasher.combine(text)
    case .binary(let data): hasher.combine(data)
    case .uuid(let uuid): hasher.combine(uuid)
    case .uri(let url): hasher.combine(url)
    case .object(let id): hasher.combine(id)
    }
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  // Not `ExpressibleByNilLiteral`: an optional PropertyValue would then have two kinds of nil, and
  // `x ? value : nil` would silently mean the wrong one.
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A double. A decimal is made from its text: a literal has only the digits of a double.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A boolean.
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
