/// Checks that a transient depends on attributes of its entity, and not on itself, directly or
/// indirectly.
enum DependencyCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for (index, entity) in model.entities.enumerated() {
      for attribute in entity.attributes where !attribute.description.dependsOn.isEmpty {
        checkNames(of: attribute, entity: index, model, &problems)
      }
      checkCycles(of: entity, &problems)
    }
  }

  @inline(never)
  private static func checkNames(
    of attribute: AttributeDraft, entity: Int, _ model: ModelDraft, _ problems: inout ProblemList
  ) {
    var seen: Set<String> = []
    for name in names(of: attribute) {
      if !seen.insert(name.name).inserted {
        problems.add(
          .repeatedName, at: name.position, subject: attribute.subject,
          key: "dependsOn", found: name.name)
      } else {
        IndexCheck.checkExists(
          name, entity: entity, subject: attribute.subject, key: "dependsOn", model, &problems)
      }
    }
  }

  @inline(never)
  private static func checkCycles(of entity: EntityDraft, _ problems: inout ProblemList) {
    let transients = entity.attributes.filter { !$0.description.dependsOn.isEmpty }
    guard !transients.isEmpty else { return }
    let indexes = Dictionary(
      transients.enumerated().map { ($1.description.name, $0) }, uniquingKeysWith: { a, _ in a })
    let cycles = Cycles.find(count: transients.count) { index in
      transients[index].description.dependsOn.compactMap { indexes[$0] }
    }
    for cycle in cycles {
      let names = (cycle + cycle.prefix(1)).lazy.map { transients[$0].description.name }
      guard let first = cycle.first.map({ transients[$0] }) else { continue }
      problems.add(
        .dependencyCycle, at: first.member.position(of: "dependsOn"), subject: first.subject,
        found: Cycles.text(names))
    }
  }

  private static func names(of attribute: AttributeDraft) -> [LocatedName] {
    guard case .array(let elements)? = attribute.member.value["dependsOn"]?.kind else { return [] }
    return elements.compactMap { element in
      guard case .string(let name) = element.kind else { return nil }
      return LocatedName(name: name, position: element.position)
    }
  }
}
