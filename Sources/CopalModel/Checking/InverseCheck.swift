/// Checks that every relationship has an inverse, and that the two name each other.
enum InverseCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for (index, entity) in model.entities.enumerated() {
      for relationship in entity.relationships
      where relationship.typeIsKnown && !problems.isFull {
        guard let destination = model.index(of: relationship.description.destination) else {
          continue
        }
        check(relationship, of: index, to: destination, model, &problems)
      }
    }
  }

  private static func check(
    _ relationship: RelationshipDraft, of entity: Int, to destination: Int, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) {
    let position = relationship.member.position(of: "inverse")
    guard let name = relationship.description.inverse else {
      guard relationship.member.member("inverse") == nil, model.namesAreComplete else { return }
      reportMissing(of: relationship, of: entity, to: destination, model, &problems)
      return
    }
    let family = model.family(of: destination)
    guard let inverse = family.lazy.compactMap({ $0.relationship(name) }).first else {
      guard model.knowsProperties(of: destination) else { return }
      let names = family.lazy.flatMap { $0.relationships.lazy.map(\.description.name) }
      let suggestion = problems.nearest(to: name, among: names)
      problems.add(
        .unknownInverse, at: position, subject: relationship.subject, found: name,
        expected: model.entities[destination].name, suggestion: suggestion)
      return
    }
    guard inverse.typeIsKnown, let back = model.index(of: inverse.description.destination) else {
      return
    }
    if !leads(to: entity, back, model) {
      problems.add(
        .inverseLeadsElsewhere, at: position, subject: relationship.subject,
        found: "\(inverse.subject), which leads to \(inverse.description.destination.asSubject)",
        expected: model.entities[entity].name)
    } else if let mutual = inverse.description.inverse, mutual != relationship.description.name,
      model.family(of: back).contains(where: { $0.relationship(mutual) != nil })
    {
      problems.add(
        .inverseNotMutual, at: position, subject: relationship.subject,
        found: "\(inverse.subject), whose inverse is '\(mutual.asSubject)'",
        expected: relationship.description.name)
    }
  }

  /// Whether a relationship with this destination may hold objects of the entity.
  private static func leads(to entity: Int, _ destination: Int, _ model: ModelDraft) -> Bool {
    guard destination != entity, let ancestors = model.ancestors(of: entity) else { return true }
    return ancestors.contains(destination)
  }

  private static func reportMissing(
    of relationship: RelationshipDraft, of entity: Int, to destination: Int, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) {
    let name = relationship.description.name
    let family = model.family(of: destination)
    // The search for a similar name compares with every relationship.
    let isFew = problems.allowsComparisons(family.reduce(0) { $0 + $1.relationships.count })
    let candidates = (isFew ? family : []).lazy.flatMap(\.relationships).filter { other in
      guard let back = model.index(of: other.description.destination) else { return false }
      return leads(to: entity, back, model) && (other.description.inverse ?? name) == name
    }.prefix(2)
    problems.add(
      .missingInverse, at: relationship.member.position, subject: relationship.subject,
      found: model.entities[entity].name, expected: model.entities[destination].name,
      suggestion: candidates.count == 1 ? candidates.first?.description.name : nil)
  }
}
