import CopalModel
import CopalSQL
import CopalStore

/// The parts of a check.
extension SQLiteSession {
  func check(_ check: StoreCheck) throws {
    // All statements must see one state of the store.
    try beginReadTransaction()
    defer { endReadTransaction() }
    // SQLite writes temporary files when it sorts many rows.
    try FileSizeSignal.heldBack(failuresAreThrown: true) {
      try prepareToRead()
      if check.parts.contains(.integrity) { try checkIntegrity(check) }
      let isDamaged = !check.problems.isEmpty
      do {
        try checkContents(check)
      } catch let error as PersistenceError
        where isDamaged && (error.code == .corrupt || error.code == .searchNeedsRebuild)
      {
        // SQLite's own check has said more than the error.
      }
    }
  }

  private func checkContents(_ check: StoreCheck) throws {
    if check.parts.contains(.schema), !check.isFull { try checkSchema(check) }
    if check.parts.contains(.references), !check.isFull {
      check.begin(.references)
      check.add(try brokenReferences(atMost: check.room))
    }
    if check.parts.contains(.search), !check.isFull {
      check.begin(.search)
      check.add(try wrongDerivedValues(atMost: check.room))
    }
    if check.parts.contains(.uniqueness), !check.isFull {
      check.begin(.uniqueness)
      // A unique index that is there, and that SQLite has found sound, allows no repeated values.
      let hasSoundIndexes =
        try check.parts.contains(.integrity) && check.problems.isEmpty
        && hasAllIndexes()
      for layout in store.schema.entities {
        try checkUniqueness(layout, check, hasSoundIndexes: hasSoundIndexes)
      }
    }
    try checkRows(check)
    if check.parts.contains(.values) { try checkCounts(check) }
  }

  /// Runs SQLite's own check: https://www.sqlite.org/pragma.html#pragma_integrity_check
  private func checkIntegrity(_ check: StoreCheck) throws {
    if check.isFull { return }
    check.begin(.integrity)
    // A pragma takes no placeholders.
    try connection.forEachRow("PRAGMA integrity_check(\(check.room))") { row in
      for line in (row.text(0) ?? "").split(separator: "\n")
      where line != "ok" && !line.hasPrefix("***") {
        check.add(StoreProblem(.damaged, detail: String(line)))
      }
    }
  }

  private func checkSchema(_ check: StoreCheck) throws {
    check.begin(.schema)
    var lines: [String]
    do {
      let found = try TableComparison(connection, store.schema)
      lines = found.problems
      // The tables of a newer model serve as they are.
      if try StoreMetadata(connection).schemaHash() == store.schema.hash.text {
        lines += found.missingIndexes.map { "the index '\($0.name)' is missing" }
        lines += found.rootsToDerive.map {
          "the derived columns of \(table($0).mapping.tableName), or their trigger, are not complete"
        }
      }
    } catch let error as PersistenceError where error.code == .damagedMetadata {
      lines = [error.found ?? "the table copal_keys cannot be used"]
    }
    for line in lines { check.add(StoreProblem(.wrongSchema, detail: line)) }
  }

  private func hasAllIndexes() throws -> Bool {
    let found = try TableComparison(connection, store.schema)
    return found.missingIndexes.isEmpty && found.problems.isEmpty
  }

  private func checkUniqueness(
    _ layout: EntityLayout, _ check: StoreCheck, hasSoundIndexes: Bool
  ) throws {
    let translator = CheckTranslator(SQLiteDialect())
    for constraint in layout.ownUniqueConstraints where !check.isFull {
      // The index of a constraint that ignores something is of a derived column.
      if hasSoundIndexes, constraint.ignoring.isEmpty { continue }
      let sql = translator.repeated(constraint, of: table(layout.index).mapping)
      let statement = try connection.statement(sql.text)
      defer { statement.reset() }
      while !check.isFull, try statement.step() {
        check.addRepeated(
          constraint, first: statement.integer(0), last: statement.integer(1),
          count: Int(statement.integer(2)), layout)
      }
    }
  }

  // MARK: Rows

  /// Reads each row once, for values and for files.
  private func checkRows(_ check: StoreCheck) throws {
    let parts = check.parts.intersection([.values, .files])
    for layout in store.schema.entities where layout.root == layout.index {
      let hasFiles = store.schema.kinds(of: layout.index).contains {
        !store.schema.entities[$0].externalSlots.isEmpty
      }
      guard parts.contains(.values) || parts.contains(.files) && hasFiles else { continue }
      check.begin(parts, layout)
      let folder = store.folder
      try read(
        table(layout.index), check,
        into: StoredRowCheck(check, root: layout) { folder.size(of: $0) })
    }
  }

  private func read(_ table: EntityTable, _ check: StoreCheck, into receiver: StoredRowCheck) throws
  {
    let statement = try connection.statement(table.select.allRows().text)
    defer { statement.reset() }
    while !check.isFull, try statement.step() {
      let key = statement.integerOrNil(0) ?? 0
      if key <= 0 {
        if check.parts.contains(.values) { check.addInvalidKey(statement, table) }
        continue
      }
      guard let version = version(of: statement, 1) else {
        receiver.receive(key: key, failure: invalidVersion(statement, 1, of: key, table))
        continue
      }
      let reader = table.familyReader.map { $0.reader(of: statement) } ?? table.reader
      if let reader {
        receiver.receive(key: key, row: try reader.row(of: statement, version: version))
      } else {
        receiver.receive(key: key, failure: try unknownEntity(statement, of: key, table))
      }
    }
  }
}

extension StoreCheck {
  fileprivate func addInvalidKey(_ statement: Statement, _ table: EntityTable) {
    add(
      StoreProblem(
        .invalidKey, entity: table.layout.name,
        detail: "the key \(statement.words(0)), which no object can have"))
  }
}
