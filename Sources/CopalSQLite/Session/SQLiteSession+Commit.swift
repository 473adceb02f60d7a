import CopalModel
import CopalSQL
import CopalStore

extension SQLiteSession {
  func commit(_ changes: ChangeSet) throws -> CommitReceipt {
    try FileSizeSignal.heldBack { try commitOrExplain(changes) }
  }

  private func commitOrExplain(_ changes: ChangeSet) throws -> CommitReceipt {
    try endView()
    // Without this, SQLite would go on writing to a file that nobody can find any more.
    if connection.hasMoved { throw PersistenceError(.fileReplaced, path: store.path) }
    do {
      return try attempt { try write(changes) }
    } catch is Refusal {
      return try explain(changes)
    }
  }

  /// A statement has met a version or a unique value that does not let it pass.
  private struct Refusal: Error {
    let entity: String
  }

  /// SQLite has given rows of a batch other keys than those that follow.
  private struct UnexpectedKeys: Error {}

  /// Runs a transaction, and once more when another tool has rebuilt a table: rows are inserted one by one
  /// then, each with its key.
  private func attempt(_ body: () throws -> CommitReceipt) throws -> CommitReceipt {
    do {
      return try connection.inImmediateTransaction(body)
    } catch is UnexpectedKeys {
      return try connection.inImmediateTransaction(body)
    }
  }

  private func write(_ changes: ChangeSet) throws -> CommitReceipt {
    try checkModel()
    try delete(changes)
    try update(changes)
    return try insert(changes)
  }

  /// After a refusal, which has undone everything: looks for all that is in conflict, not only for what came
  /// first. Only saves that fail pay for it.
  ///
  /// - Returns: the receipt, when what was in the way is gone by now.
  private func explain(_ changes: ChangeSet) throws -> CommitReceipt {
    do {
      return try attempt {
        try checkModel()
        let conflicts = try ConflictSearch(store.schema, StoredConflicts(self)).conflicts(
          of: changes)
        if !conflicts.isEmpty { throw PersistenceError(.saveFailed, causes: conflicts) }
        return try write(changes)
      }
    } catch let refusal as Refusal {
      throw PersistenceError(
        .backend, entity: refusal.entity, path: store.path,
        found: "UNIQUE constraint failed, in an index that another program created")
    }
  }

  /// Refuses to write when another program has opened the file with a newer model since: what this
  /// one knows of its columns is out of date.
  private func checkModel() throws {
    guard try StoreMetadata(connection).schemaHash() == store.schemaHash.text else {
      throw PersistenceError(.modelDiffers, path: store.path)
    }
  }

  // MARK: Deletes and updates

  private func delete(_ changes: ChangeSet) throws {
    for change in changes.entities where !change.deletes.isEmpty {
      let table = table(change.entity)
      let prepared = try table.delete()
      for delete in change.deletes {
        defer { prepared.statement.reset() }
        try prepared.statement.bind(1, integer: delete.key)
        try prepared.statement.bind(2, integer: delete.version)
        _ = try prepared.statement.step()
        if connection.changes == 0 { throw Refusal(entity: table.layout.name) }
      }
    }
  }

  private func update(_ changes: ChangeSet) throws {
    for change in changes.entities where !change.updates.isEmpty {
      let table = table(change.entity)
      try clearUniqueValues(change, table)
      for update in change.updates {
        let prepared = try table.update(update.changed)
        defer {
          prepared.statement.reset()
          prepared.statement.clearBindings()
        }
        try prepared.statement.bind(
          prepared.bindings, row: update.row.base, key: update.key,
          version: update.version, newVersion: update.row.version)
        try stepUnlessRefused(prepared.statement, table)
        if connection.changes == 0 { throw Refusal(entity: table.layout.name) }
      }
    }
  }

  @inline(__always)
  private func stepUnlessRefused(_ statement: Statement, _ table: EntityTable) throws {
    do {
      _ = try statement.step()
    } catch let error as PersistenceError where SQLiteFailure.isUniqueConflict(error) {
      throw Refusal(entity: table.layout.name)
    }
  }

  /// Takes unique values away from the rows that are about to get others, so that two objects may swap
  /// theirs: SQLite checks a constraint after every statement, not at the end.
  private func clearUniqueValues(_ change: ChangeSet.EntityChanges, _ table: EntityTable) throws {
    let unique = table.layout.uniqueSlots
    if unique.isEmpty { return }
    let moving = change.updates.filter { !$0.changed.isDisjoint(with: unique) }
    guard moving.count > 1 else { return }
    for update in moving {
      let slots = update.changed.filter(unique.contains)
      try connection.run(table.write.clearUniqueValues(slots), key: update.key)
    }
  }

  // MARK: Inserts

  private func insert(_ changes: ChangeSet) throws -> CommitReceipt {
    var receipt = CommitReceipt(insertedKeys: [])
    for change in changes.entities {
      receipt.insertedKeys.append(try insert(change))
    }
    return receipt
  }

  private func insert(_ change: ChangeSet.EntityChanges) throws -> [Int64] {
    if change.inserts.isEmpty { return [] }
    let table = table(change.entity)
    let last = try lastKey(table)
    guard last < Int64.max - Int64(change.inserts.count) else {
      throw PersistenceError(.keysExhausted, entity: table.layout.name, path: store.path)
    }
    let keys = Array(last + 1...last + Int64(change.inserts.count))
    var done = 0
    // Rows are bound in place and live until the end of the save, so that once is enough.
    defer { table.clearInsertBindings() }
    while done < keys.count {
      let size = table.insertBatch(done: done, of: keys.count)
      try insert(change.inserts[done..<done + size], from: keys[done], table)
      done += size
      // The first batch shows what the others will be.
      if done == size + 1, size > 1 { try checkKeys(upTo: keys[done - 1], table) }
    }
    try LastKeys(connection).set(last + Int64(keys.count), of: table.layout.name)
    return keys
  }

  /// Makes sure of the keys that SQLite has made: in a table that another tool has rebuilt, the key may
  /// count on from elsewhere, or be no alias of the row's number any more.
  private func checkKeys(upTo last: Int64, _ table: EntityTable) throws {
    if try maxKey(table) == last { return }
    table.appends = false
    throw UnexpectedKeys()
  }

  /// Inserts rows with one statement: a single one with its key, several with the keys that follow.
  private func insert(
    _ rows: ArraySlice<ChangeSet.Insert>, from key: Int64, _ table: EntityTable
  ) throws {
    let prepared = try rows.count == 1 ? table.insert() : table.append()
    defer { prepared.statement.reset() }
    var position: Int32 = 0
    for insert in rows {
      try prepared.statement.bind(
        prepared.bindings, after: position, row: insert.row.base, key: key, version: 0,
        newVersion: insert.row.version)
      position &+= Int32(truncatingIfNeeded: prepared.bindings.count)
    }
    try stepUnlessRefused(prepared.statement, table)
  }

  /// The greatest key that the entity has ever had.
  private func lastKey(_ table: EntityTable) throws -> Int64 {
    let last = try LastKeys(connection)[table.layout.name]
    // Another program may have added rows by itself.
    return max(last, try maxKey(table) ?? 0)
  }

  /// The greatest key in the table; nil for an empty one.
  ///
  /// - Throws: `object.typeMismatch` where the greatest is no key: what comes after it would be one only by
  ///   chance.
  private func maxKey(_ table: EntityTable) throws -> Int64? {
    let sql = table.select.maxKey()
    let statement = try connection.statement(sql.text)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    guard let key = statement.integerOrNil(0) else { throw foreignKey(statement, table) }
    return key
  }
}
