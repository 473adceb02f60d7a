/// An automaton as bits: a set of positions is some words of 64 bits, and one character takes all
/// positions of the set a step further at once.
///
/// There are two kinds of operations for the steps between positions. A shift goes the same
/// distance from many positions, such as to the next one. A gate goes from any of some positions to
/// all of some others. Most patterns are one to three of them. What a character costs at most is
/// known when the program is made, so that the time of a match is linear in the text.
final class PatternProgram: Sendable {
  /// Goes from each position of a mask a distance further.
  struct Shift {
    var mask: Mask
    /// The distance, as words and bits.
    var words: Int
    var bits: UInt64
  }

  /// Goes from any position of a mask to all positions of another.
  struct Gate {
    var from: Mask
    var to: Mask
    /// For a chain of junctions, the offset of its starts in `starts`; nil for a single junction.
    ///
    /// The first reached position passes its junction and all that follow. The parts of a chain are
    /// consecutive, so these go to all positions of `to` from the start of that junction on.
    var starts: Int?
  }

  /// A set of positions: so many of its words, from one of them on, which are in `words` at an
  /// offset.
  struct Mask {
    var offset: Int
    var firstWord: Int
    var count: Int
  }

  let positionCount: Int
  /// The number of words of a set of positions.
  let wordCount: Int
  let matchesEmptyText: Bool
  /// All masks, one after another.
  let words: [UInt64]
  let shifts: [Shift]
  let gates: [Gate]
  /// For each position that a chain goes from, the first one that its junction goes to.
  let starts: [Int]
  /// The offsets of the sets where a text may begin and end.
  let first: Int
  let last: Int
  /// For each ASCII character, the offset of the set of positions that match it.
  let asciiMasks: [Int]
  let classes: [CharacterClass]
  /// For each class, the offset of the set of its positions.
  let classMasks: [Int]
  let needsCases: Bool

  init(_ automaton: PatternAutomaton) {
    positionCount = automaton.positions.count
    wordCount = max(1, (automaton.positions.count + 63) / 64)
    matchesEmptyText = automaton.matchesEmptyText
    classes = automaton.classes
    needsCases = classes.contains { $0.needsCases }
    var builder = PatternProgramBuilder(wordCount: wordCount)
    first = builder.addSet(automaton.first)
    last = builder.addSet(automaton.last)
    var members = [[Int]](repeating: [], count: classes.count)
    for (position, index) in automaton.positions.enumerated() { members[index].append(position) }
    classMasks = members.map { builder.addSet($0) }
    asciiMasks = builder.addASCIISets(of: classes, classMasks)
    builder.add(automaton.chains)
    words = builder.words
    shifts = builder.shifts
    gates = builder.gates
    starts = builder.starts
  }

  /// The greatest number of steps that one character of a text can take.
  var maximumStepsPerCharacter: Int {
    wordCount + classes.count * (wordCount + 1) + shifts.reduce(0) { $0 + $1.mask.count }
      + gates.reduce(0) { $0 + $1.from.count + $1.to.count }
  }
}
