import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Compares the tables and indexes of a file with the model when a store is opened.
///
/// Another tool may have dropped a column or an index, or rebuilt a table. That is reported here,
/// in one error with every difference, and not in the middle of a later fetch or save. Unchanged
/// tables cost one statement in all; changed ones are compared column by column.
struct TableComparison {
  private let connection: Connection
  private let schema: StoreSchema
  /// Every table and index of the file, with the SQL that created it.
  private let definitions: [String: String]
  private let translator = SchemaTranslator(SQLiteDialect())
  /// The tables to which columns of other tables refer.
  private let referencedTables: Set<String>
  private let indexes: FileIndexes
  /// What the model's indexes are. An index of another table may have the name of one of them: a
  /// renamed table keeps the names of its indexes.
  private let wantedShapes: Set<SchemaTranslator.IndexShape>

  /// The differences, one line each.
  private(set) var problems: [String] = []
  private(set) var missingIndexes: [SchemaTranslator.Index] = []
  /// The roots of the tables that lack a derived column, or the trigger that marks rows: what
  /// another program has written in the meantime has no mark.
  private(set) var rootsToDerive: [Int] = []
  /// The entities whose key column is not the rowid.
  private(set) var entitiesWithoutRowID: Set<Int> = []

  init(_ connection: Connection, _ schema: StoreSchema) throws {
    self.connection = connection
    self.schema = schema
    definitions = try Self.definitions(connection)
    indexes = try FileIndexes(connection)
    let translator = translator
    wantedShapes = Set(
      (schema.entities.flatMap { translator.indexes(TableMapping($0, in: schema)) }
        + schema.linkTables.flatMap { translator.indexes(LinkMapping($0, in: schema)) })
        .map(\.shape))
    referencedTables = Set(
      schema.entities.flatMap { TableMapping($0, in: schema).ownReferences.map(\.table) }
        + schema.linkTables.flatMap { LinkMapping($0, in: schema).references.map(\.table) })
    // The table of last keys prevents the key of a deleted object from being used again.
    if definitions["copal_keys"] != LastKeys.table { try LastKeys(connection).check() }
    for layout in schema.entities where layout.root == layout.index {
      try compare(
        schema.kinds(of: layout.index).map { TableMapping(schema.entities[$0], in: schema) })
    }
    for links in schema.linkTables { try compare(LinkMapping(links, in: schema)) }
  }

  private static func definitions(_ connection: Connection) throws -> [String: String] {
    var found: [String: String] = [:]
    try connection.forEachRow(
      "SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'index', 'trigger') AND sql IS NOT NULL"
    ) { row in
      if let name = row.text(0) { found[name] = row.text(1) }
    }
    return found
  }

  /// Compares the table of a root and its subentities.
  private mutating func compare(_ family: [TableMapping]) throws {
    guard let root = family.first else { return }
    let definition = definitions[root.tableName]
    if definition != translator.createTable(family).text {
      try compareColumns(family)
      // `INTEGER PRIMARY KEY` is the rowid unless the table is WITHOUT ROWID or the key is
      // descending. So only Copal's own definition is accepted without a check.
      if definition?.hasPrefix(translator.tableHead(root)) != true {
        entitiesWithoutRowID.formUnion(family.map(\.layout.index))
      }
    }
    if let trigger = translator.trigger(family),
      try definitions[root.triggerName] != trigger.text || lacksDerivedColumn(family)
        || lacksTrigrams(family)
    {
      rootsToDerive.append(root.layout.index)
    }
    for mapping in family {
      for index in translator.indexes(mapping) where !indexes.contains(index.shape) {
        if isNameFree(index.name) {
          missingIndexes.append(index)
        } else if try !isSame(index, mapping) {
          problems.append(Self.differs(index.name))
        }
      }
    }
  }

  /// Whether a table lacks a derived column, or the one that marks rows.
  private func lacksDerivedColumn(_ family: [TableMapping]) throws -> Bool {
    guard let root = family.first,
      definitions[root.tableName] != translator.createTable(family).text
    else { return false }
    let columns = try columns(of: root.tableName)
    return translator.addDerivedColumns(family).contains { columns[$0.name.lowercased()] == nil }
  }

  /// Whether a table of trigrams is missing or another one, or what notes removed keys.
  private func lacksTrigrams(_ family: [TableMapping]) -> Bool {
    let triggers = TrigramTables.goneTriggers(family)
    guard let root = family.first, !triggers.isEmpty else { return false }
    return definitions[root.goneName] == nil
      || triggers.contains { name, trigger in definitions[name] != trigger.text }
      || family.flatMap(\.ownTrigrams).contains { trigrams in
        definitions[trigrams.name] != TrigramTables.create(trigrams).text
          || TrigramTables.parts.contains { definitions["\(trigrams.name)_\($0)"] == nil }
      }
  }

  // MARK: Columns

  private struct Column {
    var type: String
    var isGenerated: Bool
    var primaryKeyPosition: Int64
  }

  private func columns(of table: String) throws -> [String: Column] {
    var columns: [String: Column] = [:]
    try connection.forEachRow(
      "SELECT name, type, hidden, pk FROM pragma_table_xinfo(?)", [.text(table)]
    ) { row in
      guard let column = row.text(0) else { return }
      columns[column.lowercased()] = Column(
        type: row.text(1) ?? "", isGenerated: row.integer(2) != 0,
        primaryKeyPosition: row.integer(3))
    }
    return columns
  }

  /// Reports each column that does not refer to a table as the model's.
  private mutating func compareReferences(
    _ wanted: [(column: String, table: String)], of name: String
  )
    throws
  {
    if wanted.isEmpty { return }
    var found: Set<[String]> = []
    try connection.forEachRow(
      #"SELECT "from", "table" FROM pragma_foreign_key_list(?)"#, [.text(name)]
    ) { row in found.insert([row.text(0) ?? "", row.text(1) ?? ""].map { $0.lowercased() }) }
    for (column, table) in wanted where !found.contains([column, table].map { $0.lowercased() }) {
      problems.append("the column \(column) of \(name) does not refer to the table \(table)")
    }
  }

  /// Compares a table of links, and notes its missing indexes.
  private mutating func compare(_ mapping: LinkMapping) throws {
    let name = mapping.names.table
    if definitions[name] != translator.createTable(mapping).text {
      let columns = try columns(of: name)
      if columns.isEmpty {
        problems.append("the table \(name) is missing")
        return
      }
      for (column, position) in mapping.integerColumns {
        guard let found = columns[column.lowercased()] else {
          problems.append("\(name) has no column \(column)")
          continue
        }
        if found.isGenerated || !ColumnAffinity(found.type, isStrict: false).keeps(.integer) {
          problems.append("the column \(column) of \(name) cannot hold every number")
        } else if let position, found.primaryKeyPosition != position {
          problems.append("the column \(column) of \(name) has another place in the primary key")
        }
      }
      try compareReferences(mapping.references, of: name)
    }
    for index in translator.indexes(mapping) where !indexes.contains(index.shape) {
      if isNameFree(index.name) {
        missingIndexes.append(index)
      } else {
        problems.append(Self.differs(index.name))
      }
    }
  }

  /// Whether no index has a name, or only one that the model wants for another table.
  private func isNameFree(_ name: String) -> Bool {
    guard let definition = definitions[name] else { return true }
    return FileIndexes.shape(definition).map(wantedShapes.contains) == true
  }

  private static func differs(_ index: String) -> String {
    "the index '\(index)' differs from the model's; drop it, so that Copal can create it again"
  }

  private mutating func compareColumns(_ family: [TableMapping]) throws {
    guard let root = family.first else { return }
    let name = root.tableName
    var kind: String?
    var isStrict = false
    try connection.forEachRow(
      "SELECT type, strict, wr FROM pragma_table_list(?) WHERE schema = 'main'", [.text(name)]
    ) { row in
      kind = row.text(0)
      isStrict = row.integer(1) != 0
      // The table is WITHOUT ROWID.
      if row.integer(2) != 0 { entitiesWithoutRowID.formUnion(family.map(\.layout.index)) }
    }
    guard kind == "table" else {
      problems.append(
        kind.map { "\(name) is a \($0), not a table" } ?? "the table \(name) is missing")
      return
    }
    let columns = try columns(of: name)
    var wanted = [(root.keyName, StorageType.integer), (root.versionName, .integer)]
    if let entity = root.entityColumnName { wanted.append((entity, .text)) }
    for mapping in family {
      wanted += mapping.layout.ownColumns.map { (mapping.columnNames[$0.slot], $0.storage) }
    }
    for (column, storage) in wanted {
      guard let found = columns[column.lowercased()] else {
        problems.append("\(name) has no column \(column)")
        continue
      }
      if found.isGenerated {
        problems.append(
          "the column \(column) of \(name) is a generated column, which cannot be written")
      } else if !ColumnAffinity(found.type, isStrict: isStrict).keeps(storage) {
        problems.append(
          "the column \(column) of \(name) has the type \(found.type), whose affinity changes \(storage.rawValue.uppercased()) values"
        )
      } else if storage == .text, let collation = connection.collation(of: column, in: name),
        collation.uppercased() != "BINARY"
      {
        problems.append(
          "the column \(column) of \(name) has the collation \(collation), by which different texts can be equal"
        )
      }
    }
    try compareReferences(family.flatMap(\.ownReferences), of: name)
    // SQLite refuses every write of a row that refers to such a table.
    if referencedTables.contains(name), let key = columns[root.keyName.lowercased()],
      try !isUnique(root.keyName, key, columns, of: name)
    {
      problems.append(
        "the column \(root.keyName) of \(name) is not unique, and other tables refer to it")
    }
  }

  /// Whether a column alone is the primary key, or has a unique index.
  private func isUnique(
    _ name: String, _ column: Column, _ columns: [String: Column], of table: String
  ) throws -> Bool {
    let keyCount = columns.values.count { $0.primaryKeyPosition > 0 }
    if column.primaryKeyPosition == 1, keyCount == 1 { return true }
    var isUnique = false
    try connection.forEachRow(
      """
      SELECT 1 FROM pragma_index_list(?) list WHERE "unique" = 1 AND partial = 0
      AND (SELECT count(*) FROM pragma_index_info(list.name)) = 1
      AND (SELECT lower(name) FROM pragma_index_info(list.name)) = ?
      """, [.text(table), .text(name.lowercased())]
    ) { _ in isUnique = true }
    return isUnique
  }

  // MARK: Indexes

  /// Whether an index with another definition is equivalent, for example with the attributes of a
  /// constraint in another order.
  private func isSame(_ index: SchemaTranslator.Index, _ mapping: TableMapping) throws -> Bool {
    // The conditions of partial indexes are compared as texts.
    if index.isPartial {
      guard let definition = definitions[index.name],
        let start = definition.firstRange(of: ") WHERE ")?.upperBound,
        translator.hasCondition(String(definition[start...]), index, mapping)
      else { return false }
    }
    var isUnique = false
    var isPartial = !index.isPartial
    try connection.forEachRow(
      "SELECT \"unique\", partial FROM pragma_index_list(?) WHERE name = ?",
      [.text(mapping.tableName), .text(index.name)]
    ) { row in
      isUnique = row.integer(0) != 0
      isPartial = row.integer(1) != 0
    }
    var columns: [String] = []
    try connection.forEachRow(
      "SELECT name, coll, \"desc\" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno",
      [.text(index.name)]
    ) { row in
      let direction = row.integer(2) == 0 ? "" : " desc"
      columns.append("\(row.text(0) ?? "") \(row.text(1) ?? "")\(direction)".lowercased())
    }
    let wanted = index.columns.map { column in
      column.lowercased() + " binary" + (index.descending.contains(column) ? " desc" : "")
    }
    let hasColumns = index.isUnique ? columns.inOrder() == wanted.inOrder() : columns == wanted
    return hasColumns && isUnique == index.isUnique && isPartial == index.isPartial
  }
}

/// The type affinity of a column, by which SQLite converts values:
/// <https://www.sqlite.org/datatype3.html>.
enum ColumnAffinity {
  case integer, text, real, numeric, none

  /// The affinity of a declared type.
  init(_ type: String, isStrict: Bool) {
    let type = type.uppercased()
    if type.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") || (isStrict && type == "ANY") {
      self = .none
    } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether values of a storage class are stored unchanged.
  func keeps(_ storage: StorageType) -> Bool {
    switch storage {
    case .integer: self == .integer || self == .numeric || self == .none
    case .real: self == .real || self == .none
    case .text: self == .text || self == .none
    case .blob: true
    }
  }
}
