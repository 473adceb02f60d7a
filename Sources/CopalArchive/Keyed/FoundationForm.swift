/// The fields that the classes of Foundation encode. Nothing is taken for granted about their
/// kinds.
struct FoundationForm {
  let fields: PropertyListDictionary
  private let className: String
  /// The number of the object.
  let object: Int

  init(_ fields: PropertyListDictionary, _ className: String, _ object: Int) {
    self.fields = fields
    self.className = className
    self.object = object
  }

  func wrong(_ key: String, _ expected: String, _ found: String) -> ArchiveError {
    ArchiveError(
      .fieldForm, found: found, expected: expected, object: object, className: className, key: key)
  }

  func field(_ key: String) throws(ArchiveError) -> PropertyListValue {
    guard let value = fields[key] else { throw wrong(key, "a value", "nothing") }
    return value
  }

  /// `NSMutableString` has a text; in some archives it has bytes.
  func string(_ decoded: inout DecodedTexts) throws(ArchiveError) -> String {
    if let text = fields["NS.string"]?.string { return text }
    if let bytes = fields["NS.bytes"]?.data, let text = decoded.text(of: bytes) { return text }
    throw wrong("NS.string", "a text", fields["NS.string"]?.kind ?? "no text")
  }

  /// `NSNumber` is written as a plain number. These are the fields of its oldest form.
  func number() throws(ArchiveError) -> ArchivedValue {
    if let value = fields["NS.boolval"]?.boolean { return .boolean(value) }
    if let value = fields["NS.intval"]?.integer { return .integer(value) }
    if let value = fields["NS.dblval"]?.number { return .real(value) }
    throw wrong("NS.dblval", "a number", "no number")
  }

  func date() throws(ArchiveError) -> Double {
    guard let seconds = fields["NS.time"]?.number else {
      throw wrong("NS.time", "a number", fields["NS.time"]?.kind ?? "nothing")
    }
    return seconds
  }

  /// Data is written as plain data; mutable data under a key.
  func data() throws(ArchiveError) -> [UInt8] {
    guard let bytes = (fields["NS.data"] ?? fields["NS.bytes"])?.data else {
      throw wrong("NS.data", "data", fields["NS.data"]?.kind ?? "nothing")
    }
    return bytes
  }

  func uuid() throws(ArchiveError) -> [UInt8] {
    guard let bytes = fields["NS.uuidbytes"]?.data, bytes.count == 16 else {
      throw wrong(
        "NS.uuidbytes", "data of 16 bytes",
        fields["NS.uuidbytes"]?.data.map { "\($0.count) bytes" } ?? "no data")
    }
    return bytes
  }

  func references(_ key: String) throws(ArchiveError) -> [PropertyListValue] {
    guard let elements = try field(key).array else {
      throw wrong(key, "an array", try field(key).kind)
    }
    return elements
  }
}
