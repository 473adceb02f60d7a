import CopalModel
import CopalStore

/// The differences of relationships.
extension ModelDifference {
  /// Compares the relationships that an entity declares.
  mutating func compareRelationships(_ layout: EntityLayout) {
    let line = history.new.model.relationships(ofEntity: layout.index)
    let before = history.before(layout)?.entity.relationships ?? []
    for name in before.map(\.name).sorted() where !line.contains(where: { $0.name == name }) {
      let subentity = subentity(of: layout) { $0.relationship(name) != nil }
      refused.append(
        "the relationship \(layout.name).\(name) was "
          + (subentity.map { "moved to the subentity \($0)" } ?? "removed"))
    }
    for relationship in layout.entity.relationships { compare(relationship, layout) }
  }

  private mutating func compare(_ relationship: RelationshipDescription, _ layout: EntityLayout) {
    let name = relationship.name
    let subject = "the relationship \(layout.name).\(name)"
    let origin = history.origin(of: name, .relationship, in: layout.index)
    for declaring in origin.declaring.map({ history.old.entities[$0] }) {
      guard let before = declaring.entity.relationship(name) else { continue }
      refused += difference(from: before, to: relationship).lines.map {
        "the relationship \(declaring.name).\(name) \($0)"
      }
    }
    if origin.declaring.count > 1 {
      refused.append(joined(subject, name, origin))
    } else if !relationship.isToMany, !relationship.isOptional, !origin.lacking.isEmpty {
      let declaring = origin.declaring.first.map { history.old.entities[$0].name }
      refused.append(
        declaring.map {
          "\(subject) was moved from \($0) and is required, and the existing rows of \(list(origin.lacking)) have no object for it"
        } ?? "\(subject) is new and required, and the existing rows have no object for it")
    }
  }

  private func difference(
    from old: RelationshipDescription, to new: RelationshipDescription
  ) -> RelationshipDifference {
    let (oldInverse, newInverse) = (
      history.old.model.inverse(of: old), history.new.model.inverse(of: new)
    )
    var old = old
    // Every object that the relationship had is one of the ancestor, too, and in the same table.
    if isAncestor(new.destination, of: old.destination) { old.destination = new.destination }
    return RelationshipDifference(from: old, oldInverse, to: new, newInverse)
  }

  private func isAncestor(_ name: String, of other: String) -> Bool {
    history.new.layout(other)?.ancestors.contains { history.new.entities[$0].name == name } == true
  }
}
