/// Checks what a property says about stored values: a conversion that it can have, and raw values
/// that were those of cases and are not any more.
enum ConversionCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for attribute in entity.attributes where attribute.typeIsKnown {
        checkConversion(of: attribute, &problems)
        checkRenamedCases(of: attribute, &problems)
      }
      for relationship in entity.relationships where relationship.typeIsKnown {
        checkConversion(of: relationship, &problems)
      }
    }
  }

  @inline(never)
  private static func checkConversion(
    of attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    let description = attribute.description
    guard let expected = expectation(of: description.conversion, description) else { return }
    problems.add(
      .invalidConversion, at: attribute.member.position(of: "conversion"),
      subject: attribute.subject, found: description.conversion.rawValue, expected: expected)
  }

  /// What a conversion needs and the attribute does not have; nil when it has it.
  @inline(never)
  private static func expectation(
    of conversion: AttributeDescription.Conversion, _ attribute: AttributeDescription
  ) -> String? {
    switch conversion {
    case .exact: nil
    case .nearest: attribute.type.isNumber ? nil : "attributes with numbers"
    case .toNil: attribute.isOptional ? nil : "optional attributes"
    case .fill:
      attribute.fill != nil || attribute.defaultValue != nil
        ? nil : "attributes with a \"fill\" or a \"default\""
    case .secondsSince1970, .secondsSince2001, .millisecondsSince1970:
      attribute.type == .date || attribute.type.integerRange != nil || attribute.type == .double
        ? nil : "dates, integers and doubles"
    case .unversioned:
      attribute.isVersioned ? "attributes that are not versioned" : nil
    }
  }

  @inline(never)
  private static func checkConversion(
    of relationship: RelationshipDraft, _ problems: inout ProblemList
  ) {
    let description = relationship.description
    let expected: String? =
      switch description.conversion {
      case .exact: nil
      case .first: description.isToMany ? "to-one relationships" : nil
      case .unordered:
        description.isToMany && !description.isOrdered
          ? nil : "to-many relationships without an order of their own"
      case .toNil:
        description.isToMany || description.isOptional
          ? nil : "to-many and optional to-one relationships"
      }
    guard let expected else { return }
    problems.add(
      .invalidConversion, at: relationship.member.position(of: "conversion"),
      subject: relationship.subject, found: description.conversion.rawValue, expected: expected)
  }

  @inline(never)
  private static func checkRenamedCases(
    of attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    let description = attribute.description
    guard let cases = description.cases?.map(\.rawValue),
      case .object(let members) = attribute.member.value["renamedCases"]?.kind,
      // The reader has left out what it could not read.
      members.count == description.renamedCases.count
    else { return }
    for (renamed, member) in zip(description.renamedCases, members) {
      if cases.contains(renamed.old) {
        problems.add(
          .invalidRenamedCase, at: member.position, subject: attribute.subject,
          key: "renamedCases", found: renamed.old.shownCase,
          expected: "is the raw value of a case; name one that is not any more")
      }
      if !cases.contains(renamed.new) {
        let names = cases.map(\.shownCase)
        problems.add(
          .invalidRenamedCase, at: member.value.position, subject: attribute.subject,
          key: "renamedCases", found: renamed.new.shownCase,
          expected: "is the raw value of no case; the raw values are "
            + names.joined(separator: ", "),
          suggestion: problems.nearest(to: renamed.new.shownCase, among: names))
      }
    }
  }
}
