import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

extension SQLiteSession {
  func commit(_ changes: ChangeSet) throws -> CommitResult {
    try FileSizeSignal.heldBack {
      try prepareToWrite()
      return try withFiles(of: changes) { try writeOrExplain(changes) }
    }
  }

  private func writeOrExplain(_ changes: ChangeSet) throws -> CommitResult {
    do {
      return .committed(try attempt { try write(changes) })
    } catch is Refusal {
      return try explain(changes)
    } catch let error as PersistenceError where SQLiteFailure.isReferenceConflict(error) {
      return try explain(changes)
    }
  }

  /// A conflict: a statement changed no row, because the row has another version, or it broke a
  /// unique index.
  struct Refusal: Error {
    let entity: String
  }

  /// All conflicts of a commit, as the error that ends its transaction.
  private struct Conflicts: Error {
    let all: [CommitConflict]
  }

  /// SQLite has generated other keys than the expected consecutive ones.
  private struct UnexpectedKeys: Error {}

  /// Runs a transaction. When another tool has rebuilt a table, runs it again with rows that are
  /// inserted one by one, each with its key.
  private func attempt(_ body: () throws -> CommitReceipt) throws -> CommitReceipt {
    var (receipt, place): (CommitReceipt, CommitPlace?)
    do {
      (receipt, place) = try inWriteTransaction(body)
    } catch is UnexpectedKeys {
      (receipt, place) = try inWriteTransaction(body)
    }
    receipt.place = place
    return receipt
  }

  private func write(_ changes: ChangeSet) throws -> CommitReceipt {
    try checkModel()
    let marked = try deriveStaleRows()
    try checkUniqueForms(changes, marked)
    // The keys of all inserts, before the first row is written.
    let order = InsertOrder(changes, in: store.schema)
    let keys = try changes.insertedKeys(in: order, chooseKeys)
    var changes =
      order.families.isEmpty ? changes : changes.withReferences(to: keys, in: store.schema)
    if store.schema.hasReferences {
      changes = try changes.withPositions(in: store.schema) { try greatestPosition(in: $0) }
    }
    changes = changes.withVersions(in: store.schema)
    try ProgramMetadata(connection).write(changes.metadata)
    try noteFiles(of: changes)
    var removed: [Int: [Link]] = [:]
    for change in changes.deletions(in: store.schema) {
      try removeLinks(of: change, noting: &removed)
      try delete(change)
    }
    try clearUniqueValues(changes)
    for change in changes.entities where !change.updates.isEmpty { try update(change) }
    try deriveUpdated(changes, marked)
    for family in order.families { try insert(family, changes, keys) }
    for index in changes.links.indices {
      let change = changes.links[index]
      changes.links[index] = try links(change.table).write(change)
    }
    if !removed.isEmpty { changes.noteRemoved(removed) }
    return CommitReceipt(insertedKeys: keys, written: changes)
  }

  func greatestPosition(in list: OrderedList) throws -> Int64? {
    switch list.storage {
    case .links(let table, let end):
      return try links(table).greatestPosition(of: list.owner, from: end)
    case .inverseSlot(let slot, let position?):
      let sql = RelatedTranslator(table(list.entity).mapping, SQLiteDialect())
        .greatestPosition(bySlot: slot, position: position)
      return try connection.greatest(sql, key: list.owner)
    case .slot, .inverseSlot(_, position: nil): return nil
    }
  }

  /// Removes the links of deleted objects whose delete rule does so.
  private func removeLinks(
    of change: ChangeSet.EntityChanges, noting removed: inout [Int: [Link]]
  ) throws {
    for (table, end) in store.schema.linkEnds(ofEntity: change.entity)
    where store.schema.linkTables[table].deletesLinks(at: end) {
      let links = try links(table).removeAll(of: change.deletes, at: end)
      if !links.isEmpty { removed[table, default: []] += links }
    }
  }

  /// Searches for every conflict after a refusal, which has rolled everything back. Only saves that
  /// fail pay for the search.
  ///
  /// - Returns: the conflicts; the receipt, when they are gone in the meantime.
  private func explain(_ changes: ChangeSet) throws -> CommitResult {
    do {
      let receipt = try attempt {
        try checkModel()
        let search = ConflictSearch(store.schema, StoredConflicts(self, changes))
        let conflicts = try search.conflicts(of: changes)
        if !conflicts.isEmpty { throw Conflicts(all: conflicts) }
        return try write(changes)
      }
      return .committed(receipt)
    } catch let conflicts as Conflicts {
      return .refused(conflicts.all)
    } catch let refusal as Refusal {
      throw PersistenceError(
        .backend, entity: refusal.entity, path: store.path,
        found: "UNIQUE constraint failed, in an index that another program created")
    }
  }

  // MARK: Unique values

  /// Clears the unique values of rows that get other values, so that two objects can swap theirs:
  /// SQLite checks a constraint after every statement, not at the end.
  private func clearUniqueValues(_ changes: ChangeSet) throws {
    for (entity, update) in changes.movedUniqueValues(in: store.schema) {
      let table = table(entity)
      let slots = update.changed.filter(table.layout.uniqueSlots.contains)
      try connection.run(table.write.clearUniqueValues(slots), key: update.key)
    }
  }

  // MARK: Inserts

  /// The keys of some inserts of a root and its subentities. Notes the last one as used.
  private func chooseKeys(_ root: Int, _ wanted: [Int64]) throws -> [Int64] {
    let table = table(root)
    var last = try lastKey(table)
    let greatest = max(last, wanted.max() ?? 0)
    guard greatest < Int64.max - Int64(wanted.count) else {
      throw PersistenceError(.keysExhausted, entity: table.layout.name, path: store.path)
    }
    let keys = wanted.map { key in
      last = key > 0 ? max(last, key) : last + 1
      return key > 0 ? key : last
    }
    try use(last, of: table.layout.name)
    return keys
  }

  /// Inserts the rows of a root and its subentities, in the order of their keys.
  private func insert(_ family: InsertOrder.Family, _ changes: ChangeSet, _ keys: [[Int64]]) throws
  {
    if family.places.isEmpty, let change = family.changes.first {
      return try insert(changes.entities[change], keys[change])
    }
    // Placeholders point into rows, which live until the end of the save, so clearing once is
    // enough.
    defer {
      for change in family.changes {
        table(changes.entities[change].entity).clearInsertPlaceholders()
      }
    }
    for place in family.places {
      let change = changes.entities[place.change]
      try insert(
        change.inserts[place.insert...place.insert], from: keys[place.change][place.insert],
        table(change.entity))
    }
  }

  private func insert(_ change: ChangeSet.EntityChanges, _ keys: [Int64]) throws {
    let table = table(change.entity)
    // Rows are inserted in batches only under consecutive keys, which SQLite generates.
    let isConsecutive = !change.inserts.contains { $0.key > 0 }
    var done = 0
    // Placeholders point into rows, which live until the end of the save, so clearing once is
    // enough.
    defer { table.clearInsertPlaceholders() }
    while done < keys.count {
      let size = isConsecutive ? table.insertBatch(done: done, of: keys.count) : 1
      try insert(change.inserts[done..<done + size], from: keys[done], table)
      done += size
      // The first batch shows whether SQLite generates the expected keys.
      if done == size + 1, size > 1 { try checkKeys(upTo: keys[done - 1], table) }
    }
  }

  /// Checks the keys that SQLite has generated. In a table that another tool has rebuilt, they may
  /// start elsewhere, or the key column may not be the rowid.
  private func checkKeys(upTo last: Int64, _ table: EntityTable) throws {
    if try maxKey(table) == last { return }
    table.appends = false
    throw UnexpectedKeys()
  }

  /// Inserts rows with one statement: a single row with its key, several rows with consecutive
  /// keys.
  private func insert(
    _ rows: ArraySlice<ChangeSet.Insert>, from key: Int64, _ table: EntityTable
  ) throws {
    let prepared = try rows.count == 1 ? table.insert() : table.append()
    defer { prepared.statement.reset() }
    // A pointer, because references to each row would be counted.
    try rows.withUnsafeBufferPointer { rows in
      var position: Int32 = 0
      for index in rows.indices {
        try prepared.statement.setPlaceholders(
          prepared.placeholders, after: position, row: rows[index].row.base, key: key, version: 0,
          newVersion: rows[index].row.version)
        position &+= Int32(truncatingIfNeeded: prepared.placeholders.count)
      }
    }
    try stepUnlessRefused(prepared.statement, table)
  }
}
