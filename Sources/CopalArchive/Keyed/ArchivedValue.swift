/// A value of a keyed archive, without the class that would be made of it elsewhere.
///
/// Strings, numbers, dates, data, URLs, UUIDs, null and the collections of Foundation have their
/// own cases, whatever class of theirs was archived: a mutable string is a ``string(_:)``. Every
/// other object is an ``object(_:)``.
public enum ArchivedValue: Sendable, Hashable {
  /// `nil` or `NSNull`.
  case null
  /// True or false.
  case boolean(Bool)
  /// An integer of 64 bits with a sign.
  case integer(Int64)
  /// An integer above `Int64.max`. Smaller ones are ``integer(_:)``.
  case unsigned(UInt64)
  /// A real number of eight bytes.
  case real(Double)
  /// A real number of four bytes.
  case float(Float)
  /// A text. Of an attributed text, only the text is read.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  /// The text of a URL, and the text of its base if it has one.
  indirect case url(String, base: String?)
  /// The 16 bytes of a UUID.
  case uuid([UInt8])
  /// The elements of an array or of an ordered set.
  case array([ArchivedValue])
  /// The elements of a set, in the order of the archive. An element of a counted set is there as
  /// often as its count says.
  case set([ArchivedValue])
  /// The pairs of a dictionary, in the order of the archive. A key can be any value.
  case dictionary([ArchivedPair])
  /// An object of any other class.
  case object(ArchivedObject)
}

/// A key of an archived dictionary and its value.
public struct ArchivedPair: Sendable, Hashable {
  /// The key, usually a string.
  public var key: ArchivedValue
  /// The value of the key.
  public var value: ArchivedValue

  /// A pair to write.
  public init(key: ArchivedValue, value: ArchivedValue) {
    self.key = key
    self.value = value
  }
}

/// An object of a keyed archive: the names of its class and of its ancestors, and what it has
/// encoded under keys.
public struct ArchivedObject: Sendable, Hashable {
  /// The name of the class, and then those of its ancestors: `["NSColor", "NSObject"]`.
  public let classNames: [String]
  /// What was encoded, by key.
  public private(set) var fields: [String: ArchivedValue]

  /// An object to write.
  public init(classNames: [String], fields: [String: ArchivedValue]) {
    self.classNames = classNames
    self.fields = fields
  }

  /// What was encoded under a key; nil if nothing was, or nil.
  public subscript(key: String) -> ArchivedValue? {
    fields[key].flatMap { $0 == .null ? nil : $0 }
  }

  /// The name of the class.
  public var className: String { classNames.first ?? "" }
}

extension ArchivedValue {
  /// The text; nil for another kind of value.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The integer; nil for another kind of value, and for one above `Int64.max`.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// A number of any kind as a real one; nil for another kind of value. Integers beyond 2^53 are
  /// rounded.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    case .float(let number): Double(number)
    default: nil
    }
  }

  /// The bytes; nil for another kind of value.
  public var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

  /// The elements of an array; nil for another kind of value.
  public var array: [ArchivedValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// What the value is, in words for messages.
  package var kind: String {
    switch self {
    case .null: "nil"
    case .boolean: "a Boolean"
    case .integer, .unsigned: "an integer"
    case .real, .float: "a real number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .object(let object): "an object of the class \(object.className)"
    }
  }

  /// The object; nil for another kind of value.
  public var object: ArchivedObject? {
    if case .object(let object) = self { object } else { nil }
  }
}
