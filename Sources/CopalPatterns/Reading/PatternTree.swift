/// The syntax tree of a pattern.
indirect enum PatternTree: Sendable {
  /// Nothing, which matches everywhere.
  case empty
  /// The start of the text.
  case start
  /// The end of the text.
  case end
  /// One character of a class.
  case character(CharacterClass)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// A repeated part; without a maximum, any number of times.
  case repetition(PatternTree, minimum: Int, maximum: Int?)

  /// The number of characters and classes, with repetitions counted.
  var positionCount: Int {
    switch self {
    case .empty, .start, .end: 0
    case .character: 1
    case .sequence(let parts), .choice(let parts): parts.reduce(0) { $0 + $1.positionCount }
    case .repetition(let part, let minimum, let maximum):
      part.positionCount * (maximum ?? max(minimum, 1))
    }
  }

  /// The parts one after another.
  static func joined(_ parts: [PatternTree]) -> PatternTree {
    switch parts.count {
    case 0: .empty
    case 1: parts[0]
    default: .sequence(parts)
    }
  }

  /// One of the branches. Those that are one character become one class: `a|b` is `[ab]`.
  static func either(_ branches: [PatternTree]) -> PatternTree {
    var classes: [CharacterClass] = []
    var others: [PatternTree] = []
    for branch in branches {
      if case .character(let characters) = branch {
        classes.append(characters)
      } else {
        others.append(branch)
      }
    }
    if let union = CharacterClass.union(classes) { others.append(.character(union)) }
    return others.count == 1 ? others[0] : .choice(others)
  }
}
