import CopalEssentials

extension JSONReader {
  /// Reads the string that begins here.
  ///
  /// - Returns: `nil` if it does not end on its line, or has too many marks in a row. A bad escape
  ///   or control character is reported and left out; the rest of the string is kept.
  mutating func readString() -> String? {
    let opening = here
    offset += 1
    var text = ""
    var start = offset
    while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      switch byte {
      case UInt8(ascii: "\""):
        if text.isEmpty {
          text = String(decoding: bytes[start..<offset], as: UTF8.self)
        } else {
          text += String(decoding: bytes[start..<offset], as: UTF8.self)
        }
        offset += 1
        return hasTooManyMarks(text, at: opening) ? nil : text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[start..<offset], as: UTF8.self)
        if let scalar = readEscape() { text.unicodeScalars.append(scalar) }
        start = offset
      case 0..<0x20:
        text += String(decoding: bytes[start..<offset], as: UTF8.self)
        let code = "U+" + String(byte, radix: 16, uppercase: true).leftPadded(to: 4)
        let escape = byte == UInt8(ascii: "\t") ? "\\t" : "\\u" + code.dropFirst(2)
        report(.controlCharacter, at: here, found: code, expected: escape, damage: .none)
        offset = min(offset + 1, bytes.count)
        start = offset
      default: offset += 1
      }
    }
    if damage < .structure {
      report(.unterminatedString, at: opening, expected: "\"", damage: .values)
    }
    brokeOffAtLineEnd = true
    return nil
  }

  /// Reports a string with too many marks in a row. Even comparing it would be too slow, so it is
  /// not returned.
  private mutating func hasTooManyMarks(_ text: String, at position: TextPosition) -> Bool {
    // A mark has at least two bytes.
    guard limitsMarks, text.utf8.count > 2 * Self.maximumMarkCount else { return false }
    var count = 0
    for scalar in text.unicodeScalars {
      let isMark =
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      count = isMark ? count + 1 : 0
      guard count > Self.maximumMarkCount else { continue }
      report(
        .tooLarge, at: position,
        found: "a string with more than \(Self.maximumMarkCount) combining marks in a row",
        expected: "\(Self.maximumMarkCount)", damage: .none)
      stop()
      return true
    }
    return false
  }

  private mutating func readEscape() -> Unicode.Scalar? {
    let position = here
    offset += 1
    guard let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { return nil }
    let plain: Unicode.Scalar? =
      switch byte {
      case UInt8(ascii: "\""): "\""
      case UInt8(ascii: "\\"): "\\"
      case UInt8(ascii: "/"): "/"
      case UInt8(ascii: "b"): "\u{8}"
      case UInt8(ascii: "f"): "\u{C}"
      case UInt8(ascii: "n"): "\n"
      case UInt8(ascii: "r"): "\r"
      case UInt8(ascii: "t"): "\t"
      default: nil
      }
    if let plain {
      offset += 1
      return plain
    }
    guard byte == UInt8(ascii: "u") else {
      let found = "\\" + scalarHere
      report(
        .invalidEscape, at: position, found: found, expected: "\\\\ for a backslash", damage: .none)
      return nil
    }
    offset += 1
    guard let first = readHexadecimal(at: position) else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A surrogate: only the first one of a pair is allowed here, and the second must follow.
    if first < 0xDC00, self.byte == UInt8(ascii: "\\"), offset + 1 < bytes.count,
      bytes[offset + 1] == UInt8(ascii: "u")
    {
      let beforeSecond = offset
      offset += 2
      guard let second = readHexadecimal(at: location(beforeSecond)) else { return nil }
      if (0xDC00...0xDFFF).contains(second) {
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      }
      offset = beforeSecond
    }
    let found = "\\u" + String(first, radix: 16, uppercase: true)
    report(
      .invalidEscape, at: position, found: found,
      expected: "a surrogate pair such as \\uD83C\\uDFA8",
      damage: .none)
    return nil
  }

  private mutating func readHexadecimal(at position: TextPosition) -> UInt32? {
    var number: UInt32 = 0
    for index in 0..<4 {
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        let found = "\\u" + String(decoding: bytes[offset - index..<offset], as: UTF8.self)
        report(
          .invalidEscape, at: position, found: found, expected: "four hexadecimal digits after \\u",
          damage: .none)
        return nil
      }
      number = number << 4 + UInt32(digit)
      offset += 1
    }
    return number
  }

  /// The Unicode scalar that begins here, as text.
  var scalarHere: String {
    let end = min(offset + 4, bytes.count)
    return String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first
      .map { String($0) } ?? ""
  }
}
