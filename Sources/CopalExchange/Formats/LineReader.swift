import CopalEssentials

/// Reads lines of bytes, without their ends: LF, or CR and LF.
struct LineReader {
  private let input: ByteInput
  private var buffer: [UInt8] = []
  private var start = 0
  /// The number of the line that was read last; 0 before the first one.
  private(set) var line = 0

  /// What a line of comment begins with; none by default.
  var comment: [UInt8] = []

  /// The longest line: an object with its large values.
  static let longest = 1 << 30

  init(_ input: ByteInput) { self.input = input }

  /// The next line that is no comment; nil at the end.
  ///
  /// - Throws: `import.tooLong`; what the input throws.
  mutating func next() throws -> ArraySlice<UInt8>? {
    while let line = try nextOfAll() {
      if comment.isEmpty || !line.starts(with: comment) { return line }
    }
    return nil
  }

  private mutating func nextOfAll() throws -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        line += 1
        return trimmed(start..<end)
      }
      searched = buffer.count - start
      try fill()
      if input.isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        line += 1
        return trimmed(start..<buffer.count)
      }
    }
  }

  private mutating func fill() throws {
    let part = try input.next()
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += part
    if buffer.count > Self.longest {
      throw ImportError(
        ImportProblem(.tooLong, line: line + 1, found: "more than \(Self.longest >> 20) MB"))
    }
  }

  private func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var line = buffer[range]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    // The mark of UTF-8 at the start of a file.
    if self.line == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    return line
  }
}
