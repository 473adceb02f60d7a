public import CopalEssentials
import CopalModel

/// A value of a store's metadata: something that a program keeps beside its objects, such as a
/// token, a counter or the date of the last import.
///
/// ```swift
/// context.metadata["lastImport"] = .date(.now)
/// context.metadata["imports"] = 12
/// let token = context.metadata["token"]?.string
/// ```
public enum MetadataValue: Sendable, Hashable {
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// True or false.
  case boolean(Bool)
  /// A date.
  case date(Date)
  /// Bytes.
  case data(Data)

  /// The text; nil for a value of another type.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The whole number; nil for a value of another type.
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The number, also a whole one; nil for a value of another type.
  public var double: Double? {
    switch self {
    case .double(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  /// The truth value; nil for a value of another type.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The date; nil for a value of another type.
  public var date: Date? { if case .date(let value) = self { value } else { nil } }
  /// The bytes; nil for a value of another type.
  public var data: Data? { if case .data(let value) = self { value } else { nil } }
}

extension MetadataValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension MetadataValue {
  /// The greatest length of a name, in bytes of UTF-8.
  public static let greatestNameLength = 255

  /// The greatest size of a text or of bytes: 1 MiB. Keep more in an attribute, or in a file.
  public static let greatestSize = 1 << 20

  /// The name as a store keeps it: canonically equivalent texts are one name.
  package static func storedName(_ name: String) -> String { name.composed }

  /// What a save says about a value, or about its removal; nil if nothing.
  package static func failure(of value: MetadataValue?, named name: String) -> PersistenceError? {
    let length = name.utf8.count
    if length == 0 || length > greatestNameLength || name.utf8.contains(0) {
      return PersistenceError(
        .metadataName, property: String(name.prefix(40)), found: "\(length)",
        expected: "\(greatestNameLength)")
    }
    let size =
      switch value {
      case .string(let text): text.utf8.count
      case .data(let bytes): bytes.count
      default: 0
      }
    if size <= greatestSize { return nil }
    return PersistenceError(
      .metadataTooBig, property: name, found: "\(size)", expected: "\(greatestSize)")
  }
}
