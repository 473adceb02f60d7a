import CCopalSQLite

/// The key of the row that a statement has inserted or updated last, without a result of the
/// statement: https://www.sqlite.org/c3ref/update_hook.html
///
/// It works for tables whose keys are row ids. `RETURNING` is for others: it makes a temporary
/// table for each statement that runs, and takes as long as the write itself.
final class WrittenRowWatch {
  /// The key of the row; nil when no row of the table was written since this was set to nil.
  var key: Int64?
  private let table: [CChar]
  // unowned: a watch is used during one call of the session that owns the connection.
  private unowned let connection: Connection

  /// Begins to watch a table. End it with ``end()``.
  init(_ table: String, on connection: Connection) {
    self.table = Array(table.utf8CString)
    self.connection = connection
    sqlite3_update_hook(
      connection.handle,
      { watch, operation, _, table, key in
        guard let watch, let table, operation != SQLITE_DELETE else { return }
        Unmanaged<WrittenRowWatch>.fromOpaque(watch).takeUnretainedValue().note(table, key)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the watch.
  func end() { sqlite3_update_hook(connection.handle, nil, nil) }

  private func note(_ name: UnsafePointer<CChar>, _ key: Int64) {
    if sqlite3_stricmp(name, table) == 0 { self.key = key }
  }
}
