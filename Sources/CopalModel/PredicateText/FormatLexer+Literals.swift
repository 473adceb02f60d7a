import CopalEssentials

/// Numbers, texts in quotes and placeholders.
extension FormatLexer {
  /// The kind of a number, and its end. Its value is made from the text: ``FormatNumber``.
  mutating func number(from start: Int) throws(FormatMistake) -> FormatToken {
    var index = start
    var kind = FormatToken.Kind.integer
    func digits() { while Self.isDigit(byte(index)) { index &+= 1 } }
    let letter = byte(start + 1) | 0x20
    if byte(start) == UInt8(ascii: "0"), letter != 0x20, "xbo".utf8.contains(letter) {
      index += 2
      while Self.isTail(byte(index)) { index &+= 1 }
    } else {
      digits()
      if byte(index) == UInt8(ascii: "."), Self.isDigit(byte(index + 1)) {
        kind = .floating
        index &+= 1
        digits()
      }
      if byte(index) | 0x20 == UInt8(ascii: "e") {
        let sign = byte(index + 1)
        let hasSign = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        if Self.isDigit(byte(index + (hasSign ? 2 : 1))) {
          kind = .floating
          index &+= hasSign ? 2 : 1
          digits()
        }
      }
      if Self.isTail(byte(index)) {
        while Self.isTail(byte(index)) { index &+= 1 }
        let found = text(start, index)
        // The rest of a time, behind the hyphens of its day.
        let date = found.contains("T") ? #", or CAST("2026-01-31T09:30:00Z", "NSDate")"# : ""
        throw FormatMistake(
          .invalidNumber, at: start, found: found, expected: "a number such as 12.5" + date)
      }
    }
    move(to: index)
    return FormatToken(kind: kind, start: start, end: index)
  }

  mutating func string(from start: Int, quote: UInt8) throws(FormatMistake) -> FormatToken {
    var index = start &+ 1
    var hasEscapes = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote {
        move(to: index &+ 1)
        return FormatToken(
          kind: .string, start: start, end: index &+ 1, hasEscapes: hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        index &+= 1
      } else if byte == UInt8(ascii: "%"), self.byte(index &+ 1) == UInt8(ascii: "@") {
        noteQuotedPlaceholder()
      }
      index &+= 1
    }
    throw FormatMistake(
      .unterminatedString, at: start, expected: quote == UInt8(ascii: "'") ? "'" : "\"")
  }

  /// The text of a token in quotes.
  func value(of token: FormatToken) throws(FormatMistake) -> String {
    let (start, end) = (token.start + 1, token.end - 1)
    guard token.hasEscapes else { return text(start, end) }
    var result: [UInt8] = []
    result.reserveCapacity(end - start)
    var index = start
    while index < end {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let letter = byte(index + 1)
      let length: Int
      switch letter {
      case UInt8(ascii: "n"): (length, _) = (0, result.append(0x0A))
      case UInt8(ascii: "t"): (length, _) = (0, result.append(0x09))
      case UInt8(ascii: "r"): (length, _) = (0, result.append(0x0D))
      case UInt8(ascii: "0"): (length, _) = (0, result.append(0))
      case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""):
        (length, _) = (0, result.append(letter))
      case UInt8(ascii: "x"): length = 2
      case UInt8(ascii: "u"): length = 4
      case UInt8(ascii: "U"): length = 8
      default: throw invalidEscape(index, 2)
      }
      if length > 0 {
        let digits = text(index + 2, min(index + 2 + length, end))
        guard digits.utf8.count == length, digits.utf8.first != UInt8(ascii: "+"),
          let number = UInt64(hexadecimal: digits), let value = UInt32(exactly: number),
          let scalar = Unicode.Scalar(value)
        else { throw invalidEscape(index, 2 + length) }
        result.append(contentsOf: String(scalar).utf8)
      }
      index += 2 + length
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func invalidEscape(_ start: Int, _ length: Int) -> FormatMistake {
    FormatMistake(
      .invalidEscape, at: start, found: text(start, min(start + length, bytes.count)),
      expected: #"\n, \t, \r, \0, \\, \', \", \xHH, \uHHHH or \UHHHHHHHH"#)
  }

  private static let integers: Set<String> = [
    "d", "i", "u", "ld", "li", "lu", "lld", "lli", "llu", "q", "qd", "qi", "qu", "hd", "hi", "hu",
    "zd", "zu",
  ]
  private static let floatings: Set<String> = ["f", "lf", "g", "lg", "e", "le", "F", "G", "E"]

  /// A placeholder, or `%%`, the sign of the remainder.
  mutating func placeholder(from start: Int) throws(FormatMistake) -> FormatToken {
    func token(_ kind: FormatToken.Kind, _ length: Int) -> FormatToken {
      move(to: start + length)
      return FormatToken(kind: kind, start: start, end: start + length)
    }
    switch byte(start + 1) {
    case UInt8(ascii: "@"): return token(.value, 2)
    case UInt8(ascii: "K") where !Self.isTail(byte(start + 2)): return token(.key, 2)
    case UInt8(ascii: "%"): return token(.remainder, 2)
    default: break
    }
    var end = start + 1
    while Self.isTail(byte(end)), end < start + 8 { end += 1 }
    let name = text(start + 1, end)
    if Self.integers.contains(name) { return token(.integerArgument, end - start) }
    if Self.floatings.contains(name) { return token(.floatingArgument, end - start) }
    throw FormatMistake(
      .invalidPlaceholder, at: start, found: "%" + name,
      expected: "%@ for a value, %K for a key path, %d or %f for a number, or %% for the remainder")
  }
}

/// The values of numbers in a format.
enum FormatNumber {
  /// The integer of a token, with a sign before it.
  static func integer(_ text: String, isNegative: Bool, at offset: Int) throws(FormatMistake)
    -> Int64
  {
    var (digits, radix) = (text[...], 10)
    if text.utf8.first == UInt8(ascii: "0"), text.utf8.count > 1 {
      switch text.utf8.dropFirst().first.map({ $0 | 0x20 }) {
      case UInt8(ascii: "x"): radix = 16
      case UInt8(ascii: "b"): radix = 2
      case UInt8(ascii: "o"): radix = 8
      default: break
      }
      if radix != 10 { digits = text.dropFirst(2) }
    }
    if let number = Int64(written: (isNegative ? "-" : "") + digits, radix: radix) { return number }
    // A number that is too great has digits only.
    let hasDigitsOnly = !digits.isEmpty && digits.allSatisfy { ($0.hexDigitValue ?? 99) < radix }
    throw FormatMistake(
      hasDigitsOnly ? .outOfRange : .invalidNumber, at: offset, found: text,
      expected: hasDigitsOnly
        ? "an integer of 64 bits; write a point for a floating number"
        : "an integer, such as 12 or 0xFF")
  }

  /// The floating number of a token, with a sign before it.
  static func floating(_ text: String, isNegative: Bool, at offset: Int) throws(FormatMistake)
    -> Double
  {
    guard let number = Double(text), number.isFinite else {
      throw FormatMistake(
        .outOfRange, at: offset, found: text, expected: "a floating number of 64 bits")
    }
    return isNegative ? -number : number
  }
}
