import CopalModel
import CopalStore

/// Deletes and updates. Each statement names the version with which the row was read: a row that
/// another connection or program has written or deleted since is not found, and the commit is
/// refused.
extension SQLiteSession {
  /// Deletes the rows of an entity: ranges of keys in one statement, then batches, then one by one.
  func delete(_ change: ChangeSet.EntityChanges) throws {
    let table = table(change.entity)
    let positions = change.deletes.positionsByKey { $0.key }
    var rest = positions[...]
    while let first = rest.first {
      let version = change.deletes[first].version
      let range = change.deletes.range(rest, table)
      if let last = range.last {
        try delete(change.deletes[first].key...change.deletes[last].key, version, table)
        rest = rest[range.endIndex...]
        continue
      }
      let batch = rest.prefix(EntityTable.deleteBatch)
      rest = rest.dropFirst(batch.count)
      // Many rows usually have one version. In a table that another tool has rebuilt, several rows
      // may have one key.
      if table.keysAreRowIDs, batch.count == EntityTable.deleteBatch,
        batch.allSatisfy({ change.deletes[$0].version == version })
      {
        try delete(batch.map { change.deletes[$0].key }, version: version, table)
      } else {
        for position in batch { try delete(change.deletes[position], table) }
      }
    }
  }

  private func delete(_ delete: ChangeSet.Delete, _ table: EntityTable) throws {
    let statement = try table.delete().statement
    defer { statement.reset() }
    try statement.setPlaceholder(1, integer: delete.key)
    try statement.setPlaceholder(2, integer: delete.version)
    _ = try statement.step()
    if connection.changes == 0 { throw Refusal(entity: table.layout.name) }
  }

  private func delete(_ keys: [Int64], version: Int64, _ table: EntityTable) throws {
    let statement = try table.deleteMany()
    defer { statement.reset() }
    try statement.setPlaceholders([version] + keys)
    _ = try statement.step()
    if connection.changes != keys.count { throw Refusal(entity: table.layout.name) }
  }

  private func delete(_ keys: ClosedRange<Int64>, _ version: Int64, _ table: EntityTable) throws {
    let statement = try table.deleteRange()
    defer { statement.reset() }
    try statement.setPlaceholders([keys.lowerBound, keys.upperBound, version])
    _ = try statement.step()
    if connection.changes != keys.count { throw Refusal(entity: table.layout.name) }
  }

  /// Updates the rows of an entity: those with consecutive keys that get the same values in one
  /// statement.
  func update(_ change: ChangeSet.EntityChanges) throws {
    let table = table(change.entity)
    var rest = change.updates.positionsByKey { $0.key }[...]
    while let first = rest.first {
      let range = change.updates.range(rest, table)
      try update(change.updates[first], upTo: range.last.map { change.updates[$0].key }, table)
      rest = rest.dropFirst(max(1, range.count))
    }
  }

  /// Updates a row, or the rows up to that of a key, which all get the same values.
  private func update(_ update: ChangeSet.Update, upTo last: Int64?, _ table: EntityTable) throws {
    let prepared =
      try last == nil ? table.update(update.changed) : table.updateRange(update.changed)
    defer {
      prepared.statement.reset()
      prepared.statement.clearPlaceholders()
    }
    try prepared.statement.setPlaceholders(
      prepared.placeholders, row: update.row.base, key: update.key,
      version: update.version, newVersion: update.row.version)
    // The keys and the version are the last placeholders of a statement for several rows.
    if let last {
      try prepared.statement.setPlaceholder(Int32(prepared.placeholders.count - 1), integer: last)
    }
    try stepUnlessRefused(prepared.statement, table)
    let isWritten =
      if let last {
        Int64(connection.changes) == last - update.key + 1
      } else {
        // In a table that another tool has rebuilt, several rows may have one key.
        connection.changes > 0
      }
    if !isWritten { throw Refusal(entity: table.layout.name) }
  }

  /// Runs a write, also an insert. A unique index that refuses it is a conflict.
  func stepUnlessRefused(_ statement: Statement, _ table: EntityTable) throws {
    do {
      _ = try statement.step()
    } catch let error as PersistenceError where SQLiteFailure.isUniqueConflict(error) {
      throw Refusal(entity: table.layout.name)
    }
  }
}

extension Array {
  /// The positions in the order of the elements' keys. Rows that are written in the order of their
  /// keys take SQLite less time, because neighbors are on the same page of the file.
  fileprivate func positionsByKey(_ key: (Element) -> Int64) -> [Int] {
    let keys = map(key)
    let isAscending = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
    if isAscending { return Array<Int>(indices) }
    // The standard library's sort: a save of many rows waits for it.
    return zip(keys, indices).sorted { $0.0 < $1.0 }.map(\.1)
  }
}

/// A change of a stored row.
private protocol RowChange {
  /// What must be compared to find out whether one statement can make the change and that of the
  /// next row.
  associatedtype Values
  var key: Int64 { get }
  /// What is to be compared; nil when a statement must make this change alone.
  func values(_ table: EntityTable) -> Values?
  // Pointers, because references to each row would be counted.
  static func areSame(_ one: UnsafePointer<Self>, _ other: UnsafePointer<Self>, _ values: Values)
    -> Bool
}

extension ChangeSet.Delete: RowChange {
  fileprivate func values(_ table: EntityTable) -> Void? { () }

  fileprivate static func areSame(
    _ one: UnsafePointer<Self>, _ other: UnsafePointer<Self>, _ values: Void
  ) -> Bool {
    one.pointee.version == other.pointee.version
  }
}

extension ChangeSet.Update: RowChange {
  fileprivate func values(_ table: EntityTable) -> [EntityLayout.Column]? {
    guard changed.isDisjoint(with: table.layout.uniqueSlots) else { return nil }
    return table.columns(changed)
  }

  fileprivate static func areSame(
    _ one: UnsafePointer<Self>, _ other: UnsafePointer<Self>, _ values: [EntityLayout.Column]
  ) -> Bool {
    one.pointee.before.version == other.pointee.before.version
      && one.pointee.row.version == other.pointee.row.version
      && one.pointee.changed == other.pointee.changed
      && one.pointee.row.hasSameValues(as: other.pointee.row, in: values)
  }
}

extension Array where Element: RowChange {
  /// The changes that one statement can make because their keys are consecutive: the first ones of
  /// some positions, in the order of the keys. None when there are few.
  fileprivate func range(_ positions: ArraySlice<Int>, _ table: EntityTable) -> ArraySlice<Int> {
    let least = EntityTable.leastRange
    // In a table that another tool has rebuilt, several rows may have one key.
    guard table.keysAreRowIDs, positions.count >= least, var last = positions.first,
      self[positions[positions.startIndex + least - 1]].key == self[last].key &+ Int64(least - 1),
      let values = self[last].values(table)
    else { return [] }
    let count = withUnsafeBufferPointer { changes in
      guard let changes = changes.baseAddress else { return 0 }
      for (count, next) in positions.dropFirst().enumerated() {
        guard changes[next].key == changes[last].key &+ 1,
          Element.areSame(changes + last, changes + next, values)
        else { return count + 1 }
        last = next
      }
      return positions.count
    }
    return count < least ? [] : positions.prefix(count)
  }
}
