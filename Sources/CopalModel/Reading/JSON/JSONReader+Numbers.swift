extension JSONReader {
  /// The greatest length of a number. The largest Decimal and the smallest Double fit.
  private static let maximumNumberLength = 1000

  mutating func readNumber(at position: TextPosition) -> JSONNode {
    let length = wordLengthHere
    let text = bytes[offset..<offset + length]
    offset += length
    guard length <= Self.maximumNumberLength, Self.isNumber(text) else {
      let found = String(decoding: text.prefix(Self.maximumNumberLength), as: UTF8.self)
      let expected =
        length > Self.maximumNumberLength
        ? "at most \(Self.maximumNumberLength) characters" : "a JSON number such as -12.5e3"
      report(.invalidNumber, at: position, found: found, expected: expected, damage: .none)
      return JSONNode(.broken, at: position)
    }
    return JSONNode(.number(String(decoding: text, as: UTF8.self)), at: position)
  }

  /// Whether the text is a number in JSON's grammar: `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`.
  static func isNumber(_ text: some Collection<UInt8>) -> Bool {
    var rest = text[...]
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func dropDigits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let digits = dropDigits()
    guard digits == 1 || (digits > 1 && !startsWithZero) else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard dropDigits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard dropDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
