/// Indexes and unique constraints name stored attributes whose values a store can compare.
enum IndexCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for (index, entity) in model.entities.enumerated() {
      // The order of names is nothing to a constraint and much to an index.
      check(entity.unique, orderMatters: false, entity: index, model, &problems)
      check(entity.indexes, orderMatters: true, entity: index, model, &problems)
    }
  }

  private static func check(
    _ lists: [NameList], orderMatters: Bool, entity: Int, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) {
    let subject = model.entities[entity].name
    var lines: [[String]: Int] = [:]
    for list in lists {
      let names = list.names.map(\.name)
      let key = orderMatters ? names : names.sorted()
      if names.isEmpty {
        problems.add(
          .modelEmptyList, at: list.position, subject: subject, expected: "an attribute")
      } else if let line = lines[key] {
        problems.add(
          .modelRepeatedIndex, at: list.position, subject: subject,
          found: names.joined(separator: ", "), expected: "line \(line)")
      } else {
        lines[key] = list.position.line
        checkNames(list.names, entity: entity, model, &problems)
      }
    }
  }

  private static func checkNames(
    _ names: [LocatedName], entity: Int, _ model: ModelDraft, _ problems: inout ProblemList
  ) {
    let subject = model.entities[entity].name
    var seen: Set<String> = []
    for name in names {
      if !seen.insert(name.name).inserted {
        problems.add(.modelRepeatedName, at: name.position, subject: subject, found: name.name)
        continue
      }
      guard
        let attribute = checkExists(name, entity: entity, subject: subject, model, &problems),
        attribute.typeIsKnown
      else { continue }
      let description = attribute.description
      guard description.isTransient || description.type == .transformable else { continue }
      problems.add(
        .modelUnindexableAttribute, at: name.position, subject: subject, found: name.name,
        expected: description.isTransient ? "transient" : "transformable")
    }
  }

  /// The attribute of that name, the entity's own or inherited; reports one that is not there.
  @discardableResult
  static func checkExists(
    _ name: LocatedName, entity: Int, subject: String, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) -> AttributeDraft? {
    let family = model.family(of: entity)
    for member in family {
      if let attribute = member.attribute(name.name) { return attribute }
    }
    guard model.knowsProperties(of: entity) else { return nil }
    let names = family.flatMap { $0.attributes.map(\.description.name) }
    let suggestion = problems.nearest(to: name.name, among: names)
    let isRelationship = family.contains { $0.relationship(name.name) != nil }
    problems.add(
      .modelUnknownAttribute, at: name.position, subject: subject, found: name.name,
      expected: isRelationship ? "an attribute, not a relationship" : "an attribute",
      suggestion: isRelationship ? nil : suggestion)
    return nil
  }
}
