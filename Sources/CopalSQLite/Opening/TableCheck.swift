import CopalModel
import CopalSQL
import CopalStore

/// The check that the tables of an existing file match the model.
struct TableCheck {
  private let connection: Connection
  private let schema: StoreSchema
  private let metadata: StoreMetadata

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
    metadata = StoreMetadata(connection)
  }

  /// Checks that the tables match the model, and creates indexes that another tool has dropped.
  /// Tables that this process has found to be the model's are not compared again.
  ///
  /// - Returns: the entities whose key column is not the rowid; nil when another program has
  ///   migrated the store since the record was read.
  /// - Throws: `store.damagedSchema` with every difference.
  func check(_ record: StoreMetadata.Record) throws -> Set<Int>? {
    if ComparedTables.contain(try ComparedTables.texts(in: connection), of: schema) { return [] }
    // All from one state of the file: another program may change it in between.
    let (texts, found, hash) = try connection.inReadTransaction {
      (
        try ComparedTables.texts(in: connection), try TableComparison(connection, schema),
        try metadata.schemaHash()
      )
    }
    if hash != record.schemaHash, hash != schema.hash.text { return nil }
    if !found.problems.isEmpty { throw damagedSchema(found.problems) }
    // The tables of a newer model serve as they are.
    if record.schemaHash != schema.hash.text, schema.modelGuard.allows(record.model) {
      return found.entitiesWithoutRowID
    }
    if !found.missingIndexes.isEmpty || !found.rootsToDerive.isEmpty {
      try connection.inImmediateTransaction {
        try ColumnDerivation(connection, schema, progress: nil).makeAgain(found.rootsToDerive)
        try createIndexes(found.missingIndexes)
      }
    } else if found.entitiesWithoutRowID.isEmpty {
      ComparedTables.note(texts, of: schema)
    }
    return found.entitiesWithoutRowID
  }

  /// Checks that the tables match the model, in the open transaction, which only reads. Indexes may
  /// be missing.
  ///
  /// - Returns: the entities whose key column is not the rowid.
  /// - Throws: `store.damagedSchema` with every difference.
  func checkForReading() throws -> Set<Int> {
    let found = try TableComparison(connection, schema)
    if !found.problems.isEmpty { throw damagedSchema(found.problems) }
    return found.entitiesWithoutRowID
  }

  /// Creates the indexes that are missing.
  ///
  /// - Throws: `store.damagedSchema` with every unique one that the rows do not allow any more.
  private func createIndexes(_ missing: [SchemaTranslator.Index]) throws {
    var problems: [String] = []
    var indexes = try FileIndexes(connection)
    // Another program may have created it in the meantime.
    for index in missing where !indexes.contains(index.shape) {
      do {
        try connection.run(index.creation(named: indexes.freeName(for: index)))
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
      .damagedSchema, path: connection.path, found: problems.joined(separator: "\n"))
  }
}
