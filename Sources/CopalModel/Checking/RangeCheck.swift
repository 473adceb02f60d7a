/// Checks that no minimum is above its maximum.
enum RangeCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for attribute in entity.attributes {
        let rules = attribute.description.rules
        if let minimum = rules.minimum, let maximum = rules.maximum,
          ValueOrder.compare(maximum, .less, minimum)
        {
          report(
            minimum: "minimum", maximum: "maximum", attribute.member, attribute.subject, &problems)
        }
        if let minimum = rules.minimumLength, let maximum = rules.maximumLength, minimum > maximum {
          report(
            minimum: "minimumLength", maximum: "maximumLength", attribute.member, attribute.subject,
            &problems)
        }
      }
      for relationship in entity.relationships {
        if let minimum = relationship.description.minimumCount,
          let maximum = relationship.description.maximumCount, minimum > maximum
        {
          report(
            minimum: "minimum", maximum: "maximum", relationship.member, relationship.subject,
            &problems)
        }
      }
    }
  }

  @inline(never)
  private static func report(
    minimum: String, maximum: String, _ member: JSONMember, _ subject: String,
    _ problems: inout ProblemList
  ) {
    problems.add(
      .emptyRange, at: member.position(of: minimum), subject: subject,
      found: minimum + " " + (member.value[minimum]?.shortText ?? ""),
      expected: maximum + " " + (member.value[maximum]?.shortText ?? ""))
  }
}

extension JSONNode {
  /// The text of a number or string, for a message.
  var shortText: String {
    switch kind {
    case .number(let text), .string(let text): text
    default: kindWords
    }
  }
}
