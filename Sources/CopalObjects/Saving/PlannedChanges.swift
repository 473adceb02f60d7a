import CopalModel
import CopalStore

/// An object, and what a save writes of it.
struct PlannedChange<Change> {
  let object: ManagedObject
  let change: Change

  init(_ object: ManagedObject, _ change: Change) {
    self.object = object
    self.change = change
  }
}

/// What a save does with the objects of one entity.
struct PlannedChanges {
  let entity: Int
  var deletes: ContiguousArray<PlannedChange<ChangeSet.Delete>> = []
  var updates: ContiguousArray<PlannedChange<ChangeSet.Update>> = []
  /// New objects with their rows. The key of a row is that of its object.
  var inserts: ContiguousArray<PlannedChange<PackedRow>> = []
  /// Deletions of rows that have no objects.
  var unreadDeletes: [ChangeSet.Delete] = []
  /// Updates of rows that have no objects: of those that a policy changes.
  var unreadUpdates: [ChangeSet.Update] = []
  /// Objects of which no stored value has changed.
  var unchanged: ContiguousArray<ManagedObject> = []
  /// Deleted objects whose rows the store no longer has.
  var forgotten: ContiguousArray<ManagedObject> = []

  init(entity: Int) { self.entity = entity }

  /// What the store is to write.
  var changes: ChangeSet.EntityChanges {
    var changes = ChangeSet.EntityChanges(entity: entity)
    if !deletes.isEmpty || !unreadDeletes.isEmpty {
      changes.deletes = deletes.map(\.change) + unreadDeletes
    }
    if !updates.isEmpty { changes.updates = updates.map(\.change) }
    if !unreadUpdates.isEmpty { changes.updates += unreadUpdates }
    if !inserts.isEmpty {
      changes.inserts = inserts.map {
        // An object that had a key comes back.
        ChangeSet.Insert(key: $0.object.key, row: $0.change, isAgain: $0.object.key > 0)
      }
    }
    return changes
  }

  // Only here the order of the rows in a change set matters: a store answers in the same order.

  /// Each new object with its planned row, and with the key and the row that the store has given
  /// it.
  @inline(__always)
  func forEachInsert(
    _ keys: [Int64], _ written: ChangeSet.EntityChanges,
    _ body: (_ object: ManagedObject, _ planned: PackedRow, _ key: Int64, _ row: PackedRow) -> Void
  ) {
    for (position, planned) in inserts.enumerated() {
      body(planned.object, planned.change, keys[position], written.inserts[position].row)
    }
  }

  /// Each changed object with its planned row, and with the row that the store has written.
  @inline(__always)
  func forEachUpdate(
    _ written: ChangeSet.EntityChanges,
    _ body: (_ object: ManagedObject, _ planned: PackedRow, _ row: PackedRow) -> Void
  ) {
    for (position, planned) in updates.enumerated() {
      body(planned.object, planned.change.row, written.updates[position].row)
    }
  }
}
