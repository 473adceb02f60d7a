/// The sentences of warnings.
extension ModelWording {
  @inline(never)
  static func sentence(for warning: ModelWarning) -> String {
    let subject = warning.subject.shown()
    let found = warning.found.shown()
    let expected = warning.expected.shown()
    switch warning.code {
    case .oneWay:
      let parts = warning.subject.split(separator: ".", maxSplits: 1).map { String($0).shown() }
      let (owner, name) = (parts.first ?? "", parts.last ?? "")
      let cost =
        switch found {
        case OneWayKind.optional.rawValue:
          "the deletion of its \(expected) searches for every \(owner) that refers to it, and sets "
            + "its '\(name)' to nil"
        case OneWayKind.required.rawValue:
          "the deletion of its \(expected) searches for every \(owner) that refers to it, and the "
            + "save denies the deletion if there is one"
        default:
          "the store keeps a table of links for it, and the deletion of a related \(expected) "
            + "searches this table"
        }
      let remedy =
        if let back = warning.suggestion.map({ $0.shown() }) {
          "'\(back)' of \(expected) leads back; write \"inverse\": \"\(back)\" here, and "
            + "\"inverse\": \"\(name)\" there"
        } else {
          "add a relationship from \(expected) to \(owner), and name each as the inverse of the "
            + "other"
        }
      return "\(subject) has no inverse: \(cost); \(remedy)"
    case .nullifiesRequired:
      return
        "\(subject) has the delete rule nullify, but its inverse \(found) is required, so the save of "
        + "a deletion fails while there are related objects; write \"delete\": \"cascade\" to delete these "
        + "with it, \"delete\": \"deny\" to refuse the deletion while there are any, or "
        + "\"type\": \"\(expected)?\" for \(found) to keep them without it"
    case .cascadesBothWays:
      return
        "\(subject) and its inverse \(found) both have the delete rule cascade, so a deletion also "
        + "deletes every object that the two relationships connect with the deleted one; usually only "
        + "the owner deletes its objects: remove \"delete\" from \(expected)"
    case .insecureTransformer:
      return
        "\(subject) uses the transformer '\(found)', which is for archives of any class; write "
        + "\"transformer\": \"\(warning.suggestion.map { $0.shown() } ?? "")\", and register a "
        + "SecureUnarchiveTransformer of that name with the classes that you allow"
    // A code of a later version has no sentence here; its data is shown.
    default: return [subject, found, expected].filter { !$0.isEmpty }.joined(separator: "; ")
    }
  }

  /// What a relationship without an inverse is.
  enum OneWayKind: String {
    case optional = "an optional to-one relationship"
    case required = "a required to-one relationship"
    case toMany = "a to-many relationship"
  }
}
