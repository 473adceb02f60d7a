/// A part of a pattern as the automaton sees it: its positions, and those where it begins and ends.
struct PatternPart {
  var positions: Range<Int>
  var nullability: Nullability
  var first: [Int] = []
  /// The same before a text's first character, where `^` matches.
  var firstAtStart: [Int] = []
  var last: [Int] = []
  /// The same after a text's last character, where `$` matches.
  var lastAtEnd: [Int] = []

  /// Where a part can match nothing. An anchor does so at its end of the text.
  struct Nullability {
    /// Between two characters.
    var inside: Bool
    /// Before the first character.
    var atStart: Bool
    /// After the last character.
    var atEnd: Bool
    var inEmptyText: Bool

    static let always = Nullability(inside: true, atStart: true, atEnd: true, inEmptyText: true)
    static let never = Nullability(inside: false, atStart: false, atEnd: false, inEmptyText: false)
    static let start = Nullability(inside: false, atStart: true, atEnd: false, inEmptyText: true)
    static let end = Nullability(inside: false, atStart: false, atEnd: true, inEmptyText: true)
  }

  /// The part of one position.
  init(_ position: Int) {
    positions = position..<position + 1
    nullability = .never
    (first, firstAtStart, last, lastAtEnd) = ([position], [position], [position], [position])
  }

  /// A part without positions.
  init(_ nullability: Nullability, at position: Int) {
    positions = position..<position
    self.nullability = nullability
  }

  /// One of some parts.
  init(choice parts: [PatternPart]) {
    self.init(.never, at: parts.first?.positions.lowerBound ?? 0)
    for part in parts {
      positions = positions.lowerBound..<part.positions.upperBound
      nullability = nullability.or(part.nullability)
      first += part.first
      firstAtStart += part.firstAtStart
      last += part.last
      lastAtEnd += part.lastAtEnd
    }
  }

  /// Some parts one after another.
  init(sequence parts: [PatternPart]) {
    self.init(.always, at: parts.first?.positions.lowerBound ?? 0)
    for part in parts {
      positions = positions.lowerBound..<part.positions.upperBound
      // Until here, the parts before can match nothing.
      if nullability.inside { first += part.first }
      if nullability.atStart { firstAtStart += part.firstAtStart }
      nullability = nullability.and(part.nullability)
    }
    var following = Nullability.always
    for part in parts.reversed() {
      if following.inside { last = part.last + last }
      if following.atEnd { lastAtEnd = part.lastAtEnd + lastAtEnd }
      following = following.and(part.nullability)
    }
  }

  /// Copies of a part one after another, of which so many must match.
  init(copies offsets: [Int], of copy: PatternPart, minimum: Int) {
    positions = copy.positions.lowerBound..<copy.positions.upperBound + (offsets.last ?? 0)
    nullability = minimum == 0 ? .always : copy.nullability
    first = copy.first
    for (index, offset) in offsets.enumerated() {
      let isEnough = index + 1 >= minimum
      if index == 0 || copy.nullability.atStart {
        firstAtStart += copy.firstAtStart.map { $0 + offset }
      }
      if isEnough { last += copy.last.map { $0 + offset } }
      if isEnough || copy.nullability.atEnd { lastAtEnd += copy.lastAtEnd.map { $0 + offset } }
    }
  }
}

extension PatternPart.Nullability {
  func and(_ other: Self) -> Self {
    Self(
      inside: inside && other.inside, atStart: atStart && other.atStart,
      atEnd: atEnd && other.atEnd, inEmptyText: inEmptyText && other.inEmptyText)
  }

  func or(_ other: Self) -> Self {
    Self(
      inside: inside || other.inside, atStart: atStart || other.atStart,
      atEnd: atEnd || other.atEnd, inEmptyText: inEmptyText || other.inEmptyText)
  }
}
