import CopalModel
import CopalSQL
import CopalStore

/// Makes the derived columns of tables, and their values, in the open transaction: for a migration,
/// for a store whose values an older version of a function has made, and where another program has
/// removed something.
struct ColumnDerivation {
  private let connection: Connection
  private let schema: StoreSchema
  private let meter: ProgressMeter?
  private let translator = SchemaTranslator(SQLiteDialect())

  init(_ connection: Connection, _ schema: StoreSchema, progress meter: ProgressMeter?) {
    self.connection = connection
    self.schema = schema
    self.meter = meter
  }

  private func family(_ root: Int) -> [TableMapping] {
    schema.kinds(of: root).map { TableMapping(schema.entities[$0], in: schema) }
  }

  // MARK: Tables

  /// Removes the triggers of Copal: they would keep columns from being renamed and removed.
  func dropTriggers() throws {
    var names: [String] = []
    try connection.forEachRow(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'copal\\_stale\\_%' ESCAPE '\\'"
    ) { row in if let name = row.text(0) { names.append(name) } }
    for name in names { try connection.run(translator.dropTrigger(name)) }
  }

  /// Makes the triggers that are missing.
  func createTriggers() throws {
    for root in schema.rootsWithDerivedColumns { try createTrigger(root) }
  }

  private func createTrigger(_ root: Int) throws {
    let family = family(root)
    guard let name = family.first?.triggerName else { return }
    var definition: String?
    try connection.forEachRow(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?", [.text(name)]
    ) { row in definition = row.text(0) }
    if definition == translator.trigger(family)?.text { return }
    if definition != nil { try connection.run(translator.dropTrigger(name)) }
    try SchemaInstaller(connection, schema).createTrigger(family)
  }

  /// Gives a table the derived columns that it lacks, and removes those that it has no more. They
  /// must have no index and no trigger.
  ///
  /// - Returns: whether a column was added.
  func updateColumns(_ root: Int) throws -> Bool {
    let family = family(root)
    guard let table = family.first else { return false }
    let wanted = translator.addDerivedColumns(family)
    let names = Set(wanted.map { $0.name.lowercased() })
    let found = try derivedNames(of: table.tableName)
    for name in found where !names.contains(name.lowercased()) {
      try connection.run(translator.dropDerivedColumn(name, of: table))
    }
    let known = Set(found.map { $0.lowercased() })
    let missing = wanted.filter { !known.contains($0.name.lowercased()) }
    for column in missing { try connection.run(column.sql) }
    return !missing.isEmpty
  }

  /// The columns of a table with the names of derived ones.
  private func derivedNames(of table: String) throws -> [String] {
    var names: [String] = []
    try connection.forEachRow("SELECT name FROM pragma_table_info(?)", [.text(table)]) { row in
      if let name = row.text(0), CopalNaming.isDerived(name) { names.append(name) }
    }
    return names
  }

  /// Makes the columns and the triggers of some tables again where they are missing, and all
  /// values.
  func makeAgain(_ roots: [Int]) throws {
    for root in roots {
      _ = try updateColumns(root)
      try createTrigger(root)
    }
    try deriveAll(of: roots)
  }

  // MARK: Values

  /// Makes the values of all rows of some tables.
  func deriveAll(of roots: [Int]) throws {
    if let meter { for root in roots { meter.expect(try rowCount(root)) } }
    for root in roots { try derive(root) }
  }

  private func rowCount(_ root: Int) throws -> Int {
    let mapping = TableMapping(schema.entities[root], in: schema)
    let sql = DerivedTranslator(SQLiteDialect()).rowCount(mapping)
    return Int(try connection.integers(sql).first ?? 0)
  }

  private func derive(_ root: Int) throws {
    let (family, translator) = (family(root), DerivedTranslator(SQLiteDialect()))
    guard let table = family.first else { return }
    try KeyRanges(connection, table).forEach { keys in
      guard let sql = translator.derive(family, keys) else { return 0 }
      try connection.run(sql)
      let count = connection.changes
      meter?.add(count)
      return count
    }
  }
}
