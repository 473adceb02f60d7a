/// The relationships of a model, seen from both ends.
extension ManagedObjectModel {
  /// The relationships of an entity: those of its root first, its own last.
  ///
  /// - Parameter index: a position in ``entities``.
  public func relationships(ofEntity index: Int) -> [RelationshipDescription] {
    (ancestors(ofEntity: index) + [index]).flatMap { entities[$0].relationships }
  }

  /// The relationships of an entity as contexts and stores use them: along the line of inheritance,
  /// for each entity those that it declares, then the hidden inverses of the one-way relationships
  /// that lead to it.
  ///
  /// - Parameter index: a position in ``entities``.
  package func allRelationships(ofEntity index: Int) -> [CompleteRelationship] {
    (ancestors(ofEntity: index) + [index]).flatMap(ownRelationships(ofEntity:))
  }

  private func ownRelationships(ofEntity index: Int) -> [CompleteRelationship] {
    let declared = entities[index].relationships.map {
      CompleteRelationship(entity: index, relationship: $0)
    }
    let oneWay = oneWayByDestination[entities[index].name] ?? []
    return declared + oneWay.map { hiddenInverse(of: $0, in: index) }
  }

  private func hiddenInverse(of oneWay: OneWayRelationship, in index: Int) -> CompleteRelationship {
    let relationship = oneWay.relationship
    let name = entities[oneWay.entity].name
    let isRequired = !relationship.isToMany && !relationship.isOptional
    return CompleteRelationship(
      entity: index,
      relationship: RelationshipDescription(
        "\(name).\(relationship.name)", to: name, isToMany: true, isOptional: true,
        inverse: relationship.name, deleteRule: isRequired ? .deny : .nullify),
      oneWay: oneWay)
  }

  /// The inverse of a relationship; nil for a one-way relationship.
  public func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    declaredInverse(of: relationship)?.relationship
  }

  /// The inverse of a relationship, with the position of the entity that declares it: the
  /// destination, or an ancestor of it. Nil for a one-way relationship.
  package func declaredInverse(
    of relationship: RelationshipDescription
  ) -> (entity: Int, relationship: RelationshipDescription)? {
    guard let name = relationship.inverse, let destination = entityIndex(relationship.destination)
    else { return nil }
    for entity in [destination] + ancestors(ofEntity: destination) {
      if let found = entities[entity].relationship(name) { return (entity, found) }
    }
    return nil
  }
}

/// A relationship of an entity, or the hidden inverse of one that leads to the entity.
package struct CompleteRelationship: Sendable {
  /// The position of the entity that has it.
  package let entity: Int
  /// The description. The name of a hidden inverse is that of the other relationship with its
  /// entity: `Painting.style`.
  package let relationship: RelationshipDescription
  /// The one-way relationship whose hidden inverse this is.
  package var oneWay: OneWayRelationship?

  /// Whether the model does not declare it.
  package var isHidden: Bool { oneWay != nil }
}

/// A relationship without an inverse.
package struct OneWayRelationship: Sendable, Equatable {
  /// The position of the entity that declares it.
  package let entity: Int
  /// The description.
  package let relationship: RelationshipDescription

  static func byDestination(_ entities: [EntityDescription]) -> [String: [OneWayRelationship]] {
    var result: [String: [OneWayRelationship]] = [:]
    for (index, entity) in entities.enumerated() {
      for relationship in entity.relationships where relationship.inverse == nil {
        result[relationship.destination, default: []].append(
          OneWayRelationship(entity: index, relationship: relationship))
      }
    }
    return result
  }
}
