import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Statements that a program has written itself.
extension SQLiteSession {
  func fetchRows(of raw: RawStatement) throws -> RawRows {
    try prepareToRead()
    let sql = RawTranslator(store.schema, SQLiteDialect()).statement(raw)
    let statement = try readingStatement(sql)
    defer { statement.resetQuery() }
    try statement.setPlaceholders(sql.values)
    return try explainingFailure {
      // SQLite writes temporary files when it sorts or groups many rows.
      try FileSizeSignal.heldBack(failuresAreThrown: true) {
        var hasRow = try statement.step()
        // After the first step: another program may have added a column that `*` includes.
        var found = RawRows(columns: statement.columnNames, rows: [])
        let columns = 0..<statement.columnCount
        while hasRow {
          found.rows.append(columns.map(statement.storedValue))
          hasRow = try statement.step()
        }
        return found
      }
    }
  }

  /// The prepared statement of a text that only reads. It is kept, because preparing it with an
  /// authorizer makes SQLite prepare all others again.
  private func readingStatement(_ sql: SQLStatement) throws -> Statement {
    if let known = rawStatements[sql.text], !known.isRunning { return known }
    let made = try connection.prepareRaw(
      sql.text, placeholderCount: sql.values.count, fixedColumns: nil
    ).statement
    if sql.text.utf8.count > 10_000 { return made }
    if rawStatements.count >= 50 { rawStatements = [:] }
    rawStatements[sql.text] = made
    return made
  }

  func executeUnsafe(_ raw: RawStatement) throws -> RawChanges {
    try explainingFailure {
      try FileSizeSignal.heldBack {
        try prepareToWrite()
        var (changes, place) = try inWriteTransaction {
          try checkModel()
          if store.hasSubstrings {
            try connection.useTrigrams(store.schema.entities.map { table($0.index).mapping })
          }
          return try run(raw)
        }
        changes.place = place
        return changes
      }
    }
  }

  private func run(_ raw: RawStatement) throws -> RawChanges {
    let translator = RawTranslator(store.schema, SQLiteDialect())
    let (sql, tables) = (translator.statement(raw), translator.tables())
    let prepared = try connection.prepareRaw(
      sql.text, placeholderCount: sql.values.count,
      fixedColumns: tables.mapValues(\.keptColumns))
    let statement = prepared.statement
    try statement.setPlaceholders(sql.values)
    let roots = prepared.tables.compactMap { tables[$0]?.root }
    if let root = roots.first(where: { !table($0).keysAreRowIDs }) {
      throw PersistenceError(
        .sqlNotAllowed,
        found: "a change of \(table(root).layout.name), whose table another program has made again",
        expected: "only changes of tables that Copal has made are allowed")
    }
    var lastKeys: [Int: Int64] = [:]
    for root in roots {
      lastKeys[root] = try lastKey(table(root))
    }
    let rows = ChangedRows()
    try rows.noting(on: connection.handle) { while try statement.step() {} }
    var changes = RawChanges(count: connection.changes, entities: [])
    connection.staleRows.forget()
    statement.reset()
    for name in prepared.tables { changes.entities.formUnion(tables[name]?.entities ?? []) }
    for (name, keys) in rows.updated { try raiseVersions(keys, tables[name]?.root) }
    for (name, keys) in rows.inserted {
      guard let root = tables[name]?.root, let last = lastKeys[root] else { continue }
      // No key could come after it.
      if keys.contains(.max) {
        throw PersistenceError(
          .sqlNotAllowed, found: "a row with the greatest key of all",
          expected: "leave the key out of the INSERT")
      }
      changes.inserted[root] = try giveUnusedKeys(to: keys, root, after: last)
    }
    return changes
  }

  /// Raises the versions of updated rows, so that other contexts notice the change.
  private func raiseVersions(_ keys: [Int64], _ root: Int?) throws {
    guard let root else { return }
    let sql = BatchTranslator(table(root).mapping, SQLiteDialect()).touch()
    for key in keys { try connection.run(sql, key: key) }
  }

  /// Gives new rows other keys where objects have had theirs before: SQLite uses the keys of
  /// deleted rows again. Notes all keys as used.
  ///
  /// - Returns: the keys of the rows.
  private func giveUnusedKeys(to keys: [Int64], _ root: Int, after last: Int64) throws -> [Int64] {
    let translator = RawTranslator(store.schema, SQLiteDialect())
    let entity = table(root).layout.name
    var greatest = max(last, keys.max() ?? last)
    let unused = try keys.map { key in
      if key > last { return key }
      guard greatest < Int64.max else {
        throw PersistenceError(.keysExhausted, entity: entity, path: store.path)
      }
      greatest += 1
      try connection.run(translator.changeKey(ofEntity: root, to: greatest), key: key)
      return greatest
    }
    try use(greatest, of: entity)
    return unused
  }

  /// The error of a statement that SQLite has ended, in place of that of a damaged store.
  private func explainingFailure<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch var error as PersistenceError where error.code == .backend {
      error.code = .sqlFailed
      error.path = nil
      throw error
    }
  }
}

extension Statement {
  /// The value of a column in the form of the store.
  fileprivate func storedValue(_ column: Int32) -> PropertyValue {
    switch storageClass(column) {
    case .integer: .integer(integer(column))
    case .real: .double(real(column))
    case .text: text(column).map { .string($0) } ?? .null
    case .blob: .binary(withBlob(column) { Data($0) })
    case .null: .null
    }
  }
}
