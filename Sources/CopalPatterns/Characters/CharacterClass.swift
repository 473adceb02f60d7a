/// A set of Characters: what one position of a pattern matches.
struct CharacterClass: Sendable, Hashable {
  fileprivate enum Member: Hashable {
    /// The Characters of one scalar, from one to another.
    case range(ClosedRange<UInt32>)
    /// A Character of several scalars.
    case character(CanonicalForm)
    case property(CharacterProperty, isNegated: Bool)
    /// A Character, without regard to case, in lower case.
    case lowerCase(CanonicalForm)
    /// The Characters of one scalar in a range, without regard to case.
    case rangeOfAnyCase(ClosedRange<UInt32>)
    case members(CharacterClass)
  }

  private var members: [Member] = []
  /// Whether the set is the complement: all other Characters.
  var isNegated = false

  init() {}

  /// The class of one Character.
  init(_ character: Character, ignoresCase: Bool) {
    members = [Self.member(character, ignoresCase: ignoresCase)]
  }

  init(_ property: CharacterProperty, isNegated: Bool) {
    members = [.property(property, isNegated: isNegated)]
  }

  /// Every Character.
  static let all = CharacterClass(.any, isNegated: false)

  /// Every Character that ends no line.
  static let line = CharacterClass(.lineEnd, isNegated: true)

  /// The Characters of any of the classes; `nil` if there is no class.
  static func union(_ classes: [CharacterClass]) -> CharacterClass? {
    guard classes.count > 1 else { return classes.first }
    var union = CharacterClass()
    for characters in classes { union.insert(characters) }
    return union
  }

  /// Whether membership depends on a Character's other cases.
  var needsCases: Bool {
    members.contains { member in
      switch member {
      case .lowerCase, .rangeOfAnyCase: true
      case .members(let characters): characters.needsCases
      case .range, .character, .property: false
      }
    }
  }

  // MARK: Members

  private static func member(_ character: Character, ignoresCase: Bool) -> Member {
    let form = CanonicalForm(String(character))
    if ignoresCase { return .lowerCase(form.cases.lower) }
    return if case .scalar(let scalar) = form { .range(scalar...scalar) } else { .character(form) }
  }

  /// Adds a Character from a bracket expression.
  ///
  /// CR LF is one Character. It is in a class if one of the two is: `[^\r\n]` means "no line end".
  mutating func insert(_ character: Character, ignoresCase: Bool) {
    members.append(Self.member(character, ignoresCase: ignoresCase))
    if character == "\n" || character == "\r" {
      members.append(Self.member("\r\n", ignoresCase: false))
    }
  }

  /// Adds a range from a bracket expression.
  mutating func insert(_ range: ClosedRange<UInt32>, ignoresCase: Bool) {
    members.append(ignoresCase ? .rangeOfAnyCase(range) : .range(range))
    if range.contains(0xA) || range.contains(0xD) {
      members.append(Self.member("\r\n", ignoresCase: false))
    }
  }

  mutating func insert(_ property: CharacterProperty, isNegated: Bool) {
    members.append(.property(property, isNegated: isNegated))
  }

  mutating func insert(_ characters: CharacterClass) {
    if characters.isNegated {
      members.append(.members(characters))
    } else {
      members += characters.members
    }
  }

  // MARK: Membership

  func contains(_ character: CanonicalCharacter) -> Bool {
    for member in members where member.contains(character) { return !isNegated }
    return isNegated
  }
}

extension CharacterClass.Member {
  fileprivate func contains(_ character: CanonicalCharacter) -> Bool {
    switch self {
    case .range(let range): range.contains(character.form)
    case .character(let form): character.form == form
    case .property(let property, let isNegated): property.holds(for: character) != isNegated
    case .lowerCase(let form): character.cases?.lower == form
    case .rangeOfAnyCase(let range):
      range.contains(character.form)
        || character.cases.map { range.contains($0.lower) || range.contains($0.upper) } ?? false
    case .members(let characters): characters.contains(character)
    }
  }
}

extension ClosedRange<UInt32> {
  fileprivate func contains(_ form: CanonicalForm) -> Bool {
    if case .scalar(let scalar) = form { contains(scalar) } else { false }
  }
}
