/// The relationships of a model, seen from both ends.
extension ManagedObjectModel {
  /// The relationships of an entity: those of its root first, its own last.
  ///
  /// - Parameter index: a position in ``entities``.
  public func relationships(ofEntity index: Int) -> [RelationshipDescription] {
    (ancestors(ofEntity: index) + [index]).flatMap { entities[$0].relationships }
  }

  /// The inverse of a relationship; nil for a one-way relationship.
  public func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    declaredInverse(of: relationship)?.relationship
  }

  /// The inverse of a relationship, with the position of the entity that declares it: the destination, or an ancestor of
  /// it. Nil for a one-way relationship.
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
