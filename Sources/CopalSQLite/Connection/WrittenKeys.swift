import CCopalSQLite

/// The keys of the rows that statements update and delete, by the position of their table's root:
/// https://www.sqlite.org/c3ref/update_hook.html
///
/// It works for tables whose keys are row ids. SQLite reports no row when it empties a whole table
/// at once, so a caller that needs all keys compares their number with that of the changes.
final class WrittenKeys {
  private(set) var keys: [Int: [Int64]] = [:]
  /// Whether there were more rows than are kept.
  private(set) var isIncomplete = false
  private var count = 0
  private let tables: [(name: [CChar], root: Int)]
  /// The table of the last row. SQLite gives the same address for all rows of a statement.
  private var last: (name: UnsafePointer<CChar>?, root: Int?) = (nil, nil)

  /// More keys are not kept.
  private static let limit = 10_000

  /// - Parameter tables: the names of the tables, with the position of their root.
  init(_ tables: [(name: String, root: Int)]) {
    self.tables = tables.map { (Array($0.name.utf8CString), $0.root) }
  }

  /// Runs the body, and notes the rows that it changes.
  func noting<R>(on handle: OpaquePointer, _ body: () throws -> R) rethrows -> R {
    sqlite3_update_hook(
      handle,
      { keys, operation, _, table, key in
        guard let keys, let table, operation != SQLITE_INSERT else { return }
        Unmanaged<WrittenKeys>.fromOpaque(keys).takeUnretainedValue().note(table, key)
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_update_hook(handle, nil, nil) }
    return try body()
  }

  private func note(_ name: UnsafePointer<CChar>, _ key: Int64) {
    if name != last.name {
      last = (name, tables.first { sqlite3_stricmp(name, $0.name) == 0 }?.root)
    }
    guard let root = last.root, !isIncomplete else { return }
    count += 1
    isIncomplete = count > Self.limit
    if isIncomplete { keys = [:] } else { keys[root, default: []].append(key) }
  }
}
