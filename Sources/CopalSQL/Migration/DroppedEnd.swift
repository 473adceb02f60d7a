import CopalModel
package import CopalStore

/// A column of a one-to-one relationship that a migration does not keep, because the other end has
/// the same pairs. Copal writes both ends. Another program can set one of them only, and a pair
/// that is only here gets lost.
package struct DroppedEnd: Sendable {
  /// The change that drops the column, by its kind, its entity and its property.
  package let kind: ModelChange.Kind
  package let entity: String
  package let property: String
  /// The column, and that of the other end, in the tables of the old model.
  let half: RelationshipChanges.Half
  /// The rows that lose the column.
  let rows: FormerRows
}

extension SchemaPair {
  /// The ends of one-to-one relationships that are not kept, though the other end is.
  package var droppedEnds: [DroppedEnd] {
    var taken: Set<ModelMapping.Place> = []
    var heirs: [ModelMapping.Place: (entity: Int, name: String)] = [:]
    var others: [(place: ModelMapping.Place, formers: [Int], entity: Int, name: String)] = []
    for (entity, layouts) in new.relationships.enumerated() {
      for layout in layouts where !layout.isHidden && layout.declaringEntity == entity {
        let name = layout.relationship.name
        for part in mapping.origin(ofRelationship: name, in: entity).parts {
          let place = part.source.place
          if heirs[place] == nil { heirs[place] = (entity, name) }
          if takesPairs(layout) {
            taken.insert(place)
          } else {
            others.append((place, part.entities, entity, name))
          }
        }
      }
    }
    let kept = mapping.keptPairs
    var ends: [DroppedEnd] = []
    var removed: Set<ModelMapping.Place> = []
    for loss in losses where kept.contains(mapping.pair(of: loss.place)) {
      let place = loss.place
      if loss.keeper == nil, taken.contains(place) { continue }
      if mapping.isRemoval(loss) {
        removed.insert(place)
        ends += end(place, loss.formers, .removed, loss.entity, place.name)
      } else if let inverse = mapping.inverse(of: place), let heir = heirs[inverse],
        mapping.newEntity(of: place.entity) != loss.entity || mapping.inverseDecides(loss)
      {
        // The destination of the inverse says that these objects do not have the end.
        ends += end(place, loss.formers, .destination, heir.entity, heir.name)
      }
    }
    for other in others where !taken.contains(other.place) && !removed.contains(other.place) {
      ends += end(other.place, other.formers, .relationship, other.entity, other.name)
    }
    return ends
  }

  /// Whether a relationship of the new model gets the pairs of what it was, and not those of its
  /// inverse.
  private func takesPairs(_ layout: RelationshipLayout) -> Bool {
    switch layout.storage {
    case .slot: true
    case .inverseSlot: false
    case .links(let table, let side): side == .owner || !ownerHasOrigin(new.linkTables[table])
    }
  }

  /// Whether the relationship of the owners of links has pairs of the store. Otherwise those that
  /// the members have are theirs.
  func ownerHasOrigin(_ links: LinkTable) -> Bool {
    !mapping.origin(ofRelationship: links.relationship.name, in: links.relationship.entity)
      .parts.isEmpty
  }

  /// An end that has a column, and whose other end has one; none otherwise.
  private func end(
    _ place: ModelMapping.Place, _ formers: [Int], _ kind: ModelChange.Kind, _ entity: Int,
    _ name: String
  ) -> [DroppedEnd] {
    guard let inverse = mapping.inverse(of: place),
      let slot = old.entities[place.entity].slotByName[place.name],
      let otherSlot = old.entities[inverse.entity].slotByName[inverse.name],
      let rows = rows(of: formers.filter { !mapping.old.entities[$0].isAbstract })
    else { return [] }
    let half = RelationshipChanges.Half(
      mapping: oldMapping(place.entity), slot: slot, other: oldMapping(inverse.entity),
      otherSlot: otherSlot)
    return [
      DroppedEnd(
        kind: kind, entity: new.entities[entity].name, property: name, half: half, rows: rows)
    ]
  }
}
