import CopalEssentials
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
  ///
  /// - Returns: whether they were those of a release that did not notice other keys.
  func dropTriggers() throws -> Bool {
    let names = try names(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND (name LIKE 'copal\\_stale\\_%' ESCAPE '\\' OR name LIKE 'copal\\_gone\\_%' ESCAPE '\\')"
    )
    for name in names { try connection.run(translator.dropTrigger(name)) }
    return CopalNaming.lackKeyTriggers(names)
  }

  private func names(_ sql: String) throws -> [String] {
    var names: [String] = []
    try connection.forEachRow(sql) { row in if let name = row.text(0) { names.append(name) } }
    return names
  }

  /// Makes the triggers that are missing.
  func createTriggers() throws {
    for root in schema.rootsWithDerivedColumns { try createTriggers(root) }
  }

  private func createTriggers(_ root: Int) throws {
    let family = family(root)
    guard let table = family.first else { return }
    var found: [String: String] = [:]
    try connection.forEachRow(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name IN (?, ?, ?)",
      [table.triggerName, table.goneTriggerName, table.keyTriggerName].map { .text($0) }
    ) { row in if let name = row.text(0) { found[name] = row.text(1) } }
    let wanted = SchemaInstaller.triggers(family)
    for (name, text) in found where !wanted.contains(where: { $0.text == text }) {
      try connection.run(translator.dropTrigger(name))
    }
    for sql in wanted where !found.values.contains(sql.text) { try connection.run(sql) }
  }

  /// Gives a table the derived columns that it lacks, and removes those that it has no more. They
  /// must have no index and no trigger.
  ///
  /// - Returns: whether a column was added.
  func updateColumns(_ root: Int) throws -> Bool {
    let family = family(root)
    guard let table = family.first else { return false }
    let wanted = translator.addDerivedColumns(family)
    let types = Dictionary(
      wanted.map { ($0.name.lowercased(), $0.type) }, uniquingKeysWith: { first, _ in first })
    let found = try derivedNames(of: table.tableName)
    // A projection can have another type than in the model before.
    func isKept(_ column: (name: String, type: String)) -> Bool {
      types[column.name.lowercased()] == column.type
    }
    for column in found where !isKept(column) {
      try connection.run(translator.dropDerivedColumn(column.name, of: table))
    }
    let known = Set(found.filter(isKept).map { $0.name.lowercased() })
    let missing = wanted.filter { !known.contains($0.name.lowercased()) }
    for column in missing { try connection.run(column.sql) }
    return !missing.isEmpty
  }

  /// The columns of a table with the names of derived ones.
  private func derivedNames(of table: String) throws -> [(name: String, type: String)] {
    var columns: [(name: String, type: String)] = []
    try connection.forEachRow("SELECT name, type FROM pragma_table_info(?)", [.text(table)]) {
      if let name = $0.text(0), CopalNaming.isDerived(name) {
        columns.append((name, $0.text(1) ?? ""))
      }
    }
    return columns
  }

  /// Makes the columns and the triggers of some tables again where they are missing, all values,
  /// and the tables of trigrams.
  func makeAgain(_ roots: [Int]) throws {
    // A table of trigrams may be missing, or damaged.
    try connection.dropTrigramTriggers()
    for root in roots {
      _ = try updateColumns(root)
      try createTriggers(root)
    }
    try deriveAll(of: roots)
    try updateTrigrams(makingAgain: Set(roots))
  }

  // MARK: Trigrams

  /// Makes the tables of trigrams that are missing, and again those of some roots. Removes those of
  /// former attributes.
  func updateTrigrams(makingAgain roots: Set<Int>) throws {
    let tables = schema.entities.map { TableMapping($0, in: schema) }.flatMap { mapping in
      mapping.ownTrigrams.map { (trigrams: $0, mapping: mapping) }
    }
    let wanted = Set(tables.map(\.trigrams.name))
    let found = Set(
      try names(
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%' AND name LIKE 'copal\\_substring\\_%' ESCAPE '\\'"
      ))
    for name in found.subtracting(wanted).inOrder() { try connection.dropTrigrams(name) }
    if wanted.isEmpty, !found.isEmpty, let root = schema.entities.first {
      try connection.run(TrigramTables.dropGone(TableMapping(root, in: schema)))
    }
    let lacking = tables.filter {
      roots.contains($0.mapping.layout.root) || !found.contains($0.trigrams.name)
    }
    if let meter { for (_, table) in lacking { meter.expect(try rowCount(table.layout.root)) } }
    for (trigrams, mapping) in lacking {
      try connection.dropTrigrams(trigrams.name)
      try connection.run(TrigramTables.create(trigrams))
      try KeyRanges(connection, mapping).forEach { keys in
        guard let sql = TrigramTables.fill(trigrams, mapping, keys) else { return 0 }
        try connection.run(sql)
        let count = connection.changes
        meter?.add(count)
        return count
      }
    }
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
    if let sql = translator.markAll(family) { try connection.run(sql) }
    // A container that has the transformers of the projections derives the marked rows.
    if !table.canDerive { return }
    try KeyRanges(connection, table).forEach { keys in
      guard let sql = translator.derive(family, keys) else { return 0 }
      try connection.run(sql)
      let count = connection.changes
      meter?.add(count)
      return count
    }
  }
}
