import CopalEssentials

/// The common form of canonically equivalent Characters, such as é and e with an acute accent.
enum CanonicalForm: Sendable, Hashable {
  /// The one scalar in normal form C.
  case scalar(UInt32)
  /// Several scalars. The hash distinguishes most texts without a comparison.
  case scalars(hash: Int, text: String)

  /// The form of a Character, or of what a Character is in another case.
  init(_ text: String) {
    var scalars = text.unicodeScalars.makeIterator()
    let first = scalars.next()
    let second = scalars.next()
    if let first, second == nil {
      self.init(first)
      return
    }
    // Only marks and the later letters of a Hangul syllable combine with the scalars before them.
    switch second?.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .otherLetter: self.init(composing: text)
    default: self = .scalars(hash: text.hashValue, text: text)
    }
  }

  init(_ scalar: Unicode.Scalar) {
    if Self.isComposed(scalar) {
      self = .scalar(scalar.value)
    } else {
      self.init(composing: String(Character(scalar)))
    }
  }

  private init(composing text: String) {
    let composed = text.composed
    var scalars = composed.unicodeScalars.makeIterator()
    if let scalar = scalars.next(), scalars.next() == nil {
      self = .scalar(scalar.value)
    } else {
      self = .scalars(hash: composed.hashValue, text: composed)
    }
  }

  /// Whether normal form C leaves a scalar alone, as it does most.
  private static func isComposed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // A shortcut for the common ranges: the look-up in Unicode's tables is the slowest part.
    case 0..<0x340, 0x388...0x957, 0x3000...0xF8FF: true
    default: !scalar.properties.isFullCompositionExclusion
    }
  }

  /// The form in other cases.
  var cases: (lower: CanonicalForm, upper: CanonicalForm) {
    switch self {
    case .scalars(_, let text): return (Self(text.lowercased()), Self(text.uppercased()))
    case .scalar(let value):
      guard let properties = Unicode.Scalar(value)?.properties else { return (self, self) }
      return (Self(properties.lowercaseMapping), Self(properties.uppercaseMapping))
    }
  }
}
