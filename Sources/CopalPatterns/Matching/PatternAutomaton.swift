/// A pattern as an automaton of positions and steps between them (Glushkov's construction).
///
/// Each position matches one character of its class. A text matches if it goes from a position of
/// `first` by the steps of the chains to a position of `last`. There are no steps without a
/// character, so that a loop around nothing cannot be endless.
struct PatternAutomaton {
  /// The class of each position, as an index of `classes`.
  private(set) var positions: [Int] = []
  private(set) var classes: [CharacterClass] = []
  private(set) var chains: [JunctionChain] = []
  /// The positions of a text's first character.
  let first: [Int]
  /// The positions of a text's last character.
  let last: [Int]
  let matchesEmptyText: Bool

  init(_ tree: PatternTree) {
    var builder = PatternAutomatonBuilder()
    let whole = builder.add(tree)
    positions = builder.positions
    classes = builder.classes
    chains = builder.chains
    first = whole.firstAtStart
    last = whole.lastAtEnd
    matchesEmptyText = whole.nullability.inEmptyText
  }
}

/// Steps from any of some positions to all of some others.
struct Junction: Hashable {
  var from: [Int]
  var to: [Int]
}

/// Junctions between the parts of a sequence, of which all but the first and the last can match
/// nothing: where a junction is passed, those that follow are passed too.
struct JunctionChain: Hashable {
  var junctions: [Junction] = []
  /// The distances of the chain's copies; it has one for each copy of the part that it is in.
  var offsets: [Int] = [0]

  /// Copies the chain with all its copies.
  mutating func copy(to others: [Int]) {
    offsets = others.flatMap { other in offsets.map { $0 + other } }
  }

  /// Each step of one copy; `nil` if there are more than a number.
  func steps(atMost maximumCount: Int) -> [(from: Int, to: Int)]? {
    var steps: [(from: Int, to: Int)] = []
    var sources: [Int] = []
    for junction in junctions {
      sources += junction.from
      guard steps.count + sources.count * junction.to.count <= maximumCount else { return nil }
      for from in sources { for to in junction.to { steps.append((from, to)) } }
    }
    return steps
  }
}
