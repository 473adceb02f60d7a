/// Checks that every name is a unique Swift identifier that is neither reserved nor too long.
enum NameCheck {
  @inline(never)
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
      checkFormerNames(entity.member, subject: subject, &problems)
      for attribute in entity.attributes {
        checkProperty(
          attribute.member, of: subject.asSubject, subject: attribute.subject, &problems)
        checkFormerNames(attribute.member, subject: attribute.subject, &problems)
        checkTransformer(attribute, &problems)
        checkProjections(attribute, &problems)
      }
      for request in entity.fetchRequests + entity.fetchedProperties {
        checkProperty(request.member, of: subject.asSubject, subject: request.subject, &problems)
      }
      for relationship in entity.relationships {
        checkProperty(
          relationship.member, of: subject.asSubject, subject: relationship.subject, &problems)
        checkFormerNames(relationship.member, subject: relationship.subject, &problems)
      }
    }
  }

  @inline(never)
  private static func checkProjections(
    _ attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    guard case .object(let members)? = attribute.member.member("project")?.value.kind else {
      return
    }
    for member in members {
      check(
        member.key, at: member.position, subject: attribute.subject, &problems,
        reason: ReservedNames.reason(againstProperty:), other: member.key + "Value")
    }
  }

  @inline(never)
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

  /// Checks the former names (`renamedFrom`). An older version may have allowed a name that is
  /// reserved now.
  private static func checkFormerNames(
    _ member: JSONMember, subject: String, _ problems: inout ProblemList
  ) {
    for name in member.formerNames {
      check(
        name.name, at: name.position, subject: subject, &problems, reason: { _ in nil }, other: "")
    }
  }

  @inline(never)
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

  @inline(never)
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

/// Checks that names of entities, and of properties of one entity, are unique without regard to
/// case: a SQL store ignores case.
enum NameClashCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    check(model.entities.map(\.member), subject: "", &problems)
    for entity in model.entities {
      check(entity.properties, subject: entity.name, &problems)
    }
  }

  @inline(never)
  private static func check(
    _ members: [JSONMember], subject: String, _ problems: inout ProblemList
  ) {
    var first: [String: JSONMember] = [:]
    for member in members {
      let caseless = SwiftIdentifier.caseless(member.key)
      guard let other = first[caseless] else {
        first[caseless] = member
        continue
      }
      problems.add(
        .nameClash, at: member.position, subject: subject, found: member.key,
        expected: "'\(other.key)' on line \(other.position.line)")
    }
  }
}

/// Checks that class names are unique, and that no class hides a type that generated code uses.
enum ClassNameCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var first: [String: EntityDraft] = [:]
    for entity in model.entities {
      let name = entity.description.className
      let position = entity.member.member("class")?.value.position ?? entity.member.position
      if ReservedNames.generatedTypes.contains(name), !ReservedNames.notIdentifiers.contains(name) {
        let free = [name + "Object", name + "Entity"].first {
          !ReservedNames.generatedTypes.contains($0)
        }
        problems.add(
          .hidingClass, at: position, subject: entity.name, found: name, expected: free ?? "")
      }
      // Compared in lower case: each class becomes a file, and some file systems ignore case.
      let caseless = SwiftIdentifier.caseless(name)
      guard let other = first.updateValue(first[caseless] ?? entity, forKey: caseless) else {
        continue
      }
      // Entities whose own names clash are reported as such.
      guard SwiftIdentifier.caseless(entity.name) != SwiftIdentifier.caseless(other.name) else {
        continue
      }
      problems.add(
        .duplicateClass, at: position, subject: entity.name, found: name, expected: other.name)
    }
  }
}

/// Checks that every import is valid Swift and listed once.
enum ImportCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var seen: Set<String> = []
    for name in model.imports {
      if name.name.utf8.count > NameLimit.path {
        problems.add(
          .nameTooLong, at: name.position, key: "imports", found: "\(name.name.utf8.count)",
          expected: "\(NameLimit.path)")
      } else if ImportText(name.name) == nil {
        problems.add(.invalidImport, at: name.position, key: "imports", found: name.name)
      } else if !seen.insert(name.name).inserted {
        problems.add(.repeatedName, at: name.position, key: "imports", found: name.name)
      }
    }
  }
}
