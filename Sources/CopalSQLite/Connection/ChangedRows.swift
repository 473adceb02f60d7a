import CCopalSQLite

/// The rows that a statement inserts and updates, in tables with a rowid:
/// https://www.sqlite.org/c3ref/update_hook.html
final class ChangedRows {
  private(set) var inserted: [String: [Int64]] = [:]
  private(set) var updated: [String: [Int64]] = [:]

  /// Runs the body, and notes the rows that it changes.
  func noting<R>(on handle: OpaquePointer, _ body: () throws -> R) rethrows -> R {
    sqlite3_update_hook(
      handle,
      { context, action, _, table, row in
        guard let context, let table else { return }
        let rows = Unmanaged<ChangedRows>.fromOpaque(context).takeUnretainedValue()
        rows.note(action, String(cString: table), row)
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_update_hook(handle, nil, nil) }
    return try body()
  }

  private func note(_ action: Int32, _ table: String, _ row: Int64) {
    switch action {
    case SQLITE_INSERT: inserted[table, default: []].append(row)
    case SQLITE_UPDATE: updated[table, default: []].append(row)
    default: break
    }
  }
}
