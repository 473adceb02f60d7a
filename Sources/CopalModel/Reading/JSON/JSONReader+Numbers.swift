extension JSONReader {
  /// The greatest length of a number. The largest Decimal and the smallest Double fit.
  private static let maximumNumberLength = 1000

  mutating func readNumber(at position: TextPosition) -> JSONNode {
    let length = wordLengthHere
    let text = bytes[offset..<offset + length]
    offset += length
    guard length <= Self.maximumNumberLength, DecimalLiteral.isNumber(text) else {
      let found = String(decoding: text.prefix(Self.maximumNumberLength), as: UTF8.self)
      let expected =
        length > Self.maximumNumberLength
        ? "at most \(Self.maximumNumberLength) characters" : "a JSON number such as -12.5e3"
      report(.invalidNumber, at: position, found: found, expected: expected, damage: .none)
      return JSONNode(.broken, at: position)
    }
    return JSONNode(.number(String(decoding: text, as: UTF8.self)), at: position)
  }
}
