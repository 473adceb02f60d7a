import CopalModel
import CopalSQL
import CopalStore

/// One context's conversation with a SQLite file.
final class SQLiteSession: StoreSession {
  let store: SQLiteStore
  let connection: Connection
  // @exclusivity(unchecked): a session is confined to one isolation, and every call passes here.
  @exclusivity(unchecked) private var tables: [EntityTable?]
  @exclusivity(unchecked) private var readTransactionDepth = 0

  init(_ store: SQLiteStore, _ connection: Connection) {
    self.store = store
    self.connection = connection
    tables = [EntityTable?](repeating: nil, count: store.schema.entities.count)
  }

  deinit {
    if connection.isInTransaction { try? connection.run("ROLLBACK") }
    // Statements end before the connection is another session's, which may be on another thread.
    tables = []
    store.release(connection)
  }

  /// The statements of an entity, made when they are first wanted.
  func table(_ entity: Int) -> EntityTable {
    if let table = tables[entity] { return table }
    let made = EntityTable(
      store.schema.entities[entity], connection,
      keysAreRowIDs: !store.entitiesWithoutRowID.contains(entity))
    tables[entity] = made
    return made
  }

  func id(_ key: Int64, _ layout: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(
      EntityIdentity(store: store.identifier, name: layout.name, index: layout.index), key)
  }

  // MARK: Readings

  func beginReadTransaction() throws { readTransactionDepth += 1 }

  func endReadTransaction() {
    readTransactionDepth -= 1
    // A read-only COMMIT only lets go; if it fails, the connection says so at its next use.
    if readTransactionDepth == 0, connection.isInTransaction { try? connection.run("COMMIT") }
  }

  /// Opens the transaction of a reading at its first statement. Every read begins with it.
  @inline(__always)
  func prepareToRead() throws {
    try connection.countRead()
    if readTransactionDepth > 0, !connection.isInTransaction { try connection.run("BEGIN") }
  }

  /// Ends the view that a reading has, so that what follows sees the store as it is now.
  func endView() throws {
    if connection.isInTransaction { try connection.run("COMMIT") }
  }
}
