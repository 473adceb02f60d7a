import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Lightweight migration: adds tables, columns and indexes to an existing file when it is opened.
extension StoreOpening {
  /// - Returns: what the store said of itself before anything was changed.
  func migrateIfNeeded(_ connection: Connection, _ metadata: StoreMetadata) throws
    -> StoreMetadata.Record
  {
    let format = try connection.integer("PRAGMA user_version") ?? 0
    guard format <= Self.format else {
      throw PersistenceError(
        .newerFormat, path: path, found: "\(format)", expected: "\(Self.format)")
    }
    guard format > 0 else {
      throw PersistenceError(.damagedMetadata, path: path, found: "its store format is \(format)")
    }
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
          .modelDiffers, path: path,
          found: difference.refused.joined(separator: "\n"))
      }
      try applyLightweightMigration(difference, connection)
      try metadata.update(schema)
    }
    return stored
  }

  private func applyLightweightMigration(_ difference: ModelDifference, _ connection: Connection)
    throws
  {
    let translator = SchemaTranslator(SQLiteDialect())
    for layout in difference.addedEntities { try createTable(layout, connection) }
    for (layout, slot) in difference.addedAttributes {
      let mapping = TableMapping(layout)
      try connection.run(translator.addColumn(slot, mapping).text)
      try fill(slot, mapping, connection)
    }
    for layout in difference.changedIndexes {
      for index in translator.indexes(TableMapping(layout)) { try connection.run(index.creation) }
    }
  }

  /// Sets the default of a new attribute in the existing rows.
  private func fill(_ slot: Int, _ mapping: TableMapping, _ connection: Connection) throws {
    let translator = SchemaTranslator(SQLiteDialect())
    switch mapping.layout.attributes[slot].defaultValue {
    case nil: return
    case .value(let value):
      try connection.run(translator.fillColumn(slot, with: value, mapping))
    case .now:
      try connection.run(translator.fillColumn(slot, with: .date(Date()), mapping))
    case .new:
      for key in try connection.integers(
        SelectTranslator(mapping, SQLiteDialect()).keys(
          StoreQuery(entity: mapping.layout.index)))
      {
        try connection.run(translator.setColumn(slot, to: .uuid(UUID()), mapping), key: key)
      }
    }
  }
}
