/// A Character as classes look at it: canonically equivalent Characters are the same.
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

  /// The scalar that says what the Character is; marks and joiners follow it.
  var first: Unicode.Scalar {
    switch form {
    case .scalar(let value): Unicode.Scalar(value) ?? "\u{FFFD}"
    // A Character has a scalar at least.
    case .scalars(_, let text): text.unicodeScalars.first ?? "\u{FFFD}"
    }
  }
}
