extension PatternReader {
  /// Reads a group, or options such as `(?i)`, which apply to the rest of the enclosing group.
  mutating func readGroup() throws(PatternProblem) -> Part {
    let start = index
    index += 1
    if take("*") { throw problem(.unknownGroup, from: start) }
    guard take("?") else { return try readGroup(from: start, with: options) }
    switch current {
    case ":":
      index += 1
      return try readGroup(from: start, with: options)
    case "=", "!":
      index += 1
      throw problem(.lookAround, from: start)
    case ">":
      index += 1
      throw problem(.possessive, from: start)
    case "<", "P", "'":
      try readName(from: start)
      return try readGroup(from: start, with: options)
    default: return try readOptions(from: start)
    }
  }

  /// Reads the branches of a group and its `)`. Options that are set inside end with it.
  private mutating func readGroup(
    from start: Int, with inner: Options
  ) throws(PatternProblem) -> Part {
    let outer = options
    options = inner
    let tree = try nested(from: start) { reader throws(PatternProblem) in try reader.readChoice() }
    options = outer
    guard take(")") else {
      index = start + 1
      throw problem(.unclosedGroup, from: start)
    }
    return .tree(tree)
  }

  /// Reads the name of a group and ignores it: `<name>`, `P<name>` or `'name'`.
  private mutating func readName(from start: Int) throws(PatternProblem) {
    let close: Character = current == "'" ? "'" : ">"
    if !take("'") {
      _ = take("P")
      guard take("<") else { throw problem(.unknownGroup, from: start) }
      if take("=") || take("!") { throw problem(.lookAround, from: start) }
    }
    let first = current
    while let character = current, character == "_" || character.isLetter || character.isNumber {
      index += 1
    }
    guard let first, first == "_" || first.isLetter, take(close) else {
      throw problem(.unknownGroup, from: start)
    }
  }

  private mutating func readOptions(from start: Int) throws(PatternProblem) -> Part {
    var changed = options
    var turnsOn = true
    var isEmpty = true
    while let character = current {
      index += 1
      switch character {
      case "i":
        changed.ignoresCase = turnsOn
        isEmpty = false
      case "s":
        changed.dotMatchesLineEnds = turnsOn
        isEmpty = false
      case "-" where turnsOn: turnsOn = false
      case ":" where !isEmpty: return try readGroup(from: start, with: changed)
      case ")" where !isEmpty:
        options = changed
        return .anchor(.empty)
      default:
        let isOption = character.isASCII && character.isLetter || character == "^"
        throw problem(isOption ? .unknownOption : .unknownGroup, from: start)
      }
    }
    throw problem(.unclosedGroup, from: start)
  }
}
