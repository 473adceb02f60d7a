/// Base 64 with padding: <https://www.rfc-editor.org/rfc/rfc4648#section-4>.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * place)) & 0x3F]
        text.append(place <= group.count ? digit : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text, in which spaces have no meaning; nil for another text.
  static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
    var (bytes, bits, digitCount, paddingCount) = ([UInt8](), UInt32(0), 0, 0)
    bytes.reserveCapacity(text.underestimatedCount / 4 * 3)
    for character in text where !XMLText.isSpace(character) {
      if character == padding {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let value = value(of: character) else { return nil }
      bits = bits << 6 | value
      digitCount += 1
      if digitCount % 4 != 1 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * ((digitCount - 1) % 4))))
      }
    }
    let isComplete = digitCount % 4 == 0 ? paddingCount == 0 : digitCount % 4 + paddingCount == 4
    return isComplete && digitCount % 4 != 1 ? bytes : nil
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
