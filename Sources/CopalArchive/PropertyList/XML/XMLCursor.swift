/// A place in XML, and the parts of XML that a property list has. The text is UTF-8.
struct XMLCursor {
  /// A start tag, or one of an empty element.
  struct Tag {
    let name: String
    let isEmpty: Bool
    let start: Int
  }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next byte; nil at the end.
  var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  func wrong(_ expected: String, _ found: String, _ position: Int? = nil) -> ArchiveError {
    ArchiveError(.xml, found: found, expected: expected, position: position ?? place)
  }

  // MARK: What has no meaning

  mutating func skipByteOrderMark() { _ = skip("\u{FEFF}") }

  mutating func skipSpaces() {
    while place < bytes.count, XMLText.isSpace(bytes[place]) { place += 1 }
  }

  /// Skips the declaration and the document type, which may not define anything.
  mutating func skipProlog() throws(ArchiveError) {
    skipSpaces()
    if skip("<?xml") { try checkDeclaration() }
    try skipMisc()
    let start = place
    if skip("<!DOCTYPE") {
      while let byte = peek, byte != UInt8(ascii: ">") {
        if byte == UInt8(ascii: "[") {
          throw wrong("a document type without definitions", "definitions", start)
        }
        place += 1
      }
      guard skip(">") else { throw wrong("the end of the document type", "the end", start) }
    }
    try skipMisc()
  }

  /// Skips spaces, comments and processing instructions.
  mutating func skipMisc() throws(ArchiveError) {
    while true {
      skipSpaces()
      if skip("<!--") {
        try skip(to: "-->", "a comment")
      } else if skip("<?") {
        try skip(to: "?>", "a processing instruction")
      } else {
        return
      }
    }
  }

  /// The declaration may name an encoding, but no other than UTF-8.
  private mutating func checkDeclaration() throws(ArchiveError) {
    let start = place
    try skip(to: "?>", "the XML declaration")
    let text = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
    guard let range = text.firstRange(of: "encoding") else { return }
    // The rest of the declaration may have the size of the input.
    let name = text[range.upperBound...].split(
      maxSplits: 1, whereSeparator: { "\"'= \t\r\n?>".contains($0) }
    ).first
    guard let name, ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) else {
      throw wrong("the encoding UTF-8", "'\(name ?? "")'", start)
    }
  }

  // MARK: Tags

  /// The next start tag; nil before an end tag.
  mutating func tag() throws(ArchiveError) -> Tag? {
    try skipMisc()
    return place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/") ? nil : try startTag()
  }

  /// The next start tag. Its attributes are skipped; only that of `<plist>` has one.
  mutating func startTag() throws(ArchiveError) -> Tag {
    let start = place
    guard skip("<") else {
      throw wrong("a tag", peek == nil ? "the end" : "text", start)
    }
    let name = name()
    if name.isEmpty { throw wrong("the name of an element", "another character", start) }
    try skipAttributes(start)
    let isEmpty = skip("/")
    guard skip(">") else { throw wrong("'>'", peek == nil ? "the end" : "another character") }
    return Tag(name: name, isEmpty: isEmpty, start: start)
  }

  mutating func endTag(_ name: String) throws(ArchiveError) {
    try skipMisc()
    let start = place
    guard skip("</"), self.name() == name else {
      throw wrong("</\(name)>", place >= bytes.count ? "the end" : "another tag or text", start)
    }
    skipSpaces()
    guard skip(">") else { throw wrong("'>'", peek == nil ? "the end" : "another character") }
  }

  private mutating func name() -> String {
    let start = place
    while let byte = peek, Self.isOfName(byte), place - start < 64 { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }

  private mutating func skipAttributes(_ start: Int) throws(ArchiveError) {
    while true {
      skipSpaces()
      guard let byte = peek, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") else { return }
      guard !name().isEmpty else { throw wrong("an attribute or '>'", "another character") }
      skipSpaces()
      guard skip("=") else { throw wrong("'='", "another character") }
      skipSpaces()
      guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw wrong("a value in quotes", "another character")
      }
      place += 1
      while let byte = peek, byte != quote { place += byte == UInt8(ascii: "<") ? bytes.count : 1 }
      guard place < bytes.count else { throw wrong("the end of the attribute", "the end", start) }
      place += 1
    }
  }

  // MARK: Text

  /// The text up to the next tag, with its entities and CDATA sections.
  mutating func text() throws(ArchiveError) -> String {
    var (text, hasParts) = ("", false)
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "&"):
        try reserve(&text, &hasParts)
        text.unicodeScalars.append(try entity())
      case UInt8(ascii: "<"):
        guard isBeforeMarkup else { return text }
        try reserve(&text, &hasParts)
        if skip("<![CDATA[") {
          let content = place
          try skip(to: "]]>", "a CDATA section")
          try append(content..<place - 3, to: &text)
        } else if skip("<!--") {
          try skip(to: "-->", "a comment")
        }
      default:
        let start = place
        while let byte = peek, byte != UInt8(ascii: "&"), byte != UInt8(ascii: "<") { place += 1 }
        try append(start..<place, to: &text)
      }
    }
    throw wrong("an end tag", "the end")
  }

  /// Whether a CDATA section or a comment is next.
  private var isBeforeMarkup: Bool {
    var ahead = self
    return ahead.skip("<![CDATA[") || ahead.skip("<!--")
  }

  /// Takes the memory of a text that has several parts at once: a text that grows would have three
  /// times its size.
  private func reserve(_ text: inout String, _ hasParts: inout Bool) throws(ArchiveError) {
    if hasParts { return }
    hasParts = true
    var ahead = self
    while let byte = ahead.peek {
      if byte != UInt8(ascii: "<") {
        ahead.place += 1
      } else if ahead.skip("<![CDATA[") {
        try ahead.skip(to: "]]>", "a CDATA section")
      } else if ahead.skip("<!--") {
        try ahead.skip(to: "-->", "a comment")
      } else {
        break
      }
    }
    text.reserveCapacity(text.utf8.count + ahead.place - place)
  }

  private func append(_ range: Range<Int>, to text: inout String) throws(ArchiveError) {
    let content = UnsafeRawBufferPointer(rebasing: bytes[range])
    guard let part = TextReader.utf8(content) else {
      throw ArchiveError(.text, expected: "UTF-8", position: range.lowerBound)
    }
    if let bad = part.unicodeScalars.first(where: { !XMLText.isAllowed($0) }) {
      throw wrong("characters of XML", "the control character \(bad.value)", range.lowerBound)
    }
    guard content.contains(UInt8(ascii: "\r")) else { return text += part }
    // https://www.w3.org/TR/xml/#sec-line-ends
    text.reserveCapacity(text.utf8.count + part.utf8.count)
    var rest = part[...]
    while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\r")) {
      text += rest[..<end]
      text += "\n"
      rest = rest[rest.utf8.index(after: end)...]
      if rest.utf8.first == UInt8(ascii: "\n") {
        rest = rest[rest.utf8.index(after: rest.startIndex)...]
      }
    }
    text += rest
  }

  private mutating func entity() throws(ArchiveError) -> Unicode.Scalar {
    let start = place
    place += 1
    var name: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: ";"), name.count < 10 {
      name.append(byte)
      place += 1
    }
    let text = String(decoding: name, as: UTF8.self)
    guard skip(";"), let scalar = Self.scalar(text), XMLText.isAllowed(scalar) else {
      throw wrong("&amp; &lt; &gt; &apos; &quot; or the number of a character", "'&\(text)'", start)
    }
    return scalar
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "apos": "'"
    case "quot": "\""
    default:
      if name.hasPrefix("#x") {
        number(name.dropFirst(2), radix: 16)
      } else if name.hasPrefix("#") {
        number(name.dropFirst(), radix: 10)
      } else {
        nil
      }
    }
  }

  private static func number(_ digits: Substring, radix: Int) -> Unicode.Scalar? {
    guard digits.first?.isHexDigit == true else { return nil }
    return UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init)
  }

  // MARK: Bytes

  private mutating func skip(_ text: StaticString) -> Bool {
    let size = text.utf8CodeUnitCount
    guard place + size <= bytes.count else { return false }
    let isNext = text.withUTF8Buffer { $0.elementsEqual(bytes[place..<place + size]) }
    if isNext { place += size }
    return isNext
  }

  private mutating func skip(to end: StaticString, _ what: String) throws(ArchiveError) {
    let start = place
    while place < bytes.count {
      if skip(end) { return }
      place += 1
    }
    throw wrong("the end of \(what)", "the end", start)
  }
}

/// The characters of XML 1.0: <https://www.w3.org/TR/xml/#charsets>.
enum XMLText {
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
    default: false
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x9 || byte == 0xA || byte == 0xD
  }
}
