/// Checks that the key `sort` of a relationship names stored attributes of the destination that
/// have an order.
enum SortCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for relationship in entity.relationships where relationship.typeIsKnown {
        check(relationship, model, &problems)
      }
    }
  }

  private static func check(
    _ relationship: RelationshipDraft, _ model: ModelDraft, _ problems: inout ProblemList
  ) {
    let subject = relationship.subject
    if let node = relationship.member.value["sort"], case .array(let names) = node.kind,
      names.isEmpty
    {
      problems.add(
        .emptyList, at: node.position, subject: subject, key: "sort", expected: "an attribute")
    }
    guard let destination = model.index(of: relationship.description.destination) else { return }
    var seen: Set<String> = []
    for name in relationship.sort where !problems.isFull {
      if !seen.insert(name.name).inserted {
        problems.add(
          .repeatedName, at: name.position, subject: subject, key: "sort", found: name.name)
        continue
      }
      guard
        let attribute = IndexCheck.checkExists(
          name, entity: destination, owner: model.entities[destination].name.asSubject,
          subject: subject, key: "sort", model, &problems),
        attribute.typeIsKnown
      else { continue }
      let type = attribute.description.type
      guard attribute.description.isTransient || type == .transformable || type == .binary else {
        continue
      }
      problems.add(
        .unsortableAttribute, at: name.position, subject: subject, key: "sort", found: name.name,
        expected: attribute.description.isTransient ? "transient" : type.rawValue)
    }
  }
}
