import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The models that a file has had, and the ids of entities that it does not have any more. A file
/// of an older version of Copal gets the tables with its first migration.
struct MigrationHistory {
  private let connection: Connection
  private let translator = HistoryTranslator(SQLiteDialect())

  init(_ connection: Connection) { self.connection = connection }

  /// What is noted for a file that is made with its first model.
  static let firstPlan = "the store is made"

  /// Makes the tables, with the first model.
  func create(_ mark: ModelMark, now: Date) throws {
    for statement in translator.creation { try connection.run(statement) }
    try add(mark, plan: Self.firstPlan, now: now)
  }

  /// Whether the file has the tables.
  private var exists: Bool {
    get throws {
      try connection.text("SELECT name FROM sqlite_schema WHERE name = 'copal_migrations'") != nil
    }
  }

  /// The hashes of the models that the file has had before its model.
  func formerHashes(before current: String) throws -> Set<String> {
    guard try exists else { return [] }
    return Set(try entries().map(\.hash)).subtracting([current])
  }

  /// All models, the first one first. Empty for a file that was never migrated by this version.
  func entries() throws -> [HistoryTranslator.Entry] {
    guard try exists else { return [] }
    var entries: [HistoryTranslator.Entry] = []
    try connection.forEachRow(translator.entries.text) { row in
      guard let hash = row.text(1), let version = row.integerOrNil(2) else {
        throw damaged("a row of copal_migrations has no hash and version")
      }
      entries.append(
        HistoryTranslator.Entry(
          number: row.integer(0), hash: hash, version: Int(version), seconds: row.real(3),
          writer: row.text(4) ?? "", plan: row.text(5) ?? ""))
    }
    return entries
  }

  /// The number of the next migration. A file without history gets that of its first model, too.
  func nextNumber() throws -> Int64 {
    guard try exists else { return 2 }
    return (try connection.integer("SELECT max(number) FROM copal_migrations") ?? 0) + 1
  }

  /// Adds the model that the file gets.
  ///
  /// - Parameter stored: what the file said before.
  func add(_ mark: ModelMark, plan: String, after stored: StoredModel, now: Date) throws {
    if try !exists {
      try create(ModelMark(hash: stored.hash, version: stored.version), now: now)
    }
    try add(mark, plan: plan, now: now)
  }

  private func add(_ mark: ModelMark, plan: String, now: Date) throws {
    let last = try connection.integer("SELECT max(number) FROM copal_migrations") ?? 0
    guard last >= 0, last < Int64(Int32.max) else {
      throw damaged("copal_migrations has the number \(last)")
    }
    try connection.run(
      translator.insert(
        HistoryTranslator.Entry(
          number: last + 1, hash: mark.hash, version: mark.version, seconds: now.storedSeconds,
          writer: CopalRelease.version, plan: plan)))
  }

  // MARK: Ids of former entities

  /// The ids of former entities.
  ///
  /// - Throws: `store.damagedMetadata` for rows that no migration has written.
  func formerIDs() throws -> FormerIDs {
    guard try exists else { return FormerIDs() }
    var entries: [FormerIDs.Entry] = []
    try connection.forEachRow(translator.formerIDs.text) { row in
      guard let former = row.text(0), let last = row.integerOrNil(1), last >= 0,
        let added = row.integerOrNil(3), added >= 0,
        added.addingReportingOverflow(last).overflow == false,
        row.isNull(2) || row.isText(2)
      else { throw damaged("a row of copal_ids is none that a migration has written") }
      entries.append(
        FormerIDs.Entry(former: former, last: last, entity: row.text(2), added: added))
    }
    return FormerIDs(entries)
  }

  /// Replaces the ids of former entities.
  func replace(with former: FormerIDs) throws {
    for statement in translator.replace(with: former) { try connection.run(statement) }
  }

  private func damaged(_ found: String) -> PersistenceError {
    PersistenceError(.damagedMetadata, path: connection.path, found: found)
  }
}
