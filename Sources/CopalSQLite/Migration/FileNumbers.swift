import CopalModel
import CopalSQL
import CopalStore

/// What the tables of the old model say about the keys and rows of their families. A migration asks
/// before it changes anything.
final class FileNumbers: FamilyNumbers {
  private let connection: Connection
  private let schema: StoreSchema
  private let keys: LastKeys
  private var known: [String: Int64] = [:]

  /// - Parameter schema: the old one.
  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
    keys = LastKeys(connection)
  }

  /// Another program may have added rows without noting their keys. The key is that of before the
  /// migration, also when it is asked again.
  func lastKey(of root: EntityLayout) throws -> Int64 {
    if let last = known[root.name] { return last }
    let query = SelectTranslator(TableMapping(root, in: schema), SQLiteDialect()).maxKey()
    let last = max(try keys[root.name], try connection.integers(query).first ?? 0)
    known[root.name] = last
    return last
  }

  func lastKey(named root: String) throws -> Int64 { try keys[root] }

  func isFree(_ name: String, for root: EntityLayout) throws -> Bool {
    try MigrationHistory(connection).formerIDs().entries.allSatisfy { entry in
      entry.former != name || (entry.entity == root.name && entry.added == 0)
    }
  }

  func rowCount(of entities: [EntityLayout]) throws -> Int {
    let translator = RowCountTranslator(SQLiteDialect())
    return try entities.reduce(0) { sum, layout in
      let query = translator.objectCount(TableMapping(layout, in: schema))
      return sum + Int(try connection.integers(query).first ?? 0)
    }
  }

  func tooGreatKeys(of root: EntityLayout) -> any Error {
    PersistenceError(
      .damagedMetadata, path: connection.path,
      found: "the keys of \(root.name) are so great that its objects cannot get others")
  }
}
