/// Checks that the destination of every relationship is an entity of the model.
enum DestinationCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    guard model.namesAreComplete else { return }
    for entity in model.entities {
      for relationship in entity.relationships where relationship.typeIsKnown {
        let destination = relationship.description.destination
        guard model.index(of: destination) == nil else { continue }
        let suggestion = problems.nearest(to: destination, among: model.entityNames)
        problems.add(
          .unknownDestination, at: relationship.member.position(of: "type"),
          subject: relationship.subject, found: destination, suggestion: suggestion)
      }
    }
  }
}

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

  @inline(never)
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

  @inline(never)
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
