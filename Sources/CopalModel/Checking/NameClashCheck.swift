/// Checks that names of entities, and of properties of one entity, are unique without regard to
/// case: a SQL store ignores case.
enum NameClashCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    check(model.entities.map(\.member), subject: "", &problems)
    for entity in model.entities {
      check(entity.properties, subject: entity.name, &problems)
    }
  }

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
