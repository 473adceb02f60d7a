import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Decides what a statement of a program may do, while SQLite prepares it:
/// https://www.sqlite.org/c3ref/set_authorizer.html
///
/// It may read, call functions and use common table expressions. A statement that writes may also
/// change rows of some tables.
final class RawAuthorizer {
  /// The columns that must keep their values, by the name of each table whose rows may be changed;
  /// nil for a statement that only reads.
  private let fixedColumns: [String: Set<String>]?
  /// The tables whose rows the statement changes.
  private(set) var writtenTables: Set<String> = []
  /// What the statement may not do; nil when everything is allowed.
  private(set) var refusal: String?

  init(fixedColumns: [String: Set<String>]?) { self.fixedColumns = fixedColumns }

  /// Runs the body with the authorizer, which only this preparation has.
  func whilePreparing<R>(on handle: OpaquePointer, _ body: () throws -> R) rethrows -> R {
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, database, trigger in
        guard let context else { return SQLITE_DENY }
        if RawAuthorizer.isOfTrigrams(action, trigger) { return SQLITE_OK }
        let authorizer = Unmanaged<RawAuthorizer>.fromOpaque(context).takeUnretainedValue()
        let isAllowed = authorizer.allows(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) },
          database: database.map { String(cString: $0) })
        return isAllowed ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    return try body()
  }

  /// Whether a trigger of Copal's connection writes a table of trigrams. Triggers of a file do not
  /// run.
  private static func isOfTrigrams(_ action: Int32, _ trigger: UnsafePointer<CChar>?) -> Bool {
    guard let trigger, action == SQLITE_INSERT || action == SQLITE_DELETE else { return false }
    return strncmp(trigger, CopalNaming.trigramsPrefix, CopalNaming.trigramsPrefix.utf8.count) == 0
  }

  private func allows(_ action: Int32, _ first: String?, _ second: String?, database: String?)
    -> Bool
  {
    let reason: String?
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: reason = nil
    case SQLITE_FUNCTION:
      reason = second?.lowercased() == "load_extension" ? "the function load_extension" : nil
    case SQLITE_INSERT: reason = refusal("INSERT", table: first, column: nil, database: database)
    case SQLITE_DELETE: reason = refusal("DELETE", table: first, column: nil, database: database)
    case SQLITE_UPDATE: reason = refusal("UPDATE", table: first, column: second, database: database)
    default: reason = Self.name(of: action)
    }
    if let reason, refusal == nil { refusal = reason }
    return reason == nil
  }

  /// Why the rows of a table may not be changed; nil when they may.
  private func refusal(_ word: String, table: String?, column: String?, database: String?)
    -> String?
  {
    // A change of the schema writes to the tables of the schema.
    if table?.hasPrefix("sqlite_") == true { return Self.schemaChange }
    guard let fixedColumns else { return word }
    guard let table, database == "main", let fixed = fixedColumns[table] else {
      return "\(word) on the table \(table ?? ""), which has no objects"
    }
    // ROWID is the key by another name.
    if let column, fixed.contains(column) || column == "ROWID" {
      return "\(word) of the column \(column), which Copal itself keeps"
    }
    writtenTables.insert(table)
    return nil
  }

  private static func name(of action: Int32) -> String {
    switch action {
    case SQLITE_PRAGMA: "PRAGMA"
    case SQLITE_ATTACH: "ATTACH"
    case SQLITE_DETACH: "DETACH"
    case SQLITE_TRANSACTION: "BEGIN, COMMIT or ROLLBACK"
    case SQLITE_SAVEPOINT: "SAVEPOINT, RELEASE or ROLLBACK TO"
    case SQLITE_REINDEX: "REINDEX"
    case SQLITE_ALTER_TABLE: "ALTER TABLE"
    default: schemaChange
    }
  }

  private static let schemaChange = "a change of the schema"
}

extension Connection {
  /// Prepares a statement that a program has written. The text must be one statement that only
  /// reads; with `fixedColumns`, one that changes rows of the tables that it names.
  ///
  /// - Returns: the statement, with the tables whose rows it changes.
  /// - Throws: `sql.invalid`, `sql.notAllowed`, `sql.severalStatements`.
  func prepareRaw(_ text: String, placeholderCount: Int, fixedColumns: [String: Set<String>]?)
    throws
    -> (statement: Statement, tables: Set<String>)
  {
    // SQLite would take the text up to the NUL.
    if text.utf8.contains(0) { throw invalid("it contains a NUL") }
    prepareCalculations(for: text)
    prepareTablesOfFunctions(for: text)
    let authorizer = RawAuthorizer(fixedColumns: fixedColumns)
    let handle = try authorizer.whilePreparing(on: handle) {
      try prepareAlone(text, authorizer)
    }
    // Ends it after an error, too.
    let statement = Statement(handle, text, fixedColumns == nil ? .query : .write, on: self)
    let allowed = fixedColumns == nil ? Self.reading : Self.writing
    if sqlite3_stmt_isexplain(handle) != 0, fixedColumns != nil {
      throw PersistenceError(.sqlNotAllowed, found: "EXPLAIN", expected: allowed)
    }
    // VACUUM does not ask the authorizer.
    let onlyReads = sqlite3_stmt_readonly(handle) != 0
    if fixedColumns == nil ? !onlyReads : authorizer.writtenTables.isEmpty {
      throw PersistenceError(
        .sqlNotAllowed,
        found: onlyReads ? "no change of rows" : "a change of the whole store",
        expected: allowed)
    }
    guard Int(sqlite3_bind_parameter_count(handle)) == placeholderCount,
      (0..<placeholderCount).allSatisfy({
        sqlite3_bind_parameter_name(handle, Int32($0 + 1)) == nil
      })
    else { throw invalid("a placeholder is in its text, or a value is in a comment or a text") }
    return (statement, authorizer.writtenTables)
  }

  /// The first use of a table that a function is, such as `json_each`, asks the authorizer for a
  /// change of the schema, so these are used once before. No others: a table such as
  /// `pragma_optimize` writes.
  private func prepareTablesOfFunctions(for text: String) {
    if hasTablesOfFunctions || !text.lowercased().contains("json_") { return }
    hasTablesOfFunctions = true
    for table in ["json_each", "json_tree"] { try? run("SELECT 1 FROM \(table)('[]')") }
  }

  private static let reading =
    "only reading with SELECT is allowed; write with a batch, or with executeUnsafe(sql:)"
  private static let writing =
    "only INSERT, UPDATE and DELETE of the rows of the model's tables are allowed; read with fetchRows(sql:)"

  private func prepareAlone(_ text: String, _ authorizer: RawAuthorizer) throws -> OpaquePointer {
    var text = text
    return try text.withUTF8 { bytes in
      try bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress, !characters.isEmpty else {
          throw invalid("it is empty")
        }
        var prepared: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          handle, start, Int32(clamping: characters.count), 0, &prepared, &tail)
        guard code == SQLITE_OK else { throw failure(code, authorizer, bytes) }
        guard let prepared else { throw invalid("it is empty") }
        do {
          try checkEnd(tail.map { start.distance(to: $0) } ?? bytes.count, bytes)
        } catch {
          sqlite3_finalize(prepared)
          throw error
        }
        return prepared
      }
    }
  }

  /// Checks that only white space and comments follow the statement.
  private func checkEnd(_ end: Int, _ bytes: UnsafeBufferPointer<UInt8>) throws {
    var position = end
    while position < bytes.count {
      let rest = UnsafeBufferPointer(rebasing: bytes[position...])
      var prepared: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let length = try rest.withMemoryRebound(to: CChar.self) { characters in
        let code = sqlite3_prepare_v3(
          handle, characters.baseAddress, Int32(clamping: characters.count), 0, &prepared, &tail)
        sqlite3_finalize(prepared)
        guard code == SQLITE_OK, prepared == nil else {
          throw PersistenceError(.sqlSeveralStatements, found: Self.words(at: position, bytes))
        }
        return characters.baseAddress.flatMap { start in
          tail.map { start.distance(to: $0) }
        } ?? characters.count
      }
      position += max(1, length)
    }
  }

  private func failure(
    _ code: Int32, _ authorizer: RawAuthorizer, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> PersistenceError {
    if let refusal = authorizer.refusal {
      return PersistenceError(
        .sqlNotAllowed, found: refusal,
        expected: authorizer.onlyReads ? Self.reading : Self.writing, backendCode: Int(code))
    }
    let offset = Int(copal_sqlite_error_offset(handle))
    var error = preparingError(code)
    guard error.code == .backend || error.code == .cannotOpen else { return error }
    error.code = .sqlInvalid
    error.path = nil
    if bytes.indices.contains(offset) {
      error.found = (error.found ?? "") + ", at " + Self.words(at: offset, bytes)
    }
    return error
  }

  private func invalid(_ found: String) -> PersistenceError {
    PersistenceError(.sqlInvalid, found: found)
  }

  /// What the text has at a position, with the number of its character.
  private static func words(at position: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let before = String(decoding: bytes[..<position], as: UTF8.self)
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    let shown = rest.drop(while: \.isWhitespace)
    let number = before.count + rest.count - shown.count + 1
    return "'\(shown.prefix(20))\(shown.count > 20 ? "…" : "")' (character \(number))"
  }
}

extension RawAuthorizer {
  /// Whether the statement may only read.
  fileprivate var onlyReads: Bool { fixedColumns == nil }
}
