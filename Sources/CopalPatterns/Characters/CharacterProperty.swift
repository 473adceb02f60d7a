/// A property of Characters from Unicode's tables. As for Swift's Character, the first scalar
/// decides.
enum CharacterProperty: Sendable, Hashable {
  case any, ascii, number, word, whitespace, horizontalSpace, lineEnd, alphabetic, lowercase,
    uppercase
  /// One of some general categories, each a bit.
  case category(UInt32)

  func holds(for character: CanonicalCharacter) -> Bool {
    let scalar = character.first
    switch self {
    case .any: return true
    case .ascii:
      // CR LF is ASCII; a letter with a mark is not.
      if case .scalar(let scalar) = character.form { return scalar < 0x80 }
      return scalar == "\r"
    case .number: return scalar.properties.numericType != nil
    case .word:
      return scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    case .whitespace: return scalar.properties.isWhitespace
    case .horizontalSpace:
      return scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
    case .lineEnd:
      switch scalar.value {
      case 0xA...0xD, 0x85, 0x2028, 0x2029: return true
      default: return false
      }
    case .alphabetic: return scalar.properties.isAlphabetic
    case .lowercase: return scalar.properties.isLowercase
    case .uppercase: return scalar.properties.isUppercase
    case .category(let bits): return bits & scalar.properties.generalCategory.bit != 0
    }
  }

  /// The property of a name in `\p{…}`, such as `Lu` or `Uppercase_Letter`. Case, spaces, hyphens
  /// and underscores do not count.
  init?(named name: String) {
    let plain = name.lowercased().filter { !" _-".contains($0) }
    switch plain {
    case "any": self = .any
    case "ascii": self = .ascii
    case "alpha", "alphabetic": self = .alphabetic
    case "lower", "lowercase": self = .lowercase
    case "upper", "uppercase": self = .uppercase
    case "space", "whitespace": self = .whitespace
    default:
      guard let bits = Self.categories[plain] else { return nil }
      self = .category(bits)
    }
  }

  private static let categories: [String: UInt32] = {
    var categories: [String: UInt32] = [:]
    for group in groups {
      var all: UInt32 = 0
      for (names, category) in group.members {
        for name in names { categories[name] = category.bit }
        all |= category.bit
      }
      for name in group.names { categories[name] = all }
    }
    let cased: [Unicode.GeneralCategory] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
    for name in ["lc", "l&", "casedletter"] { categories[name] = cased.reduce(0) { $0 | $1.bit } }
    return categories
  }()

  private static let groups: [(names: [String], members: [([String], Unicode.GeneralCategory)])] = [
    (
      ["l", "letter"],
      [
        (["lu", "uppercaseletter"], .uppercaseLetter),
        (["ll", "lowercaseletter"], .lowercaseLetter),
        (["lt", "titlecaseletter"], .titlecaseLetter),
        (["lm", "modifierletter"], .modifierLetter), (["lo", "otherletter"], .otherLetter),
      ]
    ),
    (
      ["m", "mark"],
      [
        (["mn", "nonspacingmark"], .nonspacingMark), (["mc", "spacingmark"], .spacingMark),
        (["me", "enclosingmark"], .enclosingMark),
      ]
    ),
    (
      ["n", "number"],
      [
        (["nd", "decimalnumber"], .decimalNumber),
        (["nl", "letternumber"], .letterNumber), (["no", "othernumber"], .otherNumber),
      ]
    ),
    (
      ["p", "punctuation"],
      [
        (["pc", "connectorpunctuation"], .connectorPunctuation),
        (["pd", "dashpunctuation"], .dashPunctuation),
        (["ps", "openpunctuation"], .openPunctuation),
        (["pe", "closepunctuation"], .closePunctuation),
        (["pi", "initialpunctuation"], .initialPunctuation),
        (["pf", "finalpunctuation"], .finalPunctuation),
        (["po", "otherpunctuation"], .otherPunctuation),
      ]
    ),
    (
      ["s", "symbol"],
      [
        (["sm", "mathsymbol"], .mathSymbol), (["sc", "currencysymbol"], .currencySymbol),
        (["sk", "modifiersymbol"], .modifierSymbol), (["so", "othersymbol"], .otherSymbol),
      ]
    ),
    (
      ["z", "separator"],
      [
        (["zs", "spaceseparator"], .spaceSeparator), (["zl", "lineseparator"], .lineSeparator),
        (["zp", "paragraphseparator"], .paragraphSeparator),
      ]
    ),
    (
      ["c", "other"],
      [
        (["cc", "control"], .control), (["cf", "format"], .format),
        (["cs", "surrogate"], .surrogate), (["co", "privateuse"], .privateUse),
        (["cn", "unassigned"], .unassigned),
      ]
    ),
  ]
}

extension Unicode.GeneralCategory {
  fileprivate var bit: UInt32 {
    let index: UInt32 =
      switch self {
      case .uppercaseLetter: 0
      case .lowercaseLetter: 1
      case .titlecaseLetter: 2
      case .modifierLetter: 3
      case .otherLetter: 4
      case .nonspacingMark: 5
      case .spacingMark: 6
      case .enclosingMark: 7
      case .decimalNumber: 8
      case .letterNumber: 9
      case .otherNumber: 10
      case .connectorPunctuation: 11
      case .dashPunctuation: 12
      case .openPunctuation: 13
      case .closePunctuation: 14
      case .initialPunctuation: 15
      case .finalPunctuation: 16
      case .otherPunctuation: 17
      case .mathSymbol: 18
      case .currencySymbol: 19
      case .modifierSymbol: 20
      case .otherSymbol: 21
      case .spaceSeparator: 22
      case .lineSeparator: 23
      case .paragraphSeparator: 24
      case .control: 25
      case .format: 26
      case .surrogate: 27
      case .privateUse: 28
      case .unassigned: 29
      @unknown default: 30
      }
    return 1 << index
  }
}
