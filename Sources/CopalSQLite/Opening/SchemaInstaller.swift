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
  func createStore() throws {
    guard try connection.turnLogOn() else {
      throw PersistenceError(
        .cannotOpen, path: connection.path,
        found: "its file system does not support SQLite's write-ahead log")
    }
    let header = StoreHeader(connection)
    let metadata = StoreMetadata(connection)
    try connection.inImmediateTransaction {
      // Another process may have created the store first.
      if try header.isMarked() { return }
      try metadata.createTables()
      for layout in schema.entities where layout.root == layout.index { try createTable(layout) }
      for links in schema.linkTables { try createTable(links) }
      try metadata.write(identifier: UUID(), schema)
      try metadata.note(knownTables: metadata.tables(for: schema))
      try header.write()
    }
  }

  /// Makes the table of a root and its subentities, with its indexes.
  func createTable(_ root: EntityLayout) throws {
    let family = schema.kinds(of: root.index).map { TableMapping(schema.entities[$0], in: schema) }
    try connection.run(SchemaTranslator(SQLiteDialect()).createTable(family).text)
    for mapping in family { try createIndexes(mapping) }
  }

  /// Makes a table of links, with its indexes.
  func createTable(_ links: LinkTable) throws {
    let translator = SchemaTranslator(SQLiteDialect())
    let mapping = LinkMapping(links, in: schema)
    try connection.run(translator.createTable(mapping).text)
    for index in translator.indexes(mapping) { try connection.run(index.creation) }
  }

  /// Makes the indexes of an entity.
  func createIndexes(_ mapping: TableMapping) throws {
    for index in SchemaTranslator(SQLiteDialect()).indexes(mapping) {
      try connection.run(index.creation)
    }
  }
}
