package import CopalModel
package import CopalSQL

/// SQLite's way of saying things.
package struct SQLiteDialect: SQLDialect {
  package init() {}

  package func quote(_ name: String) -> String {
    // Almost no name has a quote in it, and looking is far cheaper than replacing.
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Without its number: SQLite looks numbered ones up in a list, which takes 12 seconds for 100,000.
  package func placeholder(_ position: Int) -> String { "?" }

  package func columnType(_ storage: StorageType) -> String { storage.rawValue.uppercased() }

  /// An alias of the row id; keys are given by us, so that none is ever used twice.
  package var keyColumnType: String { "INTEGER PRIMARY KEY" }

  package func decimalOrder(_ expression: SQLFragment) -> SQLFragment {
    expression + " COLLATE copal_decimal"
  }

  package func roundedToFloat(_ expression: SQLFragment) -> SQLFragment {
    "copal_float(" + expression + ")"
  }

  package func isSame(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { a + " IS " + b }

  package func isDifferent(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { a + " IS NOT " + b }

  package func sortedLast(_ key: SQLFragment) -> SQLFragment { "+" + key }

  package var withoutIndexes: SQLFragment { " NOT INDEXED" }

  package func limit(_ limit: Int?, offset: Int) -> SQLFragment {
    // -1 is SQLite's word for no limit, without which there can be no offset.
    let head: SQLFragment = " LIMIT " + .binding(.integer(Int64(limit ?? -1)))
    return offset == 0 ? head : head + " OFFSET " + .binding(.integer(Int64(offset)))
  }
}
