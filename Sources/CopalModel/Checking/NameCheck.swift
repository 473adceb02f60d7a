/// Checks that every name is a unique Swift identifier that is neither reserved nor too long.
enum NameCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    if let name = model.name {
      check(
        name.name, at: name.position, subject: "", &problems,
        reason: ReservedNames.reason(against:),
        other: name.name + "Model")
    }
    for entity in model.entities {
      let subject = entity.name
      check(
        entity.name, at: entity.member.position, subject: subject, &problems,
        reason: ReservedNames.reason(againstEntity:), other: entity.name + "Object")
      if let place = entity.member.member("class")?.value.position {
        check(
          entity.description.className, at: place, subject: subject, &problems,
          reason: ReservedNames.reason(against:), other: entity.description.className + "Object")
      }
      checkOldName(entity.description.renamedFrom, entity.member, subject: subject, &problems)
      for attribute in entity.attributes {
        checkProperty(
          attribute.member, of: subject.asSubject, subject: attribute.subject, &problems)
        checkOldName(
          attribute.description.renamedFrom, attribute.member, subject: attribute.subject, &problems
        )
        checkTransformer(attribute, &problems)
      }
      for request in entity.fetchRequests + entity.fetchedProperties {
        checkProperty(request.member, of: subject.asSubject, subject: request.subject, &problems)
      }
      for relationship in entity.relationships {
        checkProperty(
          relationship.member, of: subject.asSubject, subject: relationship.subject, &problems)
        checkOldName(
          relationship.description.renamedFrom, relationship.member,
          subject: relationship.subject, &problems)
      }
    }
  }

  private static func checkProperty(
    _ member: JSONMember, of entity: String, subject: String, _ problems: inout ProblemList
  ) {
    // The proposal has the entity's name in front: `value` of `Pigment` becomes `pigmentValue`.
    let other =
      entity.prefix(1).lowercased() + entity.dropFirst()
      + member.key.prefix(1).uppercased() + member.key.dropFirst()
    check(
      member.key, at: member.position, subject: subject, &problems,
      reason: ReservedNames.reason(againstProperty:), other: other)
  }

  /// Checks an old name (`renamedFrom`). An older version may have allowed a name that is reserved
  /// now.
  private static func checkOldName(
    _ name: String?, _ member: JSONMember, subject: String, _ problems: inout ProblemList
  ) {
    guard let name else { return }
    check(
      name, at: member.position(of: "renamedFrom"), subject: subject, &problems,
      reason: { _ in nil }, other: "")
  }

  private static func checkTransformer(
    _ attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    guard let name = attribute.description.transformer?.rawValue else { return }
    guard name.utf8.count <= NameLimit.path else {
      problems.add(
        .nameTooLong, at: attribute.member.position(of: "transformer"),
        subject: attribute.subject, found: "\(name.utf8.count)", expected: "\(NameLimit.path)")
      return
    }
    guard !SwiftIdentifier.isValidPath(name) else { return }
    problems.add(
      .invalidName, at: attribute.member.position(of: "transformer"),
      subject: attribute.subject, found: name,
      expected: "a name such as ColorTransformer or CoreUI.ColorTransformer")
  }

  private static func check(
    _ name: String, at position: TextPosition, subject: String, _ problems: inout ProblemList,
    reason: (String) -> String?, other: @autoclosure () -> String
  ) {
    if name.utf8.count > NameLimit.name {
      problems.add(
        .nameTooLong, at: position, subject: subject, found: "\(name.utf8.count)",
        expected: "\(NameLimit.name)")
    } else if !SwiftIdentifier.isValid(name) {
      let expected =
        SwiftIdentifier.isNormal(name)
        ? "letters, digits and _, with no digit first"
        : "letters in Unicode normalization form C (NFC)"
      problems.add(
        .invalidName, at: position, subject: subject, found: name, expected: expected)
    } else if let taken = reason(name) {
      let other = other()
      let isFree =
        SwiftIdentifier.isValid(other) && other.utf8.count <= NameLimit.name && reason(other) == nil
      problems.add(
        .reservedName, at: position, subject: subject, found: name, expected: taken,
        suggestion: isFree ? other : nil)
    }
  }
}
