import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Lightweight migration: adds tables, columns and indexes to an existing file when it is opened.
struct LightweightMigration {
  private let connection: Connection
  private let schema: StoreSchema

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// - Returns: what the store said of itself before anything was changed.
  func migrateIfNeeded() throws -> StoreMetadata.Record {
    let metadata = StoreMetadata(connection)
    let stored = try metadata.read()
    if stored.schemaHash == schema.hash.text { return stored }
    try connection.inImmediateTransaction {
      // Read again under the lock: another process may have migrated the store.
      let stored = try metadata.read()
      if stored.schemaHash == schema.hash.text { return }
      let old = try metadata.readModel()
      let difference = ModelDifference(from: old, to: schema)
      guard difference.refused.isEmpty else {
        throw PersistenceError(
          .modelDiffers, path: connection.path,
          found: difference.refused.joined(separator: "\n"))
      }
      try apply(difference)
      try metadata.update(schema)
    }
    return stored
  }

  private func apply(_ difference: ModelDifference) throws {
    let installer = SchemaInstaller(connection, schema)
    let translator = SchemaTranslator(SQLiteDialect())
    for layout in difference.addedEntities { try installer.createTable(layout) }
    for links in difference.addedLinkTables { try installer.createTable(links) }
    for (layout, slot) in difference.addedColumns {
      let mapping = TableMapping(layout, in: schema)
      try connection.run(translator.addColumn(slot, mapping).text)
      try fill(slot, mapping)
    }
    for layout in difference.changedIndexes {
      try installer.createIndexes(TableMapping(layout, in: schema))
    }
  }

  /// Sets the default of a new attribute in the existing rows.
  private func fill(_ slot: Int, _ mapping: TableMapping) throws {
    let translator = SchemaTranslator(SQLiteDialect())
    switch mapping.layout.attributes[slot].defaultValue {
    case nil: return
    case .value(let value):
      try connection.run(translator.fillColumn(slot, with: value, mapping))
    case .now:
      try connection.run(translator.fillColumn(slot, with: .date(Date()), mapping))
    case .new:
      for key in try connection.integers(
        SelectTranslator(mapping, SQLiteDialect()).statement(
          StoreQuery(entity: mapping.layout.index).shape(.keys)))
      {
        try connection.run(translator.setColumn(slot, to: .uuid(UUID()), mapping), key: key)
      }
    }
  }
}
