import CopalEssentials

/// What a database that checks each statement by itself does first.
extension ChangeSet {
  /// The entities with rows to delete. Rows that refer to others come before these: a database
  /// searches for what refers to a row that it deletes, and counts what it finds until the
  /// transaction ends.
  package func deletions(in schema: StoreSchema) -> [EntityChanges] {
    entities.filter { !$0.deletes.isEmpty }.inOrder {
      schema.deletionRanks[$0.entity] < schema.deletionRanks[$1.entity]
    }
  }

  /// The rows that get other unique values, where a family has several of them: two objects can
  /// swap theirs. Their values are cleared before the first row is updated.
  package func movedUniqueValues(in schema: StoreSchema) -> [(entity: Int, update: Update)] {
    var moving: [Int: [(entity: Int, update: Update)]] = [:]
    for change in entities where !change.updates.isEmpty {
      let layout = schema.entities[change.entity]
      if layout.uniqueSlots.isEmpty { continue }
      for update in change.updates where !update.changed.isDisjoint(with: layout.uniqueSlots) {
        moving[layout.root, default: []].append((change.entity, update))
      }
    }
    return moving.filter { $0.value.count > 1 }.inOrder { $0.key < $1.key }.flatMap(\.value)
  }
}
