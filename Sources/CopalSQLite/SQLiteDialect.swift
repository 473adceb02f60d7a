import CopalModel
import CopalSQL

/// SQLite's way of saying things.
struct SQLiteDialect: SQLDialect {
  func quote(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  func placeholder(_ position: Int) -> String { "?\(position)" }

  func columnType(_ storage: StorageType) -> String { storage.rawValue.uppercased() }

  /// An alias of the row id; keys are given by us, so that none is ever used twice.
  var keyColumnType: String { "INTEGER PRIMARY KEY" }

  func decimalOrder(_ expression: SQLFragment) -> SQLFragment {
    expression + " COLLATE copal_decimal"
  }

  func isSame(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { a + " IS " + b }

  func isDifferent(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { a + " IS NOT " + b }

  func limit(_ limit: Int?, offset: Int) -> SQLFragment {
    // -1 is SQLite's word for no limit, without which there can be no offset.
    let head: SQLFragment = " LIMIT " + .binding(.integer(Int64(limit ?? -1)))
    return offset == 0 ? head : head + " OFFSET " + .binding(.integer(Int64(offset)))
  }
}
