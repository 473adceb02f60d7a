/// A value of a property list: a number, a text, bytes, a date, or a collection of values.
///
/// Read one from bytes with ``init(_:limits:)``, and write it with ``binary()`` or ``xml()``. It
/// needs no Foundation, and reading never ends the process, whatever the bytes are.
///
/// ```swift
/// let profile = try PropertyListValue(bytes)
/// print(profile["name"]?.string ?? "without a name")
/// ```
public enum PropertyListValue: Sendable, Hashable {
  /// True or false.
  case boolean(Bool)
  /// An integer of 64 bits with a sign.
  case integer(Int64)
  /// An integer above `Int64.max`. Smaller ones are ``integer(_:)``.
  case unsigned(UInt64)
  /// A real number of eight bytes.
  case real(Double)
  /// A real number of four bytes. Binary property lists keep the difference; XML does not.
  case float(Float)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// A text.
  case string(String)
  /// A reference to an object of a keyed archive, by its number.
  case uid(UInt64)
  /// Values in an order.
  case array([PropertyListValue])
  /// Only binary property lists have sets. The order of the elements is kept, and not checked for
  /// duplicates.
  case set([PropertyListValue])
  /// Values by key, in an order.
  case dictionary(PropertyListDictionary)
}

extension PropertyListValue {
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

  /// The truth value; nil for another kind of value.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The bytes; nil for another kind of value.
  public var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

  /// The number of an object of a keyed archive; nil for another kind of value.
  public var uid: UInt64? { if case .uid(let number) = self { number } else { nil } }

  /// The elements of an array; nil for another kind of value.
  public var array: [PropertyListValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The dictionary; nil for another kind of value.
  public var dictionary: PropertyListDictionary? {
    if case .dictionary(let pairs) = self { pairs } else { nil }
  }

  /// The value of a key; nil for another kind of value than a dictionary, and without that key.
  public subscript(key: String) -> PropertyListValue? { dictionary?[key] }

  /// What the value is, in words for messages.
  var kind: String {
    switch self {
    case .boolean: "a Boolean"
    case .integer, .unsigned: "an integer"
    case .real, .float: "a real number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .uid: "a reference to an object"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral text: String) { self = .string(text) }
  /// An integer.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// A real number of 64 bits.
  public init(floatLiteral number: Double) { self = .real(number) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// An array.
  public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
  /// A dictionary in the order of the literal. For a key that is there twice, the last value
  /// counts.
  public init(dictionaryLiteral pairs: (String, PropertyListValue)...) {
    self = .dictionary(PropertyListDictionary(pairs))
  }
}

extension PropertyListValue {
  /// The property list that some bytes hold: a binary one, or one in XML.
  ///
  /// - Throws: ``ArchiveError`` for bytes that are not a property list, and for those that are
  ///   above a limit. The process never ends, and the time is in proportion to the number of bytes
  ///   and values.
  public init(_ bytes: some Collection<UInt8>, limits: ArchiveLimits = .standard)
    throws(ArchiveError)
  {
    // A typed error cannot go through the function of the collection.
    let read = bytes.withContiguousStorageIfAvailable { bytes in
      Result { () throws(ArchiveError) in try Self(bytes: UnsafeRawBufferPointer(bytes), limits) }
    }
    if let read {
      self = try read.get()
    } else {
      try self.init(Array(bytes), limits: limits)
    }
  }

  /// The property list that some bytes hold, without a copy of the bytes.
  ///
  /// - Throws: ``ArchiveError``, as ``init(_:limits:)``.
  public init(bytes: UnsafeRawBufferPointer, _ limits: ArchiveLimits = .standard)
    throws(ArchiveError)
  {
    guard bytes.count <= limits.size else {
      throw ArchiveError(.size, found: "\(bytes.count)", expected: "\(limits.size)")
    }
    if BinaryReader.canRead(bytes) {
      var reader = try BinaryReader(bytes, limits)
      self = try reader.read()
    } else if XMLReader.canRead(bytes) {
      var reader = XMLReader(bytes, limits)
      self = try reader.read()
    } else {
      throw ArchiveError(.notPropertyList, found: start(of: bytes))
    }
  }
}

/// The first bytes, for messages.
private func start(of bytes: UnsafeRawBufferPointer) -> String {
  if bytes.isEmpty { return "nothing" }
  return bytes.prefix(8).map { byte in
    let text = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + text : text
  }.joined(separator: " ")
}

extension PropertyListValue {
  /// The value as a binary property list, in the layout that Apple's systems write.
  ///
  /// The time is in proportion to the number of values. Equal texts, numbers, dates and data are
  /// written once.
  public func binary() -> [UInt8] { BinaryWriter.bytes(of: self) }

  /// The value as a property list in XML, in UTF-8, in the layout that Apple's systems write.
  ///
  /// - Throws: ``ArchiveError`` for what XML cannot express: a set, a text with control characters,
  ///   and a date without a day, such as an infinite one. The fraction of a second of a date is
  ///   left out.
  public func xml() throws(ArchiveError) -> String { try XMLWriter.text(of: self) }
}
