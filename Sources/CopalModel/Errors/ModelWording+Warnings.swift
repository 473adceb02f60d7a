import CopalEssentials

/// The sentences of warnings.
extension ModelWording {
  static func sentence(for warning: ModelWarning) -> String {
    let (subject, found) = (warning.subject.shown(), warning.found.shown())
    let expected = warning.expected.shown()
    if warning.code.sentence.isEmpty {
      // A code of a later version has no sentence here; its data is shown.
      return [subject, found, expected].filter { !$0.isEmpty }.joined(separator: "; ")
    }
    return warning.code.sentence.filled(
      found: found, expected: expected, suggestion: warning.suggestion?.shown()
    ) { place in
      switch place {
      case "subject": subject
      case "cost": oneWay(warning).cost
      case "remedy": oneWay(warning).remedy
      default: nil
      }
    }
  }

  /// What a relationship without an inverse costs, and how it gets one.
  @inline(never)
  private static func oneWay(_ warning: ModelWarning) -> (cost: String, remedy: String) {
    let expected = warning.expected.shown()
    let parts = warning.subject.split(separator: ".", maxSplits: 1).map { String($0).shown() }
    let (owner, name) = (parts.first ?? "", parts.last ?? "")
    let cost =
      switch OneWayKind(rawValue: warning.found) {
      case .optional:
        "the deletion of its \(expected) searches for every \(owner) that refers to it, and sets "
          + "its '\(name)' to nil"
      case .required:
        "the deletion of its \(expected) searches for every \(owner) that refers to it, and the "
          + "save denies the deletion if there is one"
      default:
        "the store keeps a table of links for it, and the deletion of a related \(expected) "
          + "searches this table"
      }
    let remedy =
      if let back = warning.suggestion?.shown() {
        "'\(back)' of \(expected) leads back; write \"inverse\": \"\(back)\" here, and "
          + "\"inverse\": \"\(name)\" there"
      } else {
        "add a relationship from \(expected) to \(owner), and name each as the inverse of the "
          + "other"
      }
    return (cost, remedy)
  }

  /// What a relationship without an inverse is.
  enum OneWayKind: String {
    case optional = "an optional to-one relationship"
    case required = "a required to-one relationship"
    case toMany = "a to-many relationship"
  }
}
