import CopalSQL
import CopalStore

extension Connection {
  /// Runs the body in a write transaction. An error rolls everything back.
  ///
  /// IMMEDIATE takes the write lock at the start, so that the busy timeout applies. A transaction
  /// that starts with a read cannot wait for the lock.
  func inImmediateTransaction<R>(
    willCommit: () throws -> Void = {}, _ body: () throws -> R
  ) throws -> R {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try willCommit()
      try runToEnd("COMMIT")
      return result
    } catch {
      // After a full disk or an I/O error SQLite may have rolled back by itself.
      if isInTransaction { try? runToEnd("ROLLBACK") }
      throw error
    }
  }

  /// Runs the body as a part of the open transaction. An error rolls this part back.
  ///
  /// The end of a savepoint in a transaction checks no references, so this does.
  func inSavepoint<R>(_ body: () throws -> R) throws -> R {
    try run("SAVEPOINT copal_part")
    do {
      let result = try body()
      if hasBrokenReferences { throw referenceError }
      try run("RELEASE copal_part")
      return result
    } catch {
      // After a full disk or an I/O error SQLite may have rolled back everything by itself.
      if isInTransaction { undoSavepoint() }
      throw error
    }
  }

  private func undoSavepoint() {
    do {
      try run("ROLLBACK TO copal_part")
      try run("RELEASE copal_part")
    } catch {
      // Otherwise the part could be committed with the rest.
      if isInTransaction { try? run("ROLLBACK") }
    }
  }

  /// Runs the body in a read transaction, so that all its statements see one state of the file.
  func inReadTransaction<R>(_ body: () throws -> R) throws -> R {
    try run("BEGIN")
    defer { if isInTransaction { try? run("ROLLBACK") } }
    return try body()
  }

  /// Runs a statement that gives no rows.
  func run(_ sql: SQLStatement, key: Int64 = 0) throws {
    let statement = try statement(sql.text)
    defer { statement.reset() }
    try statement.setPlaceholders(sql.values, key: key)
    while try statement.step() {}
  }

  /// Runs a query and calls the body for each row.
  func forEachRow(
    _ sql: String, _ values: [PlaceholderValue] = [], _ body: (Statement) throws -> Void
  ) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.setPlaceholders(values)
    while try statement.step() { try body(statement) }
  }

  /// The first column of every row as integers.
  func integers(_ sql: SQLStatement, key: Int64 = 0) throws -> [Int64] {
    let statement = try statement(sql.text)
    defer { statement.reset() }
    try statement.setPlaceholders(sql.values, key: key)
    var result: [Int64] = []
    while try statement.step() { result.append(statement.integer(0)) }
    return result
  }
}
