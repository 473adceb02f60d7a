import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Brings the tables of a file to the model that a program opens it with, when the file has an
/// older one.
struct StoreUpgrade {
  private let connection: Connection
  private let request: OpeningRequest
  private let options: SQLiteStore.Options
  private var schema: StoreSchema { request.schema }

  init(_ connection: Connection, _ request: OpeningRequest, _ options: SQLiteStore.Options) {
    self.connection = connection
    self.request = request
    self.options = options
  }

  /// One transaction: the file has the old model or the new one, and never a part of both.
  ///
  /// - Returns: what the store said of itself before anything was changed.
  /// - Throws: `store.modelDiffers` with everything that refuses the migration; the file is as it
  ///   was.
  func migrateIfNeeded() throws -> StoreMetadata.Record {
    let metadata = StoreMetadata(connection)
    let stored = try metadata.read()
    try metadata.check(stored)
    if schema.modelGuard.allows(stored.model) {
      try deriveIfOlder(stored)
      try noteVersion(stored)
      return stored
    }
    try refuseIfOlder()
    try connection.withPageCache(ofKilobytes: Self.pageCacheKilobytes) {
      try connection.inImmediateTransaction {
        // Read again under the lock: another process may have migrated the store.
        let stored = try metadata.read()
        try metadata.check(stored)
        if try decision(stored) == .opens { return }
        let model = try metadata.readModel()
        try connection.unless(request.isCanceled) { try migrate(stored, from: model) }
        if request.isCanceled?() == true {
          throw PersistenceError(.interrupted, path: connection.path)
        }
      }
    }
    return stored
  }

  /// Checks that the store has the model of the program, in the open transaction, which only reads.
  ///
  /// - Throws: `store.newerModel`, `store.migrationNeeded`; also where derived columns would be
  ///   made again.
  func checkIsCurrent() throws -> StoreMetadata.Record {
    let metadata = StoreMetadata(connection)
    let stored = try metadata.read()
    try metadata.check(stored)
    guard try decision(stored) == .opens, !hasOlderFunction(stored) else {
      throw PersistenceError(.migrationNeeded, path: connection.path, found: "\(stored.version)")
    }
    return stored
  }

  /// The page cache of a migration, which goes through the same pages for each removed column.
  private static let pageCacheKilobytes = 24_000

  /// What migrating would do, in the open transaction, which only reads.
  ///
  /// - Returns: nil when there is nothing to do.
  /// - Throws: what opening throws, without what refuses the migration, which is in the plan.
  func plan(_ detail: MigrationPlan.Detail) throws -> MigrationPlan? {
    let metadata = StoreMetadata(connection)
    let stored = try metadata.read()
    try metadata.check(stored)
    if try decision(stored) == .opens { return nil }
    let mapping = ModelMapping(from: try metadata.readModel(), to: schema.model)
    let difference = ModelDifference(mapping)
    let pair = SchemaPair(mapping, to: schema)
    try checkTables(pair.old)
    if detail == .model { return MigrationPlan(difference, fromVersion: stored.version) }
    let folder = ExternalFolder(of: connection.filePath, stored.identifier)
    var counts = try RowCounter(connection, pair, difference, files: folder).counts()
    counts.problems.insert(contentsOf: try problemsOfAbstract(pair, difference), at: 0)
    return MigrationPlan(difference, fromVersion: stored.version, counts: counts) {
      error(of: $0, difference, stored.identifier)
    }
  }

  /// Refuses an older program before it waits for the lock.
  ///
  /// The model and the history are read in one transaction. Otherwise, after a migration by another
  /// process in between, the history has the model of this program before the one that was read.
  private func refuseIfOlder() throws {
    try connection.inReadTransaction { _ = try decision(try StoreMetadata(connection).read()) }
  }

  /// What opening does. The model and the history must be read in one transaction.
  ///
  /// - Throws: `store.newerModel` for an older program.
  private func decision(_ stored: StoreMetadata.Record) throws -> StoreGuard.Decision {
    let decision = try schema.modelGuard.decision(stored.model) {
      try MigrationHistory(connection).formerHashes(before: stored.schemaHash)
    }
    if decision == .isOlder {
      // A store whose model cannot be read is damaged, and not newer.
      _ = try StoreMetadata(connection).readModel()
      throw PersistenceError(
        .newerModel, path: connection.path, found: "\(stored.version)",
        expected: "\(schema.model.version)")
    }
    return decision
  }

  /// Makes the values of derived columns again if an older version of their function has made them.
  private func deriveIfOlder(_ stored: StoreMetadata.Record) throws {
    if !hasOlderFunction(stored) { return }
    try connection.withPageCache(ofKilobytes: Self.pageCacheKilobytes) {
      try connection.inImmediateTransaction {
        // Read again under the lock: another process may have done it.
        let stored = try StoreMetadata(connection).read()
        try StoreMetadata(connection).check(stored)
        guard try decision(stored) == .opens, hasOlderFunction(stored) else { return }
        try connection.unless(request.isCanceled) {
          try deriveAll(request.progress.map { ProgressMeter($0) })
        }
        if request.isCanceled?() == true {
          throw PersistenceError(.interrupted, path: connection.path)
        }
        try StoreMetadata(connection).updateDerivedMark(schema)
        try prepareOthersAgain()
      }
    }
  }

  private func hasOlderFunction(_ stored: StoreMetadata.Record) -> Bool {
    schema.derivedMark(connection.folding, former: stored.folding).map { $0 != stored.folding }
      ?? false
  }

  private func deriveAll(_ meter: ProgressMeter?) throws {
    try ColumnDerivation(connection, schema, progress: meter)
      .makeAgain(schema.rootsWithDerivedColumns)
  }

  /// Makes other connections prepare their statements again, so that they see that something is
  /// another one.
  private func prepareOthersAgain() throws {
    try connection.run("CREATE TABLE copal_changed (number INTEGER)")
    try connection.run("DROP TABLE copal_changed")
  }

  /// Notes a greater version of the same schema.
  private func noteVersion(_ stored: StoreMetadata.Record) throws {
    guard stored.schemaHash == schema.hash.text, stored.version < schema.model.version else {
      return
    }
    try connection.inImmediateTransaction {
      let stored = try StoreMetadata(connection).read()
      guard stored.schemaHash == schema.hash.text, stored.version < schema.model.version else {
        return
      }
      try note(
        stored, plan: "version \(stored.version) to \(schema.model.version)", isHarmless: true)
    }
  }

  private func migrate(_ stored: StoreMetadata.Record, from model: ManagedObjectModel) throws {
    let mapping = ModelMapping(from: model, to: schema.model)
    let difference = ModelDifference(mapping)
    if !difference.refusals.isEmpty { throw refused(difference.refusals) }
    guard request.migrates else {
      throw PersistenceError(
        .migrationNeeded, path: connection.path, found: "\(stored.version)")
    }
    let pair = SchemaPair(mapping, to: schema)
    try checkTables(pair.old)
    try backingUp(pair, for: difference, of: stored) {
      let ids = try run(pair, difference, stored)
      if stored.folding != nil, hasOlderFunction(stored) { try deriveAll(nil) }
      try StoreMetadata(connection).updateDerivedMark(schema)
      try note(
        stored, plan: difference.changes.map(\.description).joined(separator: "\n"),
        isHarmless: difference.isHarmless)
      try noteFormerIDs(ids)
      try prepareOthersAgain()
    }
  }

  /// Notes the model that the file has from now on.
  private func note(_ stored: StoreMetadata.Record, plan: String, isHarmless: Bool) throws {
    let mark = schema.modelGuard.mark
    let model = stored.model.migrated(to: mark, isHarmless: isHarmless)
    try MigrationHistory(connection).add(mark, plan: plan, after: stored.model, now: Date())
    try StoreMetadata(connection).update(schema, mark, accepted: model.accepted)
  }

  private func noteFormerIDs(_ changes: [FormerIDs.Change]) throws {
    if changes.isEmpty { return }
    let history = MigrationHistory(connection)
    try history.replace(with: try history.formerIDs().migrated(changes))
    try StoreMetadata(connection).noteFormerIDs()
  }

  /// Copies the store as it is, under the lock of the migration: nobody can write in the meantime.
  /// When the migration fails, the copy goes.
  private func backingUp(
    _ pair: SchemaPair, for difference: ModelDifference, of stored: StoreMetadata.Record,
    _ body: () throws -> Void
  ) throws {
    let folder = ExternalFolder(of: connection.filePath, stored.identifier)
    let counter = RowCounter(connection, pair, difference, files: folder)
    let isMade = try request.backup.isMade(before: difference) {
      try counter.oneSidedPairs().values.contains { $0 > 0 }
    }
    if !isMade { return try body() }
    let path = try backupPath()
    let reader = try Connection(path: connection.path, options, createsFile: false)
    try reader.unless(request.isCanceled) {
      try StoreBackup(reader, folder, pair.old, to: path, isCanceled: request.isCanceled).run()
    }
    do {
      try body()
    } catch {
      _ = unlink(path)
      try? ExternalFolder(of: path, stored.identifier).erase()
      throw error
    }
  }

  /// The first path that nothing has: `NAME.sqlite-before-3`, or with another number behind it. A
  /// program that was killed during a migration has left its copy.
  private func backupPath() throws -> String {
    let number = try MigrationHistory(connection).nextNumber()
    let path = connection.filePath + "-before-\(number)"
    let paths = [path] + (2...1000).map { "\(path)-\($0)" }
    func isFree(_ path: String) -> Bool {
      ["", "-wal", "-shm", ExternalFolder.suffix].allSatisfy {
        FileStatus(path + $0, followsLinks: false) == nil
      }
    }
    guard let free = paths.first(where: isFree) else {
      throw PersistenceError(.backupExists, path: path)
    }
    return free
  }

  /// Compares the tables with the model that they were made for, before anything is changed.
  private func checkTables(_ old: StoreSchema) throws {
    let found = try TableComparison(connection, old)
    if found.problems.isEmpty { return }
    throw PersistenceError(
      .damagedSchema, path: connection.path, found: found.problems.joined(separator: "\n"))
  }

  private func run(
    _ pair: SchemaPair, _ difference: ModelDifference, _ record: StoreMetadata.Record
  ) throws -> [FormerIDs.Change] {
    let folder = ExternalFolder(of: connection.filePath, record.identifier)
    let abstract = try problemsOfAbstract(pair, difference)
    let run = try MigrationRun(
      connection, pair, files: folder, now: Date(), progress: request.progress)
    do {
      try run.run()
    } catch let error as PersistenceError where error.code == .migrationOtherProgram {
      throw refused([error])
    }
    let problems = abstract + run.problems
    if !problems.isEmpty {
      throw refused(problems.map { error(of: $0, difference, record.identifier) })
    }
    return try run.changesOfIDs()
  }

  private func refused(_ causes: [PersistenceError]) -> PersistenceError {
    PersistenceError(
      .modelDiffers, path: connection.path,
      expected:
        "during development you can erase the store with SQLiteStore.Options(erasesWhenModelDiffers: true)",
      causes: causes)
  }

  private func error(
    of problem: RowProblem, _ difference: ModelDifference, _ identifier: UUID
  ) -> PersistenceError {
    // An id of the older model: the file stays what it is.
    difference.error(of: problem) {
      ManagedObjectID(store: identifier, entityName: $0.root, key: $0.key)
    }
  }

  /// The entities that are abstract now, and of which the store has objects.
  private func problemsOfAbstract(_ pair: SchemaPair, _ difference: ModelDifference) throws
    -> [RowProblem]
  {
    let translator = RowCountTranslator(SQLiteDialect())
    return try difference.changes.compactMap { change -> RowProblem? in
      guard change.kind == .abstract, change.refusal != nil,
        let index = schema.layout(change.entity)?.index
      else { return nil }
      let count = try pair.mapping.oldEntities(of: index).reduce(Int64(0)) { sum, former in
        let mapping = TableMapping(pair.old.entities[former], in: pair.old)
        return sum + (try connection.integers(translator.objectCount(mapping)).first ?? 0)
      }
      return RowProblem.abstract(change.entity, count: Int(count))
    }
  }
}
