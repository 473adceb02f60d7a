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
    let (found, expected): (String, String)
    if let name = relationship.description.inverse {
      // Another check reports an inverse that does not exist, or does not lead back.
      guard
        let inverse = model.family(of: destination).lazy.compactMap({ $0.relationship(name) })
          .first,
        inverse.typeIsKnown
      else { return }
      if inverse.description.isToMany {
        found = "its inverse '\(name.asSubject)' is to-many, so an object can have several owners"
        expected = "remove \"orphans\", or make the inverse to-one"
      } else if inverse.description.orphanRule == .delete {
        found =
          "its inverse '\(name.asSubject)' deletes orphans too, and only one end can be the owner"
        expected = "remove \"orphans\" from one of them"
      } else {
        return
      }
    } else {
      guard relationship.member.member("inverse") == nil else { return }
      found = "it has no inverse, so an object can have several owners"
      expected = "remove \"orphans\", or add an inverse that is to-one"
    }
    problems.add(
      .notOwner, at: key.position, subject: relationship.subject, found: found, expected: expected)
  }
}
