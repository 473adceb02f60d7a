/// Finds positions inside the strings of a JSON text, so that a problem in a string's content is
/// reported at the exact byte.
///
/// The search moves forward, so that all strings in the order of the text take one pass together.
struct JSONStringPositions {
  private let bytes: [UInt8]
  private var line = 1
  private var lineStart: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lineStart = Self.firstLineStart(of: bytes)
  }

  /// The position in the text of a byte of a string's content.
  ///
  /// - Parameters:
  ///   - offset: the offset of the byte in the content, after escapes are replaced.
  ///   - start: the position of the string's opening quote.
  /// - Returns: the position of the byte, or of the escape that it comes from; `start` if no string
  ///   is there.
  mutating func position(ofByte offset: Int, inStringAt start: TextPosition) -> TextPosition {
    goToLine(start.line)
    var index = lineStart + start.column - 1
    guard line == start.line, byte(at: index) == UInt8(ascii: "\"") else { return start }
    index += 1
    var contentOffset = 0
    while contentOffset < offset, let byte = byte(at: index), byte != UInt8(ascii: "\"") {
      let (length, contentLength) = byte == UInt8(ascii: "\\") ? escape(at: index) : (1, 1)
      contentOffset += contentLength
      guard contentOffset <= offset else { break }
      index += length
    }
    return TextPosition(line: line, column: index - lineStart + 1)
  }

  private func byte(at index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  /// The length of an escape, and of its content.
  private func escape(at index: Int) -> (length: Int, contentLength: Int) {
    guard byte(at: index + 1) == UInt8(ascii: "u") else { return (2, 1) }
    let digits = hexadecimalDigits(at: index + 2)
    let length = 2 + digits.count
    switch digits.reduce(0, { $0 << 4 + $1 }) {
    case 0..<0x80: return (length, 1)
    case 0x80..<0x800: return (length, 2)
    // The first surrogate of a pair. Both together are one character.
    case 0xD800..<0xDC00: return (length, 0)
    case 0xDC00..<0xE000: return (length, 4)
    default: return (length, 3)
    }
  }

  private func hexadecimalDigits(at index: Int) -> [Int] {
    Array(
      (index..<index + 4).lazy.map { index in
        byte(at: index).flatMap { Character(Unicode.Scalar($0)).hexDigitValue }
      }.prefix { $0 != nil }.compactMap { $0 })
  }

  // MARK: Lines

  private mutating func goToLine(_ target: Int) {
    if target < line { (line, lineStart) = (1, Self.firstLineStart(of: bytes)) }
    while line < target, lineStart < bytes.count {
      var index = lineStart
      while let byte = byte(at: index), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
        index += 1
      }
      let isPair =
        byte(at: index) == UInt8(ascii: "\r") && byte(at: index + 1) == UInt8(ascii: "\n")
      lineStart = min(index + (isPair ? 2 : 1), bytes.count)
      line += 1
    }
  }

  /// Columns do not count a byte-order mark.
  private static func firstLineStart(of bytes: [UInt8]) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
