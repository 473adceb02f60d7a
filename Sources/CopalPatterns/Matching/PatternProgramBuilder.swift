import CopalEssentials

/// Collects the masks and operations of a program.
struct PatternProgramBuilder {
  let wordCount: Int
  private(set) var words: [UInt64] = []
  private(set) var shifts: [PatternProgram.Shift] = []
  private(set) var gates: [PatternProgram.Gate] = []
  private(set) var starts: [Int] = []

  init(wordCount: Int) { self.wordCount = wordCount }

  // MARK: Masks

  /// Adds all words of a set of positions, and returns their offset.
  mutating func addSet(_ positions: [Int]) -> Int {
    let offset = words.count
    words += repeatElement(0, count: wordCount)
    for position in positions { words[offset + position >> 6] |= 1 << UInt64(position & 63) }
    return offset
  }

  /// Adds the words of a set from the first that is not empty to the last.
  private mutating func addMask(_ positions: some Sequence<Int>, in bounds: ClosedRange<Int>)
    -> PatternProgram.Mask
  {
    let (offset, firstWord) = (words.count, bounds.lowerBound >> 6)
    words += repeatElement(0, count: bounds.wordCount)
    for position in positions {
      words[offset + position >> 6 - firstWord] |= 1 << UInt64(position & 63)
    }
    return PatternProgram.Mask(offset: offset, firstWord: firstWord, count: words.count - offset)
  }

  /// Adds for each ASCII character the set of positions that match it, and returns their offsets.
  /// Characters of the same classes share a set.
  mutating func addASCIISets(of classes: [CharacterClass], _ classMasks: [Int]) -> [Int] {
    var offsets: [[Int]: Int] = [:]
    var (last, lastOffset) = ([-1], 0)
    return Self.asciiCharacters.map { character in
      let indexes = classes.indices.filter { classes[$0].contains(character) }
      if indexes == last { return lastOffset }
      (last, lastOffset) = (indexes, offsets[indexes] ?? words.count)
      if lastOffset == words.count {
        offsets[indexes] = lastOffset
        words += repeatElement(0, count: wordCount)
        for index in indexes {
          for word in 0..<wordCount { words[lastOffset + word] |= words[classMasks[index] + word] }
        }
      }
      return lastOffset
    }
  }

  private static let asciiCharacters = (0..<128).map { (code: UInt8) in
    CanonicalCharacter(Unicode.Scalar(code), withCases: true)
  }

  // MARK: Operations

  /// The greatest number of steps of one copy of a chain that may become shifts.
  private static let maximumShiftedStepCount = 1024

  /// Adds the operations of all chains: shifts where they cost less than gates.
  ///
  /// The copies of a chain have the same distances, so that all of them cost no more shifts than
  /// one.
  mutating func add(_ chains: [JunctionChain]) {
    var sources: [Int: [Int]] = [:]
    var known: Set<JunctionChain> = []
    for chain in chains.inOrder(by: { $0.offsets.count > $1.offsets.count })
    where known.insert(chain).inserted {
      if let steps = chain.steps(atMost: Self.maximumShiftedStepCount) {
        let distances = Set(steps.map { $0.to - $0.from }).subtracting(sources.keys)
        if distances.count * wordCount <= chain.offsets.count * chain.gateCost {
          for (from, to) in steps {
            sources[to - from, default: []] += chain.offsets.map { from + $0 }
          }
          continue
        }
      }
      for offset in chain.offsets { addGate(chain, at: offset) }
    }
    for (distance, positions) in sources.inOrder(by: { $0.key < $1.key }) {
      addShift(positions, by: distance)
    }
  }

  private mutating func addShift(_ positions: [Int], by distance: Int) {
    guard let least = positions.min(), let greatest = positions.max() else { return }
    let words = distance >> 6
    shifts.append(
      PatternProgram.Shift(
        mask: addMask(positions, in: least...greatest), words: words,
        bits: UInt64(distance - words << 6)))
  }

  private mutating func addGate(_ chain: JunctionChain, at offset: Int) {
    guard let bounds = chain.bounds else { return }
    let from = addMask(
      chain.junctions.lazy.flatMap(\.from).map { $0 + offset }, in: bounds.from.moved(by: offset))
    let to = addMask(
      chain.junctions.lazy.flatMap(\.to).map { $0 + offset }, in: bounds.to.moved(by: offset))
    var firstStart: Int?
    if chain.junctions.count > 1 {
      let first = starts.count
      firstStart = first
      starts += repeatElement(0, count: from.count << 6)
      for junction in chain.junctions {
        let start = (junction.to.min() ?? 0) + offset
        for position in junction.from {
          starts[first + position + offset - from.firstWord << 6] = start
        }
      }
    }
    gates.append(PatternProgram.Gate(from: from, to: to, starts: firstStart))
  }
}

extension JunctionChain {
  /// The least and greatest positions that the chain goes from and to.
  fileprivate var bounds: (from: ClosedRange<Int>, to: ClosedRange<Int>)? {
    guard let from = junctions.lazy.flatMap(\.from).bounds,
      let to = junctions.lazy.flatMap(\.to).bounds
    else { return nil }
    return (from, to)
  }

  /// What a gate costs: a step for each word, and as much as some steps for the gate itself.
  fileprivate var gateCost: Int { bounds.map { 4 + $0.from.wordCount + $0.to.wordCount } ?? 0 }
}

extension Sequence<Int> {
  fileprivate var bounds: ClosedRange<Int>? {
    reduce(nil) { bounds, number in
      guard let bounds else { return number...number }
      return Swift.min(bounds.lowerBound, number)...Swift.max(bounds.upperBound, number)
    }
  }
}

extension ClosedRange<Int> {
  fileprivate func moved(by distance: Int) -> ClosedRange<Int> {
    lowerBound + distance...upperBound + distance
  }

  /// The number of words that hold these positions.
  fileprivate var wordCount: Int { upperBound >> 6 - lowerBound >> 6 + 1 }
}
