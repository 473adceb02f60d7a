import CopalModel
import CopalSQL
import CopalStore

/// The check that the tables of an existing file match the model.
extension StoreOpening {
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
}
