import CopalModel
import CopalSQL
import CopalStore

/// The session of one context with a SQLite file.
final class SQLiteSession: StoreSession {
  let store: SQLiteStore
  let connection: Connection
  // @exclusivity(unchecked): a session is confined to one isolation, and these are accessed in
  // every call.
  @exclusivity(unchecked) private var tables: [EntityTable?]
  @exclusivity(unchecked) var readTransactionDepth = 0
  /// The open transaction of several commits; nil for none.
  var transaction: OpenTransaction?
  /// The keys of undone transactions that could not be noted as used, by root entity.
  var unnotedKeys: [String: Int64] = [:]
  private var linkRows: [LinkRows?]
  /// The texts of the statements of `fetchRelated`: the connection keeps the prepared statements.
  var relatedStatements: [RelatedStatement: String] = [:]

  /// The prepared statements of `fetchRows(of:)`, by text.
  var rawStatements: [String: Statement] = [:]

  init(_ store: SQLiteStore, _ connection: Connection) {
    self.store = store
    self.connection = connection
    tables = [EntityTable?](repeating: nil, count: store.schema.entities.count)
    linkRows = [LinkRows?](repeating: nil, count: store.schema.linkTables.count)
  }

  deinit {
    connection.watch.handler = nil
    connection.endStatements(when: nil)
    while transaction != nil { rollBackTransaction() }
    if connection.isInTransaction { try? connection.run("ROLLBACK") }
    // Statements end before another session, perhaps on another thread, gets the connection.
    tables = []
    rawStatements = [:]
    store.release(connection)
  }

  /// The statements of an entity, made on first use.
  func table(_ entity: Int) -> EntityTable {
    if let table = tables[entity] { return table }
    let made = EntityTable(
      store.schema.entities[entity], store.schema, connection,
      keysAreRowIDs: !store.entitiesWithoutRowID.contains(entity))
    tables[entity] = made
    return made
  }

  /// A table of links, made on first use.
  func links(_ table: Int) -> LinkRows {
    if let rows = linkRows[table] { return rows }
    let made = LinkRows(store.schema.linkTables[table], store.schema, connection)
    linkRows[table] = made
    return made
  }

  func reportStatements(to handler: ((ExecutedStatement) -> Void)?) -> Bool {
    connection.watch.handler = handler
    return true
  }

  func endCalls(when isCanceled: (@Sendable () -> Bool)?) {
    connection.endStatements(when: isCanceled)
  }

  func id(_ key: Int64, _ layout: EntityLayout) -> ManagedObjectID {
    // Made for this id alone: a fetch may report very many rows.
    let family = EntityFamily(
      store: store.identifier, root: store.schema.entities[layout.root].name)
    return ManagedObjectID(EntityIdentity(family, name: layout.name, index: layout.index), key)
  }

  /// Refuses to write when another program has migrated the file in the meantime, because this
  /// program does not know the new columns.
  func checkModel() throws { try connection.checkModel() }

  // MARK: Read transactions

  func beginReadTransaction() throws { readTransactionDepth += 1 }

  func endReadTransaction() {
    readTransactionDepth -= 1
    // COMMIT of a read transaction writes nothing. If it fails, the next use of the connection
    // throws.
    if readTransactionDepth == 0, connection.isInTransaction { try? connection.run("COMMIT") }
  }

  /// Begins the SQL transaction of a read transaction at its first statement. Every read calls
  /// this.
  @inline(__always)
  func prepareToRead() throws {
    try connection.countRead()
    try connection.checkIsUnchanged()
    if readTransactionDepth > 0, !connection.isInTransaction { try beginView() }
  }

  @inline(never)
  private func beginView() throws {
    if transaction != nil { try checkTransaction() }
    try connection.run("BEGIN")
  }

  /// Ends the snapshot of a read transaction, so that later reads see the current state of the
  /// store. In a transaction, there is none.
  func endView() throws {
    if transaction != nil { return try checkTransaction() }
    if connection.isInTransaction { try connection.run("COMMIT") }
  }
}

/// A statement of `fetchRelated`: the relationship, the owners, and whether it reads no values.
struct RelatedStatement: Hashable {
  let entity: Int
  let relationship: Int
  let owners: RelatedTranslator.Owners
  let readsKeysOnly: Bool
}
