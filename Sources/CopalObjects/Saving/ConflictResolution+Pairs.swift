import CopalModel
import CopalStore

/// One-to-one pairs: both ends must be right after the save, whoever has changed one of them.
extension ConflictResolution {
  /// Where an object of a one-to-one pair has another partner now, a reference back to it is
  /// dropped; and a reference to a partner that has another one.
  func pairPartners() throws {
    for (entity, key, stored) in decided {
      for relationship in state.container.entities[entity].relationships {
        guard let slot = relationship.slot, case .slot(let back) = relationship.inverse else {
          continue
        }
        let final = (draft[entity, key]?.newRow ?? stored).integer(slot)
        // Others have made it the partner, and this context has another one.
        if let former = stored.integer(slot), former != final {
          try release(former, relationship, back, from: key)
        }
        // This context has made it the partner of other objects, and others have won.
        releaseMine(relationship, back, key, except: final)
        if let final, try !isPartner(final, relationship, back, of: key) {
          clearMine(slot, of: entity, key)
        }
      }
    }
  }

  /// Whether an object refers back to its partner after the save.
  private func isPartner(
    _ other: Int64, _ relationship: RelationshipRuntime, _ back: Int, of key: Int64
  ) throws -> Bool {
    if let row = draft[relationship.destination, other] { return row.newRow?.integer(back) == key }
    if other < 0 { return true }
    let root = relationship.destinationRoot
    return try storedRow(other, root: root)?.integer(back) == key
  }

  /// A row of the save loses its reference to a partner that is lost.
  private func clearMine(_ slot: Int, of entity: Int, _ key: Int64) {
    guard let row = draft[entity, key], allowsNil(slot, of: row.entity, key) else { return }
    draft.clear([slot], of: row)
  }

  /// A stored object loses its reference to a partner.
  private func release(
    _ other: Int64, _ relationship: RelationshipRuntime, _ back: Int, from key: Int64
  ) throws {
    if draft[relationship.destination, other] != nil { return }
    guard
      let stored = try storedRow(other, root: relationship.destinationRoot),
      stored.integer(back) == key
    else { return }
    if allowsNil(back, of: stored.entity, other) { try clear([back], of: stored, other) }
  }

  /// Whether a reference may be removed. If not, the save is refused.
  private func allowsNil(_ slot: Int, of entity: Int, _ key: Int64) -> Bool {
    let runtime = state.container.entities[entity]
    let attribute = runtime.layout.attributes[slot]
    if attribute.isOptional, !runtime.relationship(ofSlot: slot).deletesOrphans { return true }
    failures.append(
      PersistenceError(
        .required, entity: runtime.layout.name, property: attribute.name,
        objectID: ManagedObjectID(runtime.identity, key)))
    return false
  }

  /// The rows of the save that refer to an object of which they are not the partner lose their
  /// references.
  private func releaseMine(
    _ relationship: RelationshipRuntime, _ back: Int, _ key: Int64, except final: Int64?
  ) {
    let entity = state.container.entities[relationship.declaringEntity]
    for row in draft.rows(referringTo: key, root: entity.root)
    where row.key != final && schema.isEntity(row.entity, kindOf: relationship.destination)
      && row.newRow?.integer(back) == key && allowsNil(back, of: row.entity, row.key)
    {
      draft.clear([back], of: row)
    }
  }

  /// Removes references of a stored row, which the save did not have.
  func clear(_ slots: [Int], of stored: PackedRow, _ key: Int64) throws {
    let layout = schema.entities[stored.entity]
    guard
      let cleared = stored.clearing(slots, layout)?
        .withVersion(RowVersion.next(after: stored.version), layout)
    else { return }
    let object = state.object(key, of: layout.index)
    noteOwners(of: stored)
    draft.add(
      stored.entity, key, object,
      .update(
        ChangeSet.Update(
          key: key, before: stored, row: cleared,
          changed: SlotSet(slots, count: layout.slotCount))))
    if let object { draft.note(.rebased(object)) }
  }
}
