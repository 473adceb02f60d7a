import CopalSQL
import CopalStore

/// Tables of trigrams, which triggers of the connection keep.
extension Connection {
  /// Gives the connection the triggers that keep tables of trigrams. Outside of a transaction,
  /// which would undo them.
  ///
  /// SQLite lets a trigger write a table of FTS5 only if it trusts the schema, because it does not
  /// tell these triggers from those of the file, which do not run. A file of somebody else gets
  /// nothing by it: views do not run either, and every function of Copal is only for statements.
  ///
  /// - Parameter mappings: returns the mappings of all entities.
  func keepTrigrams(_ mappings: () -> [TableMapping]) throws {
    if keepsTrigrams { return }
    trustSchema()
    for mapping in mappings() {
      for sql in TrigramTables.triggers(mapping) { try run(sql) }
    }
    keepsTrigrams = true
  }

  /// Uses tables of trigrams, because the first use of a table of FTS5 asks an authorizer for a
  /// change of the schema.
  func useTrigrams(_ mappings: [TableMapping]) throws {
    for trigrams in mappings.flatMap(\.ownTrigrams) { try run(TrigramTables.firstUse(trigrams)) }
  }

  /// Removes the triggers that keep tables of trigrams.
  func dropTrigramTriggers() throws {
    var names: [String] = []
    try forEachRow("SELECT name FROM sqlite_temp_schema WHERE type = 'trigger'") { row in
      if let name = row.text(0) { names.append(name) }
    }
    for name in names { try run(SchemaTranslator(SQLiteDialect()).dropTrigger(name)) }
    keepsTrigrams = false
  }

  /// Removes a table of trigrams.
  ///
  /// SQLite cannot drop one that has lost some of its own tables. Then it is taken out of the
  /// schema: <https://www.sqlite.org/pragma.html#pragma_writable_schema>.
  func dropTrigrams(_ name: String) throws {
    do {
      return try run(TrigramTables.drop(name))
    } catch let error as PersistenceError where error.code == .searchNeedsRebuild {
      try withWritableSchema {
        try forEachRow(
          "DELETE FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)]
        ) { _ in }
      }
      for part in TrigramTables.parts { try run(TrigramTables.drop("\(name)_\(part)")) }
    }
  }
}
