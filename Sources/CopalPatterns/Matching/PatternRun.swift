extension PatternProgram {
  /// Matches a text.
  ///
  /// - Returns: whether the whole text matches, and the number of words that were looked at.
  func run(on text: String) -> (matches: Bool, steps: Int) {
    guard !text.isEmpty else { return (matchesEmptyText, 0) }
    return words.withUnsafeBufferPointer { words in
      shifts.withUnsafeBufferPointer { shifts in
        gates.withUnsafeBufferPointer { gates in
          // Each set has a word more at both ends: a shift writes there, though always zeros.
          withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * (wordCount + 2)) { memory in
            memory.initialize(repeating: 0)
            guard let words = words.baseAddress, let memory = memory.baseAddress else {
              return (false, 0)
            }
            var run = PatternRun(
              program: self, words: words, shifts: shifts, gates: gates, wordCount: wordCount,
              reached: memory + 1, next: memory + wordCount + 3)
            return (run.takes(text), run.steps)
          }
        }
      }
    }
  }
}

/// One match of a text.
private struct PatternRun {
  let program: PatternProgram
  let words: UnsafePointer<UInt64>
  let shifts: UnsafeBufferPointer<PatternProgram.Shift>
  let gates: UnsafeBufferPointer<PatternProgram.Gate>
  let wordCount: Int
  /// The positions that have matched the last character.
  let reached: UnsafeMutablePointer<UInt64>
  /// The positions that may match the next one.
  let next: UnsafeMutablePointer<UInt64>
  var isAtStart = true
  var steps = 0

  mutating func takes(_ text: String) -> Bool {
    // Most texts are ASCII, where a byte is a Character: unless it begins CR LF, or a mark may
    // follow.
    let bytes = text.utf8
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let following = bytes.index(after: index)
      let isAlone = following == bytes.endIndex || bytes[following] < 0x80
      guard byte < 0x80, byte != UInt8(ascii: "\r"), isAlone else {
        return takesCharacters(of: text[index...])
      }
      guard take(byte) else { return false }
      index = following
    }
    return hasReachedEnd
  }

  private mutating func takesCharacters(of text: Substring) -> Bool {
    for character in text {
      guard take(character) else { return false }
    }
    return hasReachedEnd
  }

  private var hasReachedEnd: Bool {
    for word in 0..<wordCount where reached[word] & words[program.last + word] != 0 { return true }
    return false
  }

  // MARK: One character

  /// Advances by one Character.
  ///
  /// - Returns: whether any position matches it.
  private mutating func take(_ character: Character) -> Bool {
    var scalars = character.unicodeScalars.makeIterator()
    guard let first = scalars.next(), scalars.next() == nil else {
      return take(CanonicalCharacter(character, withCases: program.needsCases))
    }
    if first.isASCII { return take(UInt8(truncatingIfNeeded: first.value)) }
    return take(CanonicalCharacter(first, withCases: program.needsCases))
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    findNext()
    let mask = words + program.asciiMasks[Int(byte)]
    var any: UInt64 = 0
    for word in 0..<wordCount {
      let matching = next[word] & mask[word]
      reached[word] = matching
      any |= matching
    }
    steps &+= wordCount
    return any != 0
  }

  private mutating func take(_ character: CanonicalCharacter) -> Bool {
    findNext()
    for word in 0..<wordCount { reached[word] = 0 }
    var any = false
    for index in program.classes.indices {
      let mask = words + program.classMasks[index]
      var candidates: UInt64 = 0
      for word in 0..<wordCount { candidates |= next[word] & mask[word] }
      steps &+= wordCount
      // Classes of positions that cannot be reached are not evaluated.
      guard candidates != 0 else { continue }
      steps &+= 1
      guard program.classes[index].contains(character) else { continue }
      for word in 0..<wordCount { reached[word] |= next[word] & mask[word] }
      any = true
    }
    return any
  }

  // MARK: The steps between characters

  private mutating func findNext() {
    guard !isAtStart else {
      isAtStart = false
      for word in 0..<wordCount { next[word] = words[program.first + word] }
      return
    }
    for word in 0..<wordCount { next[word] = 0 }
    var steps = 0
    for shift in shifts { steps &+= pass(shift) }
    for gate in gates { steps &+= pass(gate) }
    self.steps &+= steps
  }

  private func pass(_ shift: PatternProgram.Shift) -> Int {
    let mask = words + shift.mask.offset
    let source = reached + shift.mask.firstWord
    let target = next + shift.mask.firstWord + shift.words
    var carried: UInt64 = 0
    for word in 0..<shift.mask.count {
      let moving = source[word] & mask[word]
      target[word] |= moving &<< shift.bits | carried
      carried = (moving &>> 1) &>> (63 &- shift.bits)
    }
    target[shift.mask.count] |= carried
    return shift.mask.count
  }

  private func pass(_ gate: PatternProgram.Gate) -> Int {
    let mask = words + gate.from.offset
    let source = reached + gate.from.firstWord
    var word = 0
    while word < gate.from.count, source[word] & mask[word] == 0 { word &+= 1 }
    guard word < gate.from.count else { return word }
    let destination = words + gate.to.offset
    let target = next + gate.to.firstWord
    var start = 0
    if let starts = gate.starts {
      let bit = (source[word] & mask[word]).trailingZeroBitCount
      let position = program.starts[starts + word << 6 + bit] - gate.to.firstWord << 6
      start = position >> 6
      target[start] |= destination[start] & (~0 &<< UInt64(truncatingIfNeeded: position & 63))
      start &+= 1
    }
    while start < gate.to.count {
      target[start] |= destination[start]
      start &+= 1
    }
    return word &+ 1 &+ gate.to.count
  }
}
