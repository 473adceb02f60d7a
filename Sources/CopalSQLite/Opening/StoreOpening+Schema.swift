import CopalModel
import CopalSQL
import CopalStore
import Foundation

/// The tables of a store that exists: lightweight migration, and the check that they are as the model has them.
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

  /// Turns the write-ahead log on. A copy of a store made by another tool may lack it.
  func keepLog(_ connection: Connection) throws {
    try connection.run("PRAGMA journal_mode=WAL")
  }

  /// Checks that the tables match the model, and creates indexes that another tool has dropped. A
  /// schema that nobody has changed since it was last looked at is not looked at again.
  ///
  /// - Returns: the entities whose key column is not the rowid.
  /// - Throws: `store.damagedSchema` with every difference.
  func inspectTables(
    _ connection: Connection, _ metadata: StoreMetadata, _ record: StoreMetadata.Record
  ) throws -> Set<Int> {
    let version = try metadata.schemaVersion()
    if let version, version == record.knownSchemaVersion { return [] }
    let found = try TableInspection(connection, schema)
    if !found.problems.isEmpty { throw damagedSchema(found.problems) }
    if !found.missingIndexes.isEmpty {
      try connection.inImmediateTransaction { try makeIndexes(found.missingIndexes, connection) }
    } else if found.entitiesWithoutRowID.isEmpty, let version {
      noteInspection(of: version, connection, metadata)
    }
    return found.entitiesWithoutRowID
  }

  /// Notes that a schema is in order, so that the next opening need not look at it. When another connection
  /// is writing, the next opening looks again.
  private func noteInspection(
    of version: Int64, _ connection: Connection, _ metadata: StoreMetadata
  ) {
    try? connection.withoutWaiting {
      try connection.inImmediateTransaction { try metadata.note(knownSchemaVersion: version) }
    }
  }

  /// Makes the indexes that are missing.
  ///
  /// - Throws: `store.damagedSchema` with every unique one that the rows do not allow any more.
  private func makeIndexes(_ indexes: [SchemaTranslator.Index], _ connection: Connection) throws {
    var problems: [String] = []
    for index in indexes {
      do {
        try connection.run(index.creation)
      } catch let error as PersistenceError where SQLiteFailure.isUniqueConflict(error) {
        problems.append(
          "the unique index '\(index.name)' is missing and cannot be created again, because rows have the same values"
        )
      }
    }
    if !problems.isEmpty { throw damagedSchema(problems) }
  }

  private func damagedSchema(_ problems: [String]) -> PersistenceError {
    PersistenceError(
      .damagedSchema, path: path, found: problems.joined(separator: "\n"))
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
