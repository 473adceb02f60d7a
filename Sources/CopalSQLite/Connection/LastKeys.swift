import CopalModel
import CopalSQL
import CopalStore

/// The last key of each root entity, in a small table of the store. Keys are not used twice, so
/// that an id always means the same object.
struct LastKeys {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The statement that creates the table.
  static let table =
    "CREATE TABLE copal_keys (entity TEXT PRIMARY KEY NOT NULL, last INTEGER NOT NULL)"

  private static let get = "SELECT last FROM copal_keys WHERE entity = ?1"

  private static let put =
    "INSERT INTO copal_keys (entity, last) VALUES (?1, ?2) ON CONFLICT (entity) DO UPDATE SET last = excluded.last"

  /// Checks that the table can be used, because another tool may have rebuilt it.
  ///
  /// - Throws: `store.damagedMetadata`.
  func check() throws {
    do {
      for sql in [Self.get, Self.put] { _ = try connection.statement(sql) }
    } catch let error as PersistenceError where error.code == .backend {
      throw damaged(error.found ?? "", error)
    }
  }

  /// The last key of a root entity; 0 before its first object.
  ///
  /// - Throws: `store.damagedMetadata` when another program has stored an invalid key.
  subscript(entity: String) -> Int64 {
    get throws {
      let statement = try connection.statement(Self.get)
      defer { statement.reset() }
      try statement.setPlaceholders([.text(entity)])
      guard try statement.step() else { return 0 }
      guard let last = statement.integerOrNil(0), last >= 0 else {
        throw damaged(
          "the last key of \(entity) in copal_keys is \(statement.words(0)) instead of a number from 0"
        )
      }
      return last
    }
  }

  func set(_ key: Int64, of entity: String) throws {
    let statement = try connection.statement(Self.put)
    defer { statement.reset() }
    try statement.setPlaceholders([.text(entity), .integer(key)])
    _ = try statement.step()
  }

  private func damaged(_ found: String, _ causes: any Error...) -> PersistenceError {
    PersistenceError(.damagedMetadata, path: connection.path, found: found, causes: causes)
  }
}
