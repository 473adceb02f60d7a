import CopalEssentials

/// Reads a property list in XML: the elements of <http://www.apple.com/DTDs/PropertyList-1.0.dtd>,
/// comments, CDATA sections, the five entities of XML and those with a number.
///
/// A document type may name that file, but it cannot define entities: a few of them can expand to
/// gigabytes.
struct XMLReader {
  private var cursor: XMLCursor
  private let limits: ArchiveLimits
  private var count = 0

  /// Whether the bytes begin as XML.
  static func canRead(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var cursor = XMLCursor(bytes)
    cursor.skipByteOrderMark()
    cursor.skipSpaces()
    return cursor.peek == UInt8(ascii: "<")
  }

  init(_ bytes: UnsafeRawBufferPointer, _ limits: ArchiveLimits) {
    cursor = XMLCursor(bytes)
    self.limits = limits
  }

  mutating func read() throws(ArchiveError) -> PropertyListValue {
    cursor.skipByteOrderMark()
    try cursor.skipProlog()
    let root = try cursor.startTag()
    guard root.name == "plist" else { throw cursor.wrong("<plist>", "<\(root.name)>", root.start) }
    guard !root.isEmpty, let tag = try cursor.tag() else {
      throw cursor.wrong("a value in <plist>", "</plist>", root.start)
    }
    let value = try value(tag, depth: 0)
    try cursor.endTag("plist")
    try cursor.skipMisc()
    guard cursor.peek == nil else { throw cursor.wrong("the end", "more text") }
    return value
  }

  // MARK: Values

  private mutating func value(_ tag: XMLCursor.Tag, depth: Int) throws(ArchiveError)
    -> PropertyListValue
  {
    try addValue()
    switch tag.name {
    case "true", "false":
      if !tag.isEmpty { try cursor.endTag(tag.name) }
      return .boolean(tag.name == "true")
    case "string": return .string(try text(tag))
    case "integer": return try integer(tag)
    case "real": return try real(tag)
    case "date":
      let text = try text(tag)
      guard text.utf8.count == CivilTime.length + 1, text.utf8.last == UInt8(ascii: "Z"),
        let seconds = CivilTime.seconds(of: text.utf8.dropLast())
      else {
        throw cursor.wrong("a date such as 2026-11-23T07:30:00Z", "'\(text.prefix(40))'", tag.start)
      }
      return .date(Double(seconds))
    case "data":
      guard let bytes = Base64.bytes(of: try text(tag).utf8) else {
        throw cursor.wrong("data in Base 64", "other characters", tag.start)
      }
      return .data(bytes)
    case "array": return .array(try elements(tag, depth: depth))
    case "dict": return try dictionary(tag, depth: depth)
    default:
      throw cursor.wrong(
        "array, data, date, dict, false, integer, real, string or true", "<\(tag.name)>", tag.start)
    }
  }

  private mutating func addValue() throws(ArchiveError) {
    count += 1
    if count > limits.count { throw ArchiveError(.count, expected: "\(limits.count)") }
  }

  private mutating func elements(_ tag: XMLCursor.Tag, depth: Int) throws(ArchiveError)
    -> [PropertyListValue]
  {
    var elements: [PropertyListValue] = []
    if tag.isEmpty { return elements }
    try checkDepth(depth)
    while let child = try cursor.tag() { elements.append(try value(child, depth: depth + 1)) }
    try cursor.endTag("array")
    return elements
  }

  private mutating func dictionary(_ tag: XMLCursor.Tag, depth: Int) throws(ArchiveError)
    -> PropertyListValue
  {
    var pairs = PropertyListDictionary()
    if tag.isEmpty { return .dictionary(pairs) }
    try checkDepth(depth)
    while let child = try cursor.tag() {
      guard child.name == "key" else { throw cursor.wrong("<key>", "<\(child.name)>", child.start) }
      // As in a binary property list, where a key is a value, too.
      try addValue()
      let key = try text(child)
      guard let next = try cursor.tag() else { throw cursor.wrong("a value of the key", "</dict>") }
      if !pairs.addIfAbsent(key, try value(next, depth: depth + 1)) {
        throw ArchiveError(
          .key, found: "there twice", expected: "each key may be there once", position: child.start,
          key: key)
      }
    }
    try cursor.endTag("dict")
    return Self.uid(pairs) ?? .dictionary(pairs)
  }

  /// The form that a reference to an object of an archive has in XML.
  private static func uid(_ pairs: PropertyListDictionary) -> PropertyListValue? {
    guard pairs.count == 1 else { return nil }
    switch pairs["CF$UID"] {
    case .integer(let number)?: return UInt64(exactly: number).map { .uid($0) }
    case .unsigned(let number)?: return .uid(number)
    default: return nil
    }
  }

  private func checkDepth(_ depth: Int) throws(ArchiveError) {
    if depth >= limits.depth { throw ArchiveError(.depth, expected: "\(limits.depth)") }
  }

  private mutating func text(_ tag: XMLCursor.Tag) throws(ArchiveError) -> String {
    if tag.isEmpty { return "" }
    let text = try cursor.text()
    try cursor.endTag(tag.name)
    return text
  }

  // MARK: Numbers

  private mutating func integer(_ tag: XMLCursor.Tag) throws(ArchiveError) -> PropertyListValue {
    let text = try text(tag)
    let trimmed = text.utf8.drop(while: XMLText.isSpace)
    var digits = Substring(trimmed)
    while let last = digits.utf8.last, XMLText.isSpace(last) { digits.removeLast() }
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal { digits.removeFirst(2) }
    // Not a sign that the number's own parser would take.
    if let first = digits.first, first.isHexDigit,
      let size = UInt64(digits, radix: isHexadecimal ? 16 : 10)
    {
      if !isNegative { return Int64(exactly: size).map { .integer($0) } ?? .unsigned(size) }
      if size <= Int64.min.magnitude { return .integer(Int64(truncatingIfNeeded: 0 &- size)) }
    }
    throw cursor.wrong("an integer of 64 bits", "'\(text.prefix(40))'", tag.start)
  }

  private mutating func real(_ tag: XMLCursor.Tag) throws(ArchiveError) -> PropertyListValue {
    let text = try text(tag)
    var trimmed = ""
    trimmed.reserveCapacity(text.utf8.count)
    for character in text where !character.isWhitespace { trimmed.append(character) }
    // Not the whole text in lower case, which may have the size of the input.
    switch trimmed.prefix(10).lowercased() {
    case "nan": return .real(.nan)
    case "inf", "+inf", "infinity", "+infinity": return .real(.infinity)
    case "-inf", "-infinity": return .real(-.infinity)
    default:
      guard trimmed.utf8.allSatisfy({ Self.decimal.contains($0) }), let number = Double(trimmed)
      else { throw cursor.wrong("a real number", "'\(text.prefix(40))'", tag.start) }
      return .real(number)
    }
  }

  private static let decimal = Set("0123456789+-.eE".utf8)
}
