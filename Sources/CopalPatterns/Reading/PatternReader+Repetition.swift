extension PatternReader {
  /// Reads `*`, `+`, `?`, `{n}`, `{n,}`, `{,m}` or `{n,m}`, and a `?` after it; `nil` if there is
  /// none.
  ///
  /// A `?` makes the repetition lazy. That does not change whether a whole text matches.
  mutating func readRepetition() throws(PatternProblem) -> (minimum: Int, maximum: Int?)? {
    let start = index
    guard let times = try readTimes() else { return nil }
    if let maximum = times.maximum, maximum < times.minimum {
      throw problem(.reversedRepetition, from: start)
    }
    let end = index
    if take("+") { throw problem(.possessive, from: end) }
    _ = take("?")
    if let sign = current, "*+?{".contains(sign) { throw problem(.repeatedTwice, from: index) }
    return times
  }

  private mutating func readTimes() throws(PatternProblem) -> (minimum: Int, maximum: Int?)? {
    let start = index
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    let minimum = try readCount(from: start)
    if let minimum, take("}") { return (minimum, minimum) }
    guard take(",") else { throw problem(.badRepetition, from: start) }
    let maximum = try readCount(from: start)
    guard minimum != nil || maximum != nil, take("}") else {
      throw problem(.badRepetition, from: start)
    }
    return (minimum ?? 0, maximum)
  }

  private mutating func readCount(from start: Int) throws(PatternProblem) -> Int? {
    var count: Int?
    while let character = current, character.isASCII, let digit = character.wholeNumberValue {
      index += 1
      count = min((count ?? 0) * 10 + digit, TextPattern.maximumPositionCount + 1)
    }
    // The limit applies to parts without positions too.
    if let count, count > TextPattern.maximumPositionCount {
      throw problem(.tooManyPositions, from: start)
    }
    return count
  }
}
