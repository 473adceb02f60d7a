import CopalModel
import CopalSQL
import CopalStore

/// The check that the tables of an existing file match the model.
extension StoreOpening {
  /// Checks that the tables match the model, and creates indexes that another tool has dropped. Tables
  /// that were found to be the model's, and have not changed since, are not compared again.
  ///
  /// - Returns: the entities whose key column is not the rowid.
  /// - Throws: `store.damagedSchema` with every difference.
  func inspectTables(
    _ connection: Connection, _ metadata: StoreMetadata, _ record: StoreMetadata.Record
  ) throws -> Set<Int> {
    if let known = record.knownTables, try metadata.tables(for: schema) == known { return [] }
    // Both from one state of the file: another program may change it in between.
    let (tables, found) = try connection.inReadTransaction {
      (try metadata.tables(for: schema), try TableInspection(connection, schema))
    }
    if !found.problems.isEmpty { throw damagedSchema(found.problems) }
    if !found.missingIndexes.isEmpty {
      try connection.inImmediateTransaction { try makeIndexes(found.missingIndexes, connection) }
    } else if found.entitiesWithoutRowID.isEmpty {
      noteInspection(of: tables, connection, metadata)
    }
    return found.entitiesWithoutRowID
  }

  /// Notes that the tables are the model's, so that the next opening need not compare them. When another
  /// connection is writing, the next opening compares them again.
  private func noteInspection(
    of tables: String, _ connection: Connection, _ metadata: StoreMetadata
  ) {
    try? connection.withoutWaiting {
      try connection.inImmediateTransaction { try metadata.note(knownTables: tables) }
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
