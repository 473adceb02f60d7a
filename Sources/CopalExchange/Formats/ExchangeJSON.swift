import CopalEssentials

/// A value of JSON, with numbers as they were written: <https://www.rfc-editor.org/rfc/rfc8259>.
indirect enum JSONItem: Hashable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  case array([JSONPlaced])
  case object([JSONField])

  /// What it is, for a message.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A value with the number of bytes before it in its text.
struct JSONPlaced: Hashable {
  var offset: Int
  var item: JSONItem
}

/// A member of an object.
struct JSONField: Hashable {
  var name: String
  /// The number of bytes before the name.
  var offset: Int
  var value: JSONPlaced
}

/// What is wrong with a text of JSON.
struct JSONFailure: Error {
  var offset: Int
  var found: String
}

/// Reads one value of JSON strictly. The work and the depth are limited.
struct JSONScanner {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  /// A greater depth is refused, so that the stack is enough.
  private static let deepest = 64

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// The value that the bytes are.
  ///
  /// - Throws: ``JSONFailure``.
  static func value(_ bytes: ArraySlice<UInt8>) throws(JSONFailure) -> JSONItem {
    var scanner = JSONScanner(bytes)
    let value = try scanner.value(depth: 0).item
    scanner.skipSpace()
    guard scanner.place == bytes.endIndex else {
      throw scanner.failure("something follows the value")
    }
    return value
  }

  private mutating func value(depth: Int) throws(JSONFailure) -> JSONPlaced {
    skipSpace()
    let offset = place - bytes.startIndex
    guard depth < Self.deepest else { throw failure("more than \(Self.deepest) levels") }
    guard let byte = peek else { throw failure("the text ends where a value must be") }
    let item: JSONItem
    switch byte {
    case UInt8(ascii: "{"): item = .object(try object(depth))
    case UInt8(ascii: "["): item = .array(try array(depth))
    case UInt8(ascii: "\""): item = .string(try string())
    case UInt8(ascii: "t"): item = try word("true", .boolean(true))
    case UInt8(ascii: "f"): item = try word("false", .boolean(false))
    case UInt8(ascii: "n"): item = try word("null", .null)
    default: item = .number(try number())
    }
    return JSONPlaced(offset: offset, item: item)
  }

  private mutating func object(_ depth: Int) throws(JSONFailure) -> [JSONField] {
    place += 1
    var fields: [JSONField] = []
    skipSpace()
    if take("}") { return fields }
    while true {
      skipSpace()
      let offset = place - bytes.startIndex
      guard peek == UInt8(ascii: "\"") else {
        throw failure("a name in quotation marks is missing")
      }
      let name = try string()
      skipSpace()
      guard take(":") else { throw failure("a colon is missing") }
      fields.append(JSONField(name: name, offset: offset, value: try value(depth: depth + 1)))
      skipSpace()
      if take(",") { continue }
      guard take("}") else { throw failure("a comma or a closing brace is missing") }
      return fields
    }
  }

  private mutating func array(_ depth: Int) throws(JSONFailure) -> [JSONPlaced] {
    place += 1
    var items: [JSONPlaced] = []
    skipSpace()
    if take("]") { return items }
    while true {
      items.append(try value(depth: depth + 1))
      skipSpace()
      if take(",") { continue }
      guard take("]") else { throw failure("a comma or a closing bracket is missing") }
      return items
    }
  }

  private mutating func word(_ text: StaticString, _ item: JSONItem) throws(JSONFailure) -> JSONItem
  {
    let wanted = text.withUTF8Buffer { Array($0) }
    guard bytes[place...].starts(with: wanted) else {
      throw failure("a value must be a text, a number, true, false, null, a list or an object")
    }
    place += wanted.count
    return item
  }

  private mutating func number() throws(JSONFailure) -> String {
    let start = place
    _ = take("-")
    if !take("0") { try digits("a digit") }
    if take(".") { try digits("a digit after the point") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits("a digit of the exponent")
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func digits(_ what: String) throws(JSONFailure) {
    let start = place
    while let byte = peek, 48...57 ~= byte { place += 1 }
    if place == start {
      throw failure(
        "a value must be a text, a number, true, false, null, a list or an object: \(what) is missing"
      )
    }
  }

  private mutating func string() throws(JSONFailure) -> String {
    place += 1
    let start = place
    // Most texts have no escape.
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      place += 1
    }
    if peek == UInt8(ascii: "\"") {
      defer { place += 1 }
      return try text(bytes[start..<place], start)
    }
    var result = Array(bytes[start..<place])
    while true {
      guard let byte = peek else { throw failure("a text has no end") }
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(result[...], start)
      case UInt8(ascii: "\\"): result += try escape().utf8
      case 0..<0x20:
        place -= 1
        throw failure("a control character in a text must be written as \\u0000")
      default: result.append(byte)
      }
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>, _ start: Int) throws(JSONFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONFailure(offset: start - self.bytes.startIndex, found: "the text is not UTF-8")
    }
    return text
  }

  private mutating func escape() throws(JSONFailure) -> String {
    guard let byte = peek else { throw failure("a text has no end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(try scalar())
    default:
      place -= 1
      throw failure("an unknown escape in a text")
    }
  }

  private mutating func scalar() throws(JSONFailure) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\"), take("u") else { throw failure("half of a surrogate pair") }
    let second = try unit()
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw failure("half of a surrogate pair") }
    return scalar
  }

  private mutating func unit() throws(JSONFailure) -> UInt32 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("\\u needs four hexadecimal digits") }
    place += 4
    return unit
  }

  private var peek: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  private mutating func take(_ character: Character) -> Bool {
    guard let byte = peek, byte == character.asciiValue else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  private func failure(_ found: String) -> JSONFailure {
    JSONFailure(offset: place - bytes.startIndex, found: found)
  }
}

/// Writes JSON.
extension [UInt8] {
  /// Adds a text in quotation marks.
  package mutating func addJSON(_ text: String) {
    var text = text
    text.withUTF8 { addJSON(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a text of UTF-8 in quotation marks.
  mutating func addJSON(utf8 text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var start = 0
    for (place, byte) in text.enumerated() {
      let isPlain = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      if isPlain && byte != 0x7F { continue }
      append(contentsOf: text[start..<place])
      start = place + 1
      switch byte {
      case UInt8(ascii: "\""): self += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\\"): self += [byte, byte]
      case 0x0A: self += "\\n".utf8
      case 0x0D: self += "\\r".utf8
      case 0x09: self += "\\t".utf8
      default:
        let digits = String(byte, radix: 16)
        self += "\\u00\(byte < 16 ? "0" : "")\(digits)".utf8
      }
    }
    append(contentsOf: text[start...])
    append(UInt8(ascii: "\""))
  }
}
