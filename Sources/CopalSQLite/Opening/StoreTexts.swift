import CopalEssentials
import CopalModel
package import CopalStore

/// What tools for people read of a store's file: texts, and not objects.
package enum StoreTexts {
  /// The text of the model that a store was written with: with defaults, rules and transformers,
  /// which an inspection leaves out.
  ///
  /// - Returns: nil where there is no file, or an empty one.
  /// - Throws: what an inspection throws.
  package static func model(at path: String) throws -> String? {
    try StoreInspection(path: StorePath(path), options: SQLiteStore.Options()).read {
      try $0.text("SELECT value FROM copal_metadata WHERE name = 'model'")
    }
  }

  /// Whether a file is empty, and another program has a lock on it: it is making a store.
  package static func isBeingMade(at path: String) -> Bool {
    guard FileStatus(path)?.isEmptyFile == true else { return false }
    do {
      let connection = try Connection(
        path: StorePath(path).text, .writing, busyTimeoutSeconds: 0,
        pageCacheKilobytes: Connection.defaultCacheKilobytes, onStatement: nil)
      try connection.run("BEGIN IMMEDIATE")
      try connection.run("ROLLBACK")
      return false
    } catch {
      return (error as? PersistenceError)?.code == .busy
    }
  }

  /// The statements that make the tables, indexes and triggers of a store, in their order. Those
  /// of the entities come first, those that every store has last.
  ///
  /// They are read of a store that is made for it in a temporary folder, and removed.
  package static func schema(of schema: StoreSchema) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "copal-schema-\(UUID())", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "Schema.sqlite").path(percentEncoded: false)
    _ = try SQLiteStore(path: path, schema: schema)
    let texts = try StoreInspection(path: StorePath(path), options: SQLiteStore.Options()).read {
      connection in
      var texts: [(name: String, sql: String)] = []
      try connection.forEachRow(
        "SELECT tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
      ) { row in texts.append((row.text(0) ?? "", row.text(1) ?? "")) }
      return texts
    }
    // The tables that FTS5 makes by itself have another name than the one that makes them.
    let all = (texts ?? []).filter { !$0.sql.hasPrefix("CREATE TABLE 'copal_substring_") }
    let isOwn = { (name: String) in
      ["copal_metadata", "copal_keys", "copal_migrations", "copal_ids"].contains(name)
    }
    return (all.filter { !isOwn($0.name) } + all.filter { isOwn($0.name) }).map(\.sql)
  }
}
