import CopalSQL
import CopalStore

/// The keys of rows: as a statement has them, and the last one that was used.
extension SQLiteSession {
  /// The key of the statement's current row.
  ///
  /// - Throws: `object.typeMismatch` for a key that no saved object can have: below 1 (unsaved
  ///   objects have such keys), or not an INTEGER.
  func key(of statement: Statement, _ table: EntityTable) throws -> Int64 {
    let key = keyOrZero(of: statement, table)
    if key > 0 { return key }
    throw invalidKey(statement, table)
  }

  func keyOrZero(of statement: Statement, _ table: EntityTable) -> Int64 {
    table.keysAreRowIDs ? statement.integer(0) : statement.integerOrNil(0) ?? 0
  }

  /// The error of a row with an invalid key. The key is the statement's first column.
  func invalidKey(_ statement: Statement, _ table: EntityTable) -> PersistenceError {
    PersistenceError(
      .typeMismatch, entity: table.layout.name, property: table.mapping.keyName,
      path: store.path, found: statement.words(0), expected: "a number from 1 to \(Int64.max)")
  }

  /// The greatest key that an object of a root or a subentity has had so far.
  func lastKey(_ table: EntityTable) throws -> Int64 {
    let last = try LastKeys(connection)[table.layout.name]
    // Another program may have added rows.
    let greatest = max(last, try maxKey(table) ?? 0)
    return unnotedKeys.isEmpty ? greatest : max(greatest, unnotedKeys[table.layout.name] ?? 0)
  }

  /// The greatest key in the table; nil for an empty one.
  ///
  /// - Throws: `object.typeMismatch` when the greatest value is not a key, because then there is no
  ///   next key.
  func maxKey(_ table: EntityTable) throws -> Int64? {
    let sql = table.select.maxKey()
    let statement = try connection.statement(sql.text)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    guard let key = statement.integerOrNil(0) else { throw invalidKey(statement, table) }
    return key
  }
}
