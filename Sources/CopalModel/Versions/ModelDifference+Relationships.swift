/// The differences of relationships.
extension ModelDifference {
  /// Compares the relationships that an entity declares.
  mutating func compareRelationships(_ index: Int) {
    let line = mapping.new.relationships(ofEntity: index)
    let before = former(index)?.relationships ?? []
    for name in before.map(\.name).sorted() where !line.contains(where: { $0.name == name }) {
      let subentity = mapping.kinds[index].dropFirst().first {
        entity($0).relationship(name) != nil
      }
      add(
        .needingStep(
          .relationship, entity: entity(index).name, property: name,
          subentity.map { "was moved to the subentity \(entity($0).name)" } ?? "was removed"))
    }
    for relationship in entity(index).relationships { compare(relationship, index) }
  }

  private mutating func compare(_ relationship: RelationshipDescription, _ index: Int) {
    let (name, owner) = (relationship.name, entity(index).name)
    let origin = mapping.origin(ofRelationship: name, in: index)
    for place in origin.places {
      let declaring = mapping.old.entities[place.entity]
      guard let before = declaring.relationship(name) else { continue }
      for sentence in difference(from: before, to: relationship).sentences {
        add(.needingStep(.relationship, entity: owner, property: name, sentence))
      }
    }
    if origin.places.count > 1 {
      return add(
        .needingStep(
          .relationship, entity: owner, property: name,
          "would have the objects of \(texts(origin.places)), and each of these has objects of its own"
        ))
    }
    if origin.places.isEmpty, former(index) != nil {
      add(ModelChange(.relationship, entity: owner, property: name, detail: "new"))
    }
    if !relationship.isToMany, !relationship.isOptional, !origin.lacking.isEmpty {
      add(
        .needingStep(
          .relationship, entity: owner, property: name,
          origin.places.isEmpty
            ? "is new and required, and old objects have no object for it"
            : "is required, and objects of \(list(origin.lacking)) have no object for it"))
    }
  }

  private func difference(
    from old: RelationshipDescription, to new: RelationshipDescription
  ) -> RelationshipDifference {
    let inverses = (mapping.old.inverse(of: old), mapping.new.inverse(of: new))
    var old = old
    // The destination may have another name now.
    if let index = mapping.old.entityIndex(old.destination).flatMap(mapping.newEntity) {
      old.destination = entity(index).name
    }
    // Every object that the relationship had is one of the ancestor, too, and in the same table.
    if isAncestor(new.destination, of: old.destination) { old.destination = new.destination }
    return RelationshipDifference(from: old, inverses.0, to: new, inverses.1)
  }

  private func isAncestor(_ name: String, of other: String) -> Bool {
    mapping.new.entityIndex(other).map { index in
      mapping.new.ancestors(ofEntity: index).contains { entity($0).name == name }
    } ?? false
  }
}

/// What has changed in a relationship that a store and a program both have, in the words of the
/// model file.
private struct RelationshipDifference {
  /// The differences: what follows the name of the relationship.
  private(set) var sentences: [String] = []

  init(
    from old: RelationshipDescription, _ oldInverse: RelationshipDescription?,
    to new: RelationshipDescription, _ newInverse: RelationshipDescription?
  ) {
    let (oldType, newType) = (Self.type(of: old), Self.type(of: new))
    if oldType != newType { sentences.append("has changed its type from \(oldType) to \(newType)") }
    if old.isOrdered != new.isOrdered {
      sentences.append(new.isOrdered ? "is ordered now" : "was ordered and is not ordered now")
    }
    if old.inverse != new.inverse {
      sentences.append(
        "has changed its inverse from \(Self.quoted(old.inverse)) to \(Self.quoted(new.inverse))")
    } else if let oldInverse, let newInverse, oldInverse.isToMany != newInverse.isToMany {
      let (was, now) = (Self.arity(oldInverse), Self.arity(newInverse))
      sentences.append("has the inverse '\(newInverse.name)', which was \(was) and is \(now) now")
    }
    // The column of a reference that may dangle has another definition.
    let (wasDangling, isDangling) = (Self.dangles(oldInverse), Self.dangles(newInverse))
    if !new.isToMany, wasDangling != isDangling {
      sentences.append(
        isDangling
          ? "has an inverse with the delete rule noAction now"
          : "had an inverse with the delete rule noAction")
    }
  }

  /// The type as a model file has it. For a to-many relationship, the least number of objects is
  /// not part of it.
  private static func type(of relationship: RelationshipDescription) -> String {
    relationship.isToMany
      ? "'[\(relationship.destination)]'"
      : "'\(relationship.destination)\(relationship.isOptional ? "?" : "")'"
  }

  private static func quoted(_ inverse: String?) -> String { inverse.map { "'\($0)'" } ?? "none" }

  private static func arity(_ relationship: RelationshipDescription) -> String {
    relationship.isToMany ? "to-many" : "to-one"
  }

  private static func dangles(_ inverse: RelationshipDescription?) -> Bool {
    inverse?.deleteRule == .noAction
  }
}
