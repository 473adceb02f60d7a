/// Collects the positions and junctions of a pattern, part by part.
struct PatternAutomatonBuilder {
  private(set) var positions: [Int] = []
  private(set) var classes: [CharacterClass] = []
  private(set) var chains: [JunctionChain] = []
  private var classIndexes: [CharacterClass: Int] = [:]

  mutating func add(_ tree: PatternTree) -> PatternPart {
    switch tree {
    case .empty: return PatternPart(.always, at: positions.count)
    case .start: return PatternPart(.start, at: positions.count)
    case .end: return PatternPart(.end, at: positions.count)
    case .character(let characters): return add(characters)
    case .sequence(let trees):
      let parts = trees.map { add($0) }
      join(parts)
      return PatternPart(sequence: parts)
    case .choice(let trees): return PatternPart(choice: trees.map { add($0) })
    case .repetition(let tree, let minimum, let maximum):
      return addRepetition(of: tree, minimum, maximum)
    }
  }

  private mutating func add(_ characters: CharacterClass) -> PatternPart {
    let index = classIndexes[characters] ?? classes.count
    if index == classes.count {
      classes.append(characters)
      classIndexes[characters] = index
    }
    positions.append(index)
    return PatternPart(positions.count - 1)
  }

  /// Adds the junctions between the parts of a sequence.
  private mutating func join(_ parts: [PatternPart]) {
    var chain = JunctionChain()
    // The starts that wait for a part with positions to go to.
    var from: [Int] = []
    for (part, next) in zip(parts, parts.dropFirst()) {
      if !part.nullability.inside {
        add(chain)
        (chain, from) = (JunctionChain(), [])
      }
      from += part.last
      guard !next.first.isEmpty, !from.isEmpty || !chain.junctions.isEmpty else { continue }
      chain.junctions.append(Junction(from: from, to: next.first))
      from = []
    }
    add(chain)
  }

  private mutating func add(_ chain: JunctionChain) {
    if !chain.junctions.isEmpty { chains.append(chain) }
  }

  // MARK: Repetitions

  private mutating func addRepetition(
    of tree: PatternTree, _ minimum: Int, _ maximum: Int?
  ) -> PatternPart {
    guard maximum != 0 else { return PatternPart(.always, at: positions.count) }
    let firstChain = chains.count
    let copy = add(tree)
    guard !copy.positions.isEmpty else {
      // An empty part or an anchor: repeating it changes nothing.
      return minimum == 0 ? PatternPart(.always, at: positions.count) : copy
    }
    // Rounds that match nothing need not be there.
    let minimum = copy.nullability.inside ? 0 : minimum
    let count = maximum ?? max(minimum, 1)
    let offsets = (0..<count).map { $0 * copy.positions.count }
    let copied = positions[copy.positions]
    for _ in 1..<count { positions += copied }
    for index in firstChain..<chains.count { chains[index].copy(to: offsets) }
    joinCopies(of: copy, at: offsets, isEndless: maximum == nil)
    return PatternPart(copies: offsets, of: copy, minimum: minimum)
  }

  private mutating func joinCopies(of copy: PatternPart, at offsets: [Int], isEndless: Bool) {
    guard !copy.last.isEmpty, !copy.first.isEmpty, let last = offsets.last else { return }
    if offsets.count > 1 {
      let length = copy.positions.count
      let next = Junction(from: copy.last, to: copy.first.map { $0 + length })
      chains.append(JunctionChain(junctions: [next], offsets: offsets.dropLast()))
    }
    if isEndless {
      let back = Junction(from: copy.last, to: copy.first)
      chains.append(JunctionChain(junctions: [back], offsets: [last]))
    }
  }
}
