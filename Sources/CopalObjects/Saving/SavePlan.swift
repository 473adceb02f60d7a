import CopalModel
import CopalStore

/// The plan of one save: a change set for the store, and what to do with each object after the
/// commit.
struct SavePlan {
  /// What the store is to write.
  let changes: ChangeSet
  let state: ContextState
  /// The objects with their changes, for each entity of the change set.
  let planned: ContiguousArray<PlannedChanges>
  /// What is to become of objects whose rows are not simply written, because a policy has resolved
  /// conflicts.
  let outcomes: [SaveDraft.Outcome]
  /// Links of this context that are not written.
  let droppedLinks: [(table: Int, link: Link)]
  private let cannotBeCompared: Bool

  /// Encodes and packs every changed value.
  ///
  /// - Parameters:
  ///   - metadata: what is written beside the objects.
  ///   - failures: receives the errors of transformables that cannot be encoded, and of
  ///   rows that are too big. With failures, new or earlier ones, the plan is not complete.
  init(
    _ state: ContextState, _ objects: ContiguousArray<ManagedObject>,
    metadata: [String: MetadataValue?] = [:], _ failures: inout [PersistenceError]
  ) {
    if state.container.hasRelationships, !state.temporaryKeys.isEmpty {
      for object in objects { object.replaceTemporaryReferences(state) }
    }
    var planner = ChangePlanner(
      objects, entityCount: state.container.entities.count, raised: state.ownersWithLimits,
      failures: failures)
    for object in objects { planner.add(object) }
    planner.add(state.unreadDeletions)
    self.state = state
    (outcomes, droppedLinks) = ([], [])
    planned = planner.planned
    cannotBeCompared = planner.cannotBeCompared
    failures = planner.failures
    var changes = ChangeSet(
      planned.map(\.changes),
      links: state.relationships.linked.isEmpty ? [] : Links(state).changes(),
      author: state.author, contextName: state.name)
    changes.externalValues = planner.externalValues
    changes.metadata = metadata
    self.changes = changes
  }

  /// A plan in which conflicts are resolved.
  init(
    _ state: ContextState, _ changes: ChangeSet, _ planned: ContiguousArray<PlannedChanges>,
    outcomes: [SaveDraft.Outcome], droppedLinks: [(table: Int, link: Link)]
  ) {
    self.state = state
    self.changes = changes
    self.planned = planned
    self.outcomes = outcomes
    self.droppedLinks = droppedLinks
    cannotBeCompared = true
  }

  /// Whether another plan writes the same values. Then transformers have changed objects, and have
  /// set the former values again.
  func isSame(as other: SavePlan?) -> Bool {
    guard let other, changes.entities.count == other.changes.entities.count, !cannotBeCompared
    else { return false }
    return zip(changes.entities, other.changes.entities).allSatisfy { mine, others in
      let layout = state.container.entities[mine.entity].layout
      return mine.isSame(as: others) { a, b in
        layout.storedSlots.allSatisfy { isSame(a, b, slot: $0, layout, other: other) }
      }
    }
  }

  /// Whether two rows, of this plan and of another one, have the same value at a slot. Each plan
  /// gives large values other files.
  private func isSame(
    _ a: PackedRow, _ b: PackedRow, slot: Int, _ layout: EntityLayout, other: SavePlan
  ) -> Bool {
    guard let mine = a.fileText(slot), let others = b.fileText(slot) else {
      return !a.differs(layout, slot, from: layout.value(b.base, slot))
    }
    if mine == others { return true }
    let value = ExternalFileName(mine).flatMap { changes.externalValues[$0] }
    return value != nil
      && value == ExternalFileName(others).flatMap { other.changes.externalValues[$0] }
  }
}

extension ChangeSet.EntityChanges {
  fileprivate func isSame(
    as other: Self, rows isSame: (PackedRow, PackedRow) -> Bool
  ) -> Bool {
    entity == other.entity
      && deletes.elementsEqual(other.deletes) { $0.key == $1.key && $0.version == $1.version }
      && updates.elementsEqual(other.updates) {
        $0.key == $1.key && $0.version == $1.version && isSame($0.row, $1.row)
      }
      && inserts.elementsEqual(other.inserts) {
        $0.key == $1.key && isSame($0.row, $1.row)
      }
  }
}
