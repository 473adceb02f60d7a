import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The list of unreferenced files: the names that rows do not have any more, in a small table of
/// the store. A commit adds the names of the values that it replaces or deletes. ``FileTidyUp``
/// removes the files later, when no older reader can need them.
struct UnreferencedFiles {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  static let table = "copal_unreferencedFiles"

  private static let create =
    "CREATE TABLE IF NOT EXISTS copal_unreferencedFiles (name TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID"

  /// Adds names, in the transaction of a commit. Makes the table when it does not exist.
  func add(_ names: [String]) throws {
    try connection.run(Self.create)
    let statement = try connection.statement(
      "INSERT OR IGNORE INTO copal_unreferencedFiles (name) VALUES (?1)")
    for name in names {
      defer { statement.reset() }
      try statement.setPlaceholders([.text(name)])
      _ = try statement.step()
    }
  }

  /// The first names of the list, at most a count of them. Empty when there is no table yet.
  func first(_ count: Int) throws -> [String] {
    guard try hasTable else { return [] }
    var names: [String] = []
    try connection.forEachRow(
      "SELECT name FROM copal_unreferencedFiles LIMIT ?1", [.integer(Int64(count))]
    ) { row in
      names.append(row.text(0) ?? "")
    }
    return names
  }

  func contains(_ name: String) throws -> Bool {
    try hasTable
      && connection.count(
        "SELECT count(*) FROM copal_unreferencedFiles WHERE name = ?1", [.text(name)]) > 0
  }

  private var hasTable: Bool {
    get throws {
      try connection.count(
        "SELECT count(*) FROM sqlite_schema WHERE name = ?1", [.text(Self.table)]) > 0
    }
  }

  /// - Returns: whether the name was in the list.
  func remove(_ name: String) throws -> Bool {
    let statement = try connection.statement(
      "DELETE FROM copal_unreferencedFiles WHERE name = ?1")
    defer { statement.reset() }
    try statement.setPlaceholders([.text(name)])
    _ = try statement.step()
    return connection.changes > 0
  }

  /// Removes what another program has written and what cannot be a name: bytes, and texts with
  /// other characters.
  func removeForeign() throws {
    try connection.run(
      """
      DELETE FROM copal_unreferencedFiles WHERE typeof(name) <> 'text'
      OR name GLOB '*[^0-9a-f-]*' OR length(name) <> length(CAST(name AS BLOB))
      """)
  }
}

extension Connection {
  /// The result of a statement that counts.
  fileprivate func count(_ sql: String, _ values: [PlaceholderValue]) throws -> Int64 {
    var count: Int64 = 0
    try forEachRow(sql, values) { count = $0.integer(0) }
    return count
  }
}

/// Finds the rows that have the names of files.
struct FileReferences {
  private let connection: Connection
  private let modelGuard: StoreGuard
  private let mappings: [TableMapping]
  private let columns: [(translator: FileTranslator, slot: Int)]

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    modelGuard = schema.modelGuard
    mappings = schema.entities.filter { !$0.ownExternalSlots.isEmpty }.map {
      TableMapping($0, in: schema)
    }
    columns = mappings.flatMap { mapping in
      let translator = FileTranslator(mapping, SQLiteDialect())
      return mapping.layout.ownExternalSlots.map { (translator, $0) }
    }
  }

  /// Checks that the store has the model whose attributes are looked at, or one with the same
  /// external attributes.
  ///
  /// - Throws: `store.modelDiffers`.
  func checkModel() throws {
    guard modelGuard.allows(try StoreMetadata(connection).storedModel()) else {
      throw PersistenceError(.modelDiffers, path: connection.path)
    }
  }

  /// Makes the indexes by which ``contains(_:)`` finds a row, unless there are some. The first
  /// time, this reads the tables once.
  func createIndexes() throws {
    let translator = SchemaTranslator(SQLiteDialect())
    for index in mappings.flatMap(translator.fileIndexes) { try connection.run(index.creation) }
  }

  /// Whether a row has the name.
  func contains(_ name: ExternalFileName) throws -> Bool {
    for (translator, slot) in columns {
      let statement = try connection.statement(translator.hasFile(slot).text)
      defer { statement.reset() }
      try statement.setPlaceholders([.text(name.text)])
      if try statement.step() { return true }
    }
    return false
  }

  /// All names that rows have. A text that Copal has not written is left out.
  func all() throws -> Set<ExternalFileName> {
    var names: Set<ExternalFileName> = []
    try forEachName { names.insert($0) }
    return names
  }

  /// The names among those given that a row has. Reads the rows, or the index, once, however many
  /// names there are.
  func contained(_ names: Set<ExternalFileName>) throws -> Set<ExternalFileName> {
    var found: Set<ExternalFileName> = []
    try forEachName { if names.contains($0) { found.insert($0) } }
    return found
  }

  private func forEachName(_ body: (ExternalFileName) -> Void) throws {
    for (translator, slot) in columns {
      try connection.forEachRow(translator.names(slot).text) { row in
        if let name = row.text(0).flatMap({ ExternalFileName($0) }) { body(name) }
      }
    }
  }
}
