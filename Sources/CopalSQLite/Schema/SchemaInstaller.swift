import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Makes the tables and indexes of a model in a file.
struct SchemaInstaller {
  private let connection: Connection
  private let schema: StoreSchema

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// Makes a new store in an empty file, in one transaction.
  ///
  /// The transaction waits for the disk. Otherwise a loss of power could leave an empty file beside
  /// the files of large values, which are synced before their saves.
  func createStore() throws {
    try connection.withFullDurability {
      guard try connection.turnLogOn() else {
        throw PersistenceError(
          .cannotOpen, path: connection.path,
          found: "its file system does not support SQLite's write-ahead log")
      }
      try connection.inImmediateTransaction {
        // Another process may have created the store first.
        if try !StoreHeader(connection).isMarked() { try createTables() }
      }
    }
  }

  private func createTables() throws {
    let metadata = StoreMetadata(connection)
    try metadata.createTables()
    try MigrationHistory(connection).create(schema.modelGuard.mark, now: Date())
    var indexes = try FileIndexes(connection)
    for layout in schema.entities where layout.root == layout.index {
      try createTable(layout, &indexes)
    }
    for links in schema.linkTables { try createTable(links, &indexes) }
    try metadata.write(identifier: UUID(), schema)
    try StoreHeader(connection).write()
  }

  /// Makes the table of a root and its subentities, with its indexes.
  func createTable(_ root: EntityLayout, _ indexes: inout FileIndexes) throws {
    let family = schema.kinds(of: root.index).map { TableMapping(schema.entities[$0], in: schema) }
    try createTable(family)
    for index in family.flatMap(SchemaTranslator(SQLiteDialect()).indexes) {
      try create(index, &indexes)
    }
    for sql in Self.triggers(family) { try connection.run(sql) }
    for trigrams in family.flatMap(\.ownTrigrams) {
      try connection.run(TrigramTables.create(trigrams))
    }
  }

  /// The statements that make the triggers by which other programs mark the rows of a table that
  /// they change, and note the keys that they remove, if the table needs them.
  static func triggers(_ family: [TableMapping]) -> [SQLStatement] {
    let marks = SchemaTranslator(SQLiteDialect()).trigger(family).map { [$0] } ?? []
    let gone = TrigramTables.goneTriggers(family).inOrder { $0.key < $1.key }.map(\.value)
    guard let root = family.first, !gone.isEmpty else { return marks }
    return marks + [TrigramTables.createGone(root)] + gone
  }

  /// Makes the table of a root and its subentities, without indexes.
  func createTable(_ family: [TableMapping]) throws {
    try connection.run(SchemaTranslator(SQLiteDialect()).createTable(family).text)
  }

  /// Makes a table of links, with its indexes.
  func createTable(_ links: LinkTable, _ indexes: inout FileIndexes) throws {
    let mapping = LinkMapping(links, in: schema)
    try createTable(mapping)
    for index in SchemaTranslator(SQLiteDialect()).indexes(mapping) { try create(index, &indexes) }
  }

  /// Makes a table of links, without indexes.
  func createTable(_ links: LinkMapping) throws {
    try connection.run(SchemaTranslator(SQLiteDialect()).createTable(links).text)
  }

  /// Another table may have an index of this name, which it had when it had the table's name.
  private func create(_ index: SchemaTranslator.Index, _ indexes: inout FileIndexes) throws {
    try connection.run(index.creation(named: indexes.freeName(for: index)))
  }
}
