/// Every name is a Swift identifier of a bearable length that nobody else has taken.
enum NameCheck {
  /// The greatest length in bytes: that of a file's name.
  static let lengthMax = 255

  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    if let name = model.name {
      check(name.name, at: name.position, subject: "", &problems, reserved: isUnspeakable)
    }
    for entity in model.entities {
      let subject = entity.name
      check(
        entity.name, at: entity.member.position, subject: subject, &problems,
        reserved: isReservedForEntities)
      if let place = entity.member.member("class")?.value.position {
        check(
          entity.description.className, at: place, subject: subject, &problems,
          reserved: isUnspeakable)
      }
      checkOldName(entity.description.renamedFrom, entity.member, subject: subject, &problems)
      for attribute in entity.attributes {
        checkProperty(attribute.member, subject: attribute.subject, &problems)
        checkOldName(
          attribute.description.renamedFrom, attribute.member, subject: attribute.subject, &problems
        )
        checkTransformer(attribute, &problems)
      }
      for relationship in entity.relationships {
        checkProperty(relationship.member, subject: relationship.subject, &problems)
        checkOldName(
          relationship.description.renamedFrom, relationship.member,
          subject: relationship.subject, &problems)
      }
    }
  }

  private static func checkProperty(
    _ member: JSONMember, subject: String, _ problems: inout ProblemList
  ) {
    check(
      member.key, at: member.position, subject: subject, &problems,
      reserved: isReservedForProperties
    )
  }

  /// A name of the version before, which may be one that is reserved by now.
  private static func checkOldName(
    _ name: String?, _ member: JSONMember, subject: String, _ problems: inout ProblemList
  ) {
    guard let name else { return }
    check(
      name, at: member.position(of: "renamedFrom"), subject: subject, &problems,
      reserved: { _ in false })
  }

  private static func checkTransformer(
    _ attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    guard let name = attribute.description.transformer?.rawValue,
      !SwiftIdentifier.isValidPath(name)
    else { return }
    problems.add(
      .modelInvalidName, at: attribute.member.position(of: "transformer"),
      subject: attribute.subject, found: name,
      expected: "a name such as ColorTransformer or CoreUI.ColorTransformer")
  }

  private static func check(
    _ name: String, at position: TextPosition, subject: String, _ problems: inout ProblemList,
    reserved: (String) -> Bool
  ) {
    if name.utf8.count > lengthMax {
      problems.add(
        .modelNameTooLong, at: position, subject: subject, found: "\(name.utf8.count)",
        expected: "\(lengthMax)")
    } else if !SwiftIdentifier.isValid(name) {
      let expected =
        SwiftIdentifier.isNormal(name)
        ? "letters, digits and _, with no digit first" : "letters in normal form C (NFC)"
      problems.add(
        .modelInvalidName, at: position, subject: subject, found: name, expected: expected)
    } else if reserved(name) {
      problems.add(.modelReservedName, at: position, subject: subject, found: name)
    }
  }

  @Sendable private static func isUnspeakable(_ name: String) -> Bool {
    ReservedNames.unspeakable.contains(name)
  }

  @Sendable private static func isReservedForEntities(_ name: String) -> Bool {
    let lowercased = name.lowercased()
    return isUnspeakable(name) || ReservedNames.storePrefixes.contains { lowercased.hasPrefix($0) }
  }

  @Sendable private static func isReservedForProperties(_ name: String) -> Bool {
    isReservedForEntities(name) || ReservedNames.rowNames.contains(name.lowercased())
      || ReservedNames.managedObjectMembers.contains(name)
      || ReservedNames.memberPrefixes.contains { name.hasPrefix($0) }
  }
}
