import CopalModel
import CopalStore

/// A conflict as values, for a policy of the program and for the report.
extension ConflictResolution {
  func describe(
    _ conflict: CommitConflict, _ row: SaveDraft.Row?, stored: PackedRow? = nil,
    other: Int64? = nil
  ) -> MergeConflict {
    // A link names the entity that declares its relationship, and a row may be of a subentity.
    let runtime = state.container.entities[row?.entity ?? conflict.entity]
    var (base, mine): (PackedRow?, PackedRow?)
    var here: Set<String> = []
    switch row?.change {
    case .update(let update):
      (base, mine) = (update.before, update.row)
      here = Set(update.changed.map { runtime.propertyName($0) })
    case .insert(let inserted, _): mine = inserted
    case .delete(let delete): base = delete.before
    case nil: break
    }
    var there: Set<String> = []
    if let base, let stored, case .changed = conflict.kind, base.entity == stored.entity {
      let changed = runtime.layout.columns.filter { base.differs(from: stored, $0) }
      there = Set(changed.map { runtime.propertyName($0.slot) })
    }
    func values(_ row: PackedRow?) -> ConflictValues? {
      row.map { ConflictValues(row: $0, entities: state.container.entities) }
    }
    return MergeConflict(
      kind: kind(conflict, row, runtime), entityName: runtime.layout.name,
      objectID: ManagedObjectID(runtime.identity, conflict.key),
      otherID: (other ?? conflict.other).map { ManagedObjectID(otherIdentity(conflict), $0) },
      baseValues: values(base), mineValues: values(mine), storedValues: values(stored),
      changedHere: here, changedThere: there)
  }

  private func kind(_ conflict: CommitConflict, _ row: SaveDraft.Row?, _ runtime: EntityRuntime)
    -> MergeConflict.Kind
  {
    switch conflict.kind {
    case .changed:
      if case .delete? = row?.change { return .deletedHere }
      return .changed
    case .deleted: return .deletedThere
    case .unique(let slots): return .unique(slots.map { runtime.layout.attributes[$0].name })
    case .keyInUse: return .keyInUse
    case .missingObject(let name): return .missingObject(name.name)
    case .stillReferenced(let name): return .stillReferenced(name.name)
    case .unreadable: return .changed
    }
  }

  private func otherIdentity(_ conflict: CommitConflict) -> EntityIdentity {
    let entities = state.container.entities
    switch conflict.kind {
    case .missingObject(let name):
      let destination = schema.relationship(name.name, of: name.entity)?.destination
      return entities[destination ?? name.entity].identity
    case .stillReferenced(let name): return entities[name.entity].identity
    default: return entities[conflict.entity].identity
    }
  }
}
