extension PatternReader {
  /// Reads a class, from its `[` to its `]`.
  mutating func readClass() throws(PatternProblem) -> CharacterClass {
    let start = index
    if takesPosixClass() { throw problem(.posixClass, from: start) }
    index += 1
    let isNegated = take("^")
    if take("]") { throw problem(.emptyClass, from: start) }
    var characters = try nested(from: start) { reader throws(PatternProblem) in
      var characters = CharacterClass()
      while !reader.take("]") {
        guard reader.current != nil else {
          reader.index = start + 1
          throw reader.problem(.unclosedClass, from: start)
        }
        try reader.readMember(of: &characters)
      }
      return characters
    }
    characters.isNegated = isNegated
    return characters
  }

  /// Skips a POSIX class such as `[:alpha:]`.
  private mutating func takesPosixClass() -> Bool {
    guard character(at: index + 1) == ":" else { return false }
    var end = index + 2
    if character(at: end) == "^" { end += 1 }
    while let character = character(at: end), character.isASCII, character.isLetter { end += 1 }
    guard character(at: end) == ":", character(at: end + 1) == "]" else { return false }
    index = end + 2
    return true
  }

  /// Reads a character, a range, an escape or a class. A hyphen that begins no range is a plain
  /// character.
  private mutating func readMember(
    of characters: inout CharacterClass
  ) throws(PatternProblem) {
    let start = index
    try refuseSetOperation()
    let lower = try readSingle(of: &characters)
    guard current == "-", let next = character(at: index + 1), next != "]", next != "-" else {
      if let lower { characters.insert(lower, ignoresCase: options.ignoresCase) }
      return
    }
    index += 1
    let upper = try readSingle(of: &characters)
    guard let lower, let upper, case .scalar(let from) = CanonicalForm(String(lower)),
      case .scalar(let to) = CanonicalForm(String(upper))
    else { throw problem(.badRange, from: start) }
    guard from <= to else { throw problem(.reversedRange, from: start) }
    characters.insert(from...to, ignoresCase: options.ignoresCase)
    // The hyphen in `[a-z-9]` begins no range.
    try refuseSetOperation()
    if take("-") { characters.insert("-", ignoresCase: false) }
  }

  /// Refuses `--`, `&&` and `~~`, by which other engines subtract or intersect classes.
  private mutating func refuseSetOperation() throws(PatternProblem) {
    let start = index
    guard let sign = current, "&-~".contains(sign), character(at: index + 1) == sign else { return }
    index += 2
    throw problem(.setOperation, from: start)
  }

  /// Reads a character and returns it, or a class or property and adds it.
  private mutating func readSingle(
    of characters: inout CharacterClass
  ) throws(PatternProblem) -> Character? {
    switch current {
    case "[":
      characters.insert(try readClass())
      return nil
    case "\\": return try readEscape(into: &characters)
    default: return try readLiteral().first
    }
  }
}
