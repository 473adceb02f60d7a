/// A reader of JSON that keeps positions and continues after a mistake.
///
/// Comments (`//` and `/* */`) and trailing commas are allowed, because these files are edited by
/// hand. Everything else is strict: a repeated key, a lone surrogate or a leading zero is a
/// problem. After a mistake the reader continues at the next comma or closing bracket of the same
/// level. So one run reports every problem once.
package struct JSONReader {
  /// What may come next in an array or object, apart from its end.
  enum Next { case item, comma, either }

  /// How much of the text the problems have made unreadable.
  package enum Damage: Int, Comparable, Sendable {
    /// Every value was read.
    case none
    /// Some values are lost, so a name that is not found may be one of them.
    case values
    /// The brackets do not match, so the structure is not known.
    case structure

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The greatest size of a text in bytes; a larger one is refused before it is read.
  package static let maximumSize = 64 * 1024 * 1024
  /// The greatest number of values, which bounds the memory of the tree.
  package static let maximumValueCount = 4_000_000
  /// The greatest depth of arrays and objects, which bounds the stack.
  package static let maximumDepth = 64

  /// The greatest number of accents and other combining marks in a row. Comparing strings sorts
  /// them, in a time that grows with the square of their number.
  static let maximumMarkCount = 1000

  let bytes: [UInt8]
  var offset = 0
  private var line = 1
  private var lineStart = 0
  private var valueCount = 0
  /// The depth of the deepest array or object so far.
  var depth = 0
  /// The opening brackets of the arrays and objects around the current position.
  var openBrackets: [(bracket: UInt8, line: Int)] = []
  package private(set) var problems: ProblemList
  package private(set) var damage = Damage.none
  /// Whether the last item ended early at the end of its line, so that a missing comma is not
  /// reported too.
  var brokeOffAtLineEnd = false
  /// Whether a string with too many marks in a row is a problem.
  var limitsMarks = true

  package init(_ text: [UInt8], file: String) {
    problems = ProblemList(file: file)
    bytes = text
  }

  /// Reads the whole text as one value.
  package mutating func read() -> JSONNode {
    guard isReadableText() else { return JSONNode(.broken, at: here) }
    skipSpace()
    guard offset < bytes.count else {
      report(.unexpectedEnd, at: here, expected: "a value", damage: .structure)
      return JSONNode(.broken, at: here)
    }
    let node = readValue()
    skipSpace()
    if offset < bytes.count, damage < .structure {
      report(
        .syntax, at: here, found: wordHere, expected: "the end of the file", damage: .none)
    }
    return node
  }

  // MARK: Positions

  /// The current byte; `nil` at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var here: TextPosition { TextPosition(line: line, column: offset - lineStart + 1) }

  /// The position of a byte on the current line.
  func location(_ offset: Int) -> TextPosition {
    TextPosition(line: line, column: offset - lineStart + 1)
  }

  /// Skips a line end if there is one here.
  mutating func skipLineEnd() -> Bool {
    guard let byte, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { return false }
    offset += 1
    if byte == UInt8(ascii: "\r"), self.byte == UInt8(ascii: "\n") { offset += 1 }
    line += 1
    lineStart = offset
    return true
  }

  /// An upper bound for the length of the canonical form: a character may become an escape, and
  /// each value may begin and end on its own line.
  var canonicalLengthBound: Int { 6 * bytes.count + 2 * valueCount * (2 * depth + 4) }

  // MARK: Problems

  mutating func report(
    _ code: ModelError.Code, at position: TextPosition, found: String = "", expected: String = "",
    damage: Damage
  ) {
    problems.add(code, at: position, found: found, expected: expected)
    self.damage = max(self.damage, damage)
    // The limit of problems is reached: stop, so that a hostile text costs no more time.
    if problems.isFull { stop() }
  }

  /// Stops reading. The rest of the text is lost.
  mutating func stop() {
    damage = .structure
    offset = bytes.count
  }

  /// Counts one more value and returns whether it is within the limit.
  mutating func countValue() -> Bool {
    valueCount += 1
    guard valueCount > Self.maximumValueCount else { return true }
    let limit = "\(Self.maximumValueCount) values"
    report(
      .tooLarge, at: here, found: "more than \(limit)", expected: limit, damage: .structure)
    stop()
    return false
  }

  // MARK: The text as a whole

  /// Whether the bytes are UTF-8 within the limit of size; skips a byte-order mark.
  private mutating func isReadableText() -> Bool {
    guard bytes.count <= Self.maximumSize else {
      report(
        .tooLarge, at: here, found: "more than \(Self.maximumSize) bytes",
        expected: "\(Self.maximumSize) bytes", damage: .structure)
      return false
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
      lineStart = 3  // Editors do not show the mark, so columns do not count it.
    }
    guard let bad = Self.firstInvalidOffset(in: bytes) else { return true }
    while offset < bad { if !skipLineEnd() { offset += 1 } }
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let found = isUTF16 ? "UTF-16" : "the byte 0x" + String(bytes[bad], radix: 16, uppercase: true)
    report(.invalidUTF8, at: here, found: found, expected: "UTF-8", damage: .structure)
    return false
  }

  /// The offset of the first byte that is not part of UTF-8 text.
  private static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}
