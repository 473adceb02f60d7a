/// Reads the text of a pattern.
///
/// A pattern is read by Characters, as texts are: a letter with its combining marks is one
/// Character.
struct PatternReader {
  /// The options `(?i)` and `(?s)`.
  struct Options {
    var ignoresCase = false
    var dotMatchesLineEnds = false
  }

  private let characters: [Character]
  /// The offset of each character in bytes of UTF-8.
  private let offsets: [Int]
  var index = 0
  var options = Options()
  /// The number of open groups and classes.
  private var depth = 0

  static func read(_ text: String) throws(PatternProblem) -> PatternTree {
    var reader = try PatternReader(text)
    let tree = try reader.readChoice()
    guard reader.current == nil else { throw reader.problem(.unopenedGroup, from: reader.index) }
    return tree
  }

  private init(_ text: String) throws(PatternProblem) {
    var characters: [Character] = []
    var offsets: [Int] = []
    var offset = 0
    for character in text {
      let length = character.utf8.count
      guard offset + length <= TextPattern.maximumLength else {
        throw PatternProblem(reason: .tooLong, offset: offset, found: String(character))
      }
      characters.append(character)
      offsets.append(offset)
      offset += length
    }
    self.characters = characters
    self.offsets = offsets
  }

  // MARK: Positions

  /// The current character; `nil` at the end.
  var current: Character? { character(at: index) }

  func character(at index: Int) -> Character? { index < characters.count ? characters[index] : nil }

  func text(from start: Int) -> String { String(characters[start..<index]) }

  /// Skips a character if it is the current one.
  mutating func take(_ character: Character) -> Bool {
    guard current == character else { return false }
    index += 1
    return true
  }

  /// A problem with the text from `start` to the current position; it covers at least one
  /// character.
  func problem(_ reason: PatternProblem.Reason, from start: Int) -> PatternProblem {
    let end = min(max(index, start + 1), characters.count)
    return PatternProblem(
      reason: reason, offset: offsets[start], found: String(characters[start..<end]))
  }

  /// Reads the content of a pair of brackets that opens at a position, and counts its depth.
  mutating func nested<Result>(
    from start: Int, _ read: (inout Self) throws(PatternProblem) -> Result
  ) throws(PatternProblem) -> Result {
    guard depth < TextPattern.maximumDepth else { throw problem(.tooDeep, from: start) }
    depth += 1
    let result = try read(&self)
    depth -= 1
    return result
  }

  // MARK: Parts

  /// A part of a sequence.
  enum Part {
    /// A plain character. Neighbors are joined: `e\u{301}` is one Character, é.
    case literal(String, ignoresCase: Bool)
    case tree(PatternTree)
    /// An anchor, which matches no character and cannot be repeated.
    case anchor(PatternTree)

    var positionCount: Int {
      switch self {
      case .literal(let text, _): text.count
      case .tree(let tree), .anchor(let tree): tree.positionCount
      }
    }

    var tree: PatternTree {
      switch self {
      case .literal(let text, let ignoresCase):
        .joined(text.map { .character(CharacterClass($0, ignoresCase: ignoresCase)) })
      case .tree(let tree), .anchor(let tree): tree
      }
    }
  }

  /// Reads branches between `|`, up to the end or a `)`.
  mutating func readChoice() throws(PatternProblem) -> PatternTree {
    var branches: [PatternTree] = []
    var positionCount = 0
    repeat { branches.append(try readSequence(&positionCount)) } while take("|")
    return .either(branches)
  }

  private mutating func readSequence(
    _ positionCount: inout Int
  ) throws(PatternProblem) -> PatternTree {
    var parts: [Part] = []
    while let character = current, character != "|", character != ")" {
      var start = index
      var part = try readPart()
      let end = index
      if let times = try readRepetition() {
        if case .anchor = part { throw problem(.nothingToRepeat, from: end) }
        part = .tree(.repetition(part.tree, minimum: times.minimum, maximum: times.maximum))
        start = end
      }
      positionCount += part.positionCount
      guard positionCount <= TextPattern.maximumPositionCount else {
        throw problem(.tooManyPositions, from: start)
      }
      parts.append(part)
    }
    return .joined(joiningLiterals(parts).map(\.tree))
  }

  private func joiningLiterals(_ parts: [Part]) -> [Part] {
    var joined: [Part] = []
    for part in parts {
      if case .literal(let text, let ignoresCase) = part,
        case .literal(let before, ignoresCase)? = joined.last
      {
        joined[joined.count - 1] = .literal(before + text, ignoresCase: ignoresCase)
      } else {
        joined.append(part)
      }
    }
    return joined
  }

  private mutating func readPart() throws(PatternProblem) -> Part {
    let start = index
    switch current {
    case "(": return try readGroup()
    case "[": return .tree(.character(try readClass()))
    case "\\": return try readEscapedPart()
    case "*", "+", "?": throw problem(.nothingToRepeat, from: start)
    case "{":
      _ = try readRepetition()
      throw problem(.nothingToRepeat, from: start)
    case ".":
      index += 1
      return .tree(.character(options.dotMatchesLineEnds ? .all : .line))
    case "^":
      index += 1
      return .anchor(.start)
    case "$":
      index += 1
      return .anchor(.end)
    default: return .literal(try readLiteral(), ignoresCase: options.ignoresCase)
    }
  }

  /// Reads a plain character, in brackets or not.
  mutating func readLiteral() throws(PatternProblem) -> String {
    let start = index
    index += 1
    let literal = characters[start]
    // A sign with a combining mark is another Character that looks like the sign, so it is refused.
    if literal.unicodeScalars.count > 1, let first = literal.unicodeScalars.first,
      #"\^$.|?*+()[]{}"#.unicodeScalars.contains(first)
    {
      throw problem(.combiningMark, from: start)
    }
    return String(literal)
  }
}
