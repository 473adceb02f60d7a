/// Checks that the objects of a relationship that deletes orphans have one owner at most.
enum OrphanCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for relationship in entity.relationships
      where relationship.typeIsKnown && relationship.description.orphanRule == .delete {
        check(relationship, model, &problems)
      }
    }
  }

  private static func check(
    _ relationship: RelationshipDraft, _ model: ModelDraft, _ problems: inout ProblemList
  ) {
    guard let key = relationship.member.member("orphans"),
      let destination = model.index(of: relationship.description.destination)
    else { return }
    func report(_ code: ModelError.Code, expected: String = "") {
      problems.add(
        code, at: key.position, subject: relationship.subject,
        found: relationship.description.inverse ?? "", expected: expected)
    }
    guard let name = relationship.description.inverse else {
      if relationship.member.member("inverse") == nil { report(.notOwner, expected: toOne) }
      return
    }
    // Another check reports an inverse that does not exist, or does not lead back.
    guard
      let inverse = model.family(of: destination).lazy.compactMap({ $0.relationship(name) }).first,
      inverse.typeIsKnown
    else { return }
    if inverse.description.isToMany {
      report(.notOwner, expected: toOne)
    } else if inverse.description.orphanRule == .delete {
      report(.twoOwners)
    }
  }

  /// What the relationship lacks.
  private static let toOne = "an inverse that is to-one"
}
