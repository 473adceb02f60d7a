import CopalModel
import CopalStore

/// References to objects that others have deleted, and references of others to objects that this
/// save deletes.
extension ConflictResolution {
  // MARK: Missing objects

  func resolveMissing(
    _ conflict: CommitConflict, _ row: SaveDraft.Row, _ name: RelationshipName
  ) throws {
    let seen = describe(conflict, row)
    let rule = rule(for: seen)
    if rule == .error { return refuse(conflict) }
    let runtime = state.container.entities[row.entity]
    guard let relationship = runtime.relationships.first(where: { isNamed($0, name) }),
      let slot = relationship.slot
    else {
      return dropLinks(conflict, name) ? note(seen, .released) : refuse(conflict)
    }
    let isRequired =
      !runtime.layout.attributes[slot].isOptional || relationship.deletesOrphans
    if isRequired {
      guard rule == .rollback, case .update(let update) = row.change else {
        return refuse(conflict)
      }
      if isCounted(row) { return refuse(conflict) }
      take(update.before, row)
      decide(row.entity, row.key, update.before, mine: update.row)
      return note(seen, .tookStored)
    }
    // An earlier conflict may have removed it.
    if let other = conflict.other, row.newRow?.integer(slot) != other { return }
    draft.clear([slot] + (relationship.positionSlot.map { [$0] } ?? []), of: row)
    note(seen, .released)
  }

  private func isNamed(_ relationship: RelationshipRuntime, _ name: RelationshipName) -> Bool {
    relationship.description.name == name.name && relationship.declaringEntity == name.entity
  }

  /// Does not write the links to an object that is missing.
  ///
  /// - Returns: whether there were any.
  func dropLinks(_ conflict: CommitConflict, _ name: RelationshipName) -> Bool {
    guard let other = conflict.other,
      let relationship = schema.relationship(name.name, of: name.entity)
    else { return false }
    return dropLinks(of: other, root: schema.entities[relationship.destination].root)
  }

  // MARK: References of others

  /// Others refer to an object since this context has deleted it: the delete rule is applied to
  /// them, too.
  func resolveReferenced(
    _ conflict: CommitConflict, _ row: SaveDraft.Row, _ name: RelationshipName
  ) throws {
    let seen = describe(conflict, row)
    let rule = rule(for: seen)
    if rule == .error || rule == .rollback { return refuse(conflict) }
    guard
      let reference = schema.relationships[name.entity].first(where: {
        $0.relationship.name == name.name && $0.declaringEntity == name.entity
      }), let place = reference.inverse
    else { return refuse(conflict) }
    let own = schema.relationships[row.entity][place].relationship
    let newcomers = try newcomers(row.key, reference, name.entity)
    switch own.deleteRule {
    case .deny:
      failures.append(
        PersistenceError(
          .deletionDenied, entity: schema.entities[row.entity].name, property: own.name,
          objectID: seen.objectID, found: "\(newcomers.count)"))
      return
    case .cascade:
      for (key, stored) in newcomers { delete(stored, key) }
    case .nullify, .noAction:
      for (key, stored) in newcomers {
        guard try nullify(stored, key, reference, row.key) else { return refuse(conflict) }
      }
    }
    note(seen, .deleted)
  }

  /// The stored objects that refer to one, or are linked to it.
  private func newcomers(_ key: Int64, _ reference: RelationshipLayout, _ entity: Int) throws
    -> [(Int64, PackedRow)]
  {
    let session = try state.session.opened()
    let keys: [Int64]
    switch reference.storage {
    case .slot(let slot):
      keys = try session.fetchKeys(
        StoreQuery(
          entity: entity,
          condition: .holds(.slot(slot), .equal, .parameter(0), resultForNull: false),
          parameters: [.integer(key)]))
    case .links:
      guard let place = reference.inverse else { return [] }
      let receiver = RelatedVersionReceiver()
      try session.fetchRelated(
        RelatedQuery(
          entity: reference.destination, relationship: place, owners: [key], wantsKeysOnly: true),
        into: receiver)
      keys = receiver.rows.map(\.key)
    case .inverseSlot: return []
    }
    let root = schema.entities[entity].root
    return try keys.compactMap { key in
      if case .delete? = draft[entity, key]?.change { return nil }
      return try session.fetchRow(key, entity: root).map { (key, $0) }
    }
  }

  private func delete(_ stored: PackedRow, _ key: Int64) {
    let delete = SaveDraft.Change.delete(ChangeSet.Delete(key: key, before: stored))
    let object = draft[stored.entity, key]?.object ?? state.object(key, of: stored.entity)
    noteOwners(of: stored)
    if let row = draft[stored.entity, key] {
      draft.set(row, delete)
    } else {
      draft.add(stored.entity, key, object, delete)
    }
    dropLinks(of: key, root: schema.entities[stored.entity].root)
    if let object { draft.note(.follows(object)) }
  }

  /// - Returns: whether the reference may be nil.
  private func nullify(
    _ stored: PackedRow, _ key: Int64, _ reference: RelationshipLayout, _ deleted: Int64
  ) throws -> Bool {
    let layout = schema.entities[stored.entity]
    guard case .slot(let slot) = reference.storage else { return false }
    if !layout.attributes[slot].isOptional { return false }
    let slots =
      [slot] + (layout.reference(ofSlot: slot)?.positionSlot.map { [$0] } ?? [])
    guard let row = draft[stored.entity, key] else {
      try clear(slots, of: stored, key)
      return true
    }
    if row.newRow?.integer(slot) == deleted { draft.clear(slots, of: row) }
    return true
  }
}
