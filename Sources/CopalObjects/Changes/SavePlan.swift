import CopalModel
import CopalStore

/// The plan of one save: a change set for the store, and what to do with each object after the commit.
struct SavePlan {
  let changes: ChangeSet
  let state: ContextState
  /// The objects of each entity of the change set.
  let planned: ContiguousArray<PlannedObjects>
  private let cannotBeCompared: Bool

  /// Encodes and packs every changed value.
  ///
  /// - Parameter failures: receives the errors of transformables that cannot be encoded, and of
  ///   rows that are too big. With failures, new or earlier ones, the plan is not complete.
  init(
    _ state: ContextState, _ objects: ContiguousArray<ManagedObject>,
    _ failures: inout [PersistenceError]
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
    planned = planner.planned
    cannotBeCompared = planner.cannotBeCompared
    failures = planner.failures
    changes = ChangeSet(
      Array(planner.changes),
      links: state.relationships.linked.isEmpty ? [] : Links(state).changes(),
      author: state.author)
  }

  /// Whether another plan writes the same values. Then transformers have changed objects, and have
  /// set the former values again.
  func isSame(as other: SavePlan?) -> Bool {
    guard let other, changes.entities.count == other.changes.entities.count, !cannotBeCompared
    else { return false }
    return zip(changes.entities, other.changes.entities).allSatisfy { mine, others in
      mine.isSame(as: others, state.container.entities[mine.entity].layout)
    }
  }
}

extension ChangeSet.EntityChanges {
  fileprivate func isSame(as other: Self, _ layout: EntityLayout) -> Bool {
    func isSame(_ a: PackedRow, _ b: PackedRow) -> Bool {
      layout.storedSlots.allSatisfy { !a.differs(layout, $0, from: layout.value(b.base, $0)) }
    }
    return entity == other.entity
      && deletes.elementsEqual(other.deletes) { $0.key == $1.key && $0.version == $1.version }
      && updates.elementsEqual(other.updates) {
        $0.key == $1.key && $0.version == $1.version && isSame($0.row, $1.row)
      }
      && inserts.elementsEqual(other.inserts) {
        $0.key == $1.key && isSame($0.row, $1.row)
      }
  }
}
