/// Splits the bytes of a format into tokens.
struct FormatLexer {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The place after the last token.
  private(set) var position = 0
  /// Whether a text in quotes has a placeholder, which it does not mean as one.
  private(set) var hasQuotedPlaceholder = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The byte at a place; zero outside of the text.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// The text from one place to another.
  func text(_ start: Int, _ end: Int) -> String {
    guard 0 <= start, start < end, end <= bytes.count else { return "" }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  func text(_ token: FormatToken) -> String { text(token.start, token.end) }

  /// Whether the next token is an opening parenthesis.
  var isBeforeParenthesis: Bool {
    var index = position
    while isSpace(byte(index)) { index &+= 1 }
    return byte(index) == UInt8(ascii: "(")
  }

  @inline(__always)
  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  @inline(__always)
  static func isHead(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  @inline(__always)
  static func isTail(_ byte: UInt8) -> Bool { isHead(byte) || isDigit(byte) }

  mutating func next() throws(FormatMistake) -> FormatToken {
    while isSpace(byte(position)) { position &+= 1 }
    let start = position
    guard start < bytes.count else { return FormatToken(kind: .end, start: start, end: start) }
    let first = bytes[start]
    if Self.isHead(first) { return try name(from: start) }
    if Self.isDigit(first) { return try number(from: start) }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(from: start, quote: first)
    case UInt8(ascii: "%"): return try placeholder(from: start)
    case UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "@"):
      return try prefixedName(from: start, first)
    default: break
    }
    let second = byte(start + 1)
    try refuseBits(first, second, at: start)
    func sign(_ kind: FormatToken.Kind, _ length: Int) -> FormatToken {
      FormatToken(kind: kind, start: start, end: start + length)
    }
    let equals = UInt8(ascii: "=")
    let token: FormatToken
    switch first {
    case equals:
      token =
        second == equals
        ? sign(.equal, 2)
        : second == UInt8(ascii: "<")
          ? sign(.lessOrEqual, 2)
          : second == UInt8(ascii: ">") ? sign(.greaterOrEqual, 2) : sign(.equal, 1)
    case UInt8(ascii: "<"):
      token =
        second == equals
        ? sign(.lessOrEqual, 2)
        : second == UInt8(ascii: ">") ? sign(.notEqual, 2) : sign(.less, 1)
    case UInt8(ascii: ">"):
      token = second == equals ? sign(.greaterOrEqual, 2) : sign(.greater, 1)
    case UInt8(ascii: "!"): token = second == equals ? sign(.notEqual, 2) : sign(.not, 1)
    case UInt8(ascii: "&") where second == first: token = sign(.and, 2)
    case UInt8(ascii: "|") where second == first: token = sign(.or, 2)
    case UInt8(ascii: "?") where second == first: token = sign(.coalesce, 2)
    case UInt8(ascii: "*"): token = second == first ? sign(.power, 2) : sign(.star, 1)
    case UInt8(ascii: "("): token = sign(.openParenthesis, 1)
    case UInt8(ascii: ")"): token = sign(.closeParenthesis, 1)
    case UInt8(ascii: "{"): token = sign(.openBrace, 1)
    case UInt8(ascii: "}"): token = sign(.closeBrace, 1)
    case UInt8(ascii: "["): token = sign(.openBracket, 1)
    case UInt8(ascii: "]"): token = sign(.closeBracket, 1)
    case UInt8(ascii: ","): token = sign(.comma, 1)
    case UInt8(ascii: "."): token = sign(.dot, 1)
    case UInt8(ascii: "+"): token = sign(.plus, 1)
    case UInt8(ascii: "-"): token = sign(.minus, 1)
    case UInt8(ascii: "/"): token = sign(.slash, 1)
    default:
      throw FormatMistake(
        .unexpected, at: start, found: text(start, start + 1), expected: "a name, a value or a sign"
      )
    }
    position = token.end
    return token
  }

  /// The operators of bits that predicates of Foundation have.
  private func refuseBits(_ first: UInt8, _ second: UInt8, at start: Int) throws(FormatMistake) {
    let isDouble = first == second
    let length: Int
    switch first {
    case UInt8(ascii: "&") where !isDouble, UInt8(ascii: "|") where !isDouble,
      UInt8(ascii: "^"), UInt8(ascii: "~"):
      length = 1
    case UInt8(ascii: "<") where isDouble, UInt8(ascii: ">") where isDouble: length = 2
    default: return
    }
    throw FormatMistake(
      .unsupported, at: start, found: "the operator \(text(start, start + length)) of bits",
      expected: "store each bit as a boolean, or compare the whole number")
  }

  /// The place after the name that begins at a place.
  @inline(__always)
  private func nameEnd(_ start: Int) -> Int {
    var index = start
    while Self.isTail(byte(index)) { index &+= 1 }
    return index
  }

  /// The place after the path that begins at a place. A point belongs to it when a name follows
  /// directly.
  private func pathEnd(_ firstEnd: Int) -> Int {
    var end = firstEnd
    while byte(end) == UInt8(ascii: "."), Self.isHead(byte(end &+ 1)) { end = nameEnd(end &+ 1) }
    return end
  }

  private mutating func name(from start: Int) throws(FormatMistake) -> FormatToken {
    let first = nameEnd(start)
    if byte(first) == UInt8(ascii: ":") {
      var end = first
      while byte(end) == UInt8(ascii: ":") { end = nameEnd(end &+ 1) }
      position = end
      return FormatToken(kind: .function, start: start, end: end, firstEnd: first)
    }
    let end = pathEnd(first)
    var word = FormatWord(bytes, from: start, to: first)
    if end != first, word != .self { word = nil }
    try check(start, end)
    position = end
    return FormatToken(kind: .name, start: start, end: end, firstEnd: first, word: word)
  }

  private mutating func prefixedName(from start: Int, _ sign: UInt8) throws(FormatMistake)
    -> FormatToken
  {
    guard Self.isHead(byte(start + 1)) else {
      throw FormatMistake(
        .invalidName, at: start, found: text(start, start + 1),
        expected: "a name directly after the sign")
    }
    let first = nameEnd(start + 1)
    let isAggregate = sign == UInt8(ascii: "@")
    let end = isAggregate ? first : pathEnd(first)
    try check(start + 1, end)
    position = end
    let kind: FormatToken.Kind =
      isAggregate ? .aggregate : sign == UInt8(ascii: "#") ? .escapedName : .variable
    return FormatToken(kind: kind, start: start, end: end, firstEnd: first)
  }

  /// Checks the letters of a path. Letters of ASCII have been checked already.
  private func check(_ start: Int, _ end: Int) throws(FormatMistake) {
    var index = start
    while index < end, bytes[index] < 0x80 { index &+= 1 }
    guard index < end else { return }
    let path = text(start, end)
    guard SwiftIdentifier.isValidPath(path) else {
      throw FormatMistake(
        .invalidName, at: start, found: path,
        expected: "letters, digits and _; accented letters as one scalar")
    }
  }
}

extension FormatLexer {
  mutating func move(to place: Int) { position = place }
  mutating func noteQuotedPlaceholder() { hasQuotedPlaceholder = true }
}
