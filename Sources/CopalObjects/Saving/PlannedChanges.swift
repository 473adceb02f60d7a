import CopalModel
import CopalStore

/// One row that a save writes, with the object that it belongs to.
struct PlannedChange<Change> {
  let object: ManagedObject
  let change: Change
  /// The key of the row after the commit.
  var key: Int64
  /// The row as the store has written it; nil before the commit, and for a deletion.
  var written: PackedRow?

  init(_ object: ManagedObject, _ change: Change) {
    self.object = object
    self.change = change
    key = object.key
  }
}

/// What a save does with the objects of one entity.
struct PlannedChanges {
  let entity: Int
  var deletes: ContiguousArray<PlannedChange<ChangeSet.Delete>> = []
  var updates: ContiguousArray<PlannedChange<ChangeSet.Update>> = []
  var inserts: ContiguousArray<PlannedChange<ChangeSet.Insert>> = []
  /// Deletions of rows that have no objects.
  var unreadDeletes: [ChangeSet.Delete] = []
  /// Objects of which no stored value has changed.
  var unchanged: ContiguousArray<ManagedObject> = []
  /// Deleted objects whose rows the store no longer has.
  var forgotten: ContiguousArray<ManagedObject> = []

  init(entity: Int) { self.entity = entity }

  /// What the store is to write.
  var changes: ChangeSet.EntityChanges {
    var changes = ChangeSet.EntityChanges(entity: entity)
    changes.deletes = deletes.map(\.change) + unreadDeletes
    changes.updates = updates.map(\.change)
    changes.inserts = inserts.map(\.change)
    return changes
  }

  /// Notes what the store has written. This is the only place where the order of the rows in a
  /// change set matters.
  mutating func note(_ keys: [Int64], _ written: ChangeSet.EntityChanges) {
    for position in inserts.indices {
      inserts[position].key = keys[position]
      inserts[position].written = written.inserts[position].row
    }
    for position in updates.indices {
      updates[position].written = written.updates[position].row
    }
  }
}
