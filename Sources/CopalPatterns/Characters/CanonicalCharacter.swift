/// A Character as classes compare it: canonically equivalent Characters are equal.
struct CanonicalCharacter {
  let form: CanonicalForm
  /// The Character in other cases, for classes that ask.
  let cases: (lower: CanonicalForm, upper: CanonicalForm)?

  init(_ character: Character, withCases: Bool = false) {
    form = CanonicalForm(String(character))
    cases = withCases ? form.cases : nil
  }

  /// The Character of one scalar.
  init(_ scalar: Unicode.Scalar, withCases: Bool = false) {
    form = CanonicalForm(scalar)
    cases = withCases ? form.cases : nil
  }

  /// The first scalar, which decides the Character's properties; marks and joiners follow it.
  var first: Unicode.Scalar {
    switch form {
    case .scalar(let value): Unicode.Scalar(value) ?? "\u{FFFD}"
    // A Character has at least one scalar.
    case .scalars(_, let text): text.unicodeScalars.first ?? "\u{FFFD}"
    }
  }
}
