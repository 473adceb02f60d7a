import CCopalSQLite

/// What SQLite does with the bytes of a value that it is given.
enum SQLiteBytes {
  /// It copies them (SQLITE_TRANSIENT).
  static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
