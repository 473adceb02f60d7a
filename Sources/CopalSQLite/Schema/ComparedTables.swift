import CopalEssentials
import CopalModel
import CopalStore

/// The tables that this process has compared with a model: the SQL of everything in the schema of
/// a file. A file with exactly these texts need not be compared again.
///
/// No file says it of itself, because a file can come from an untrusted source. And SQLite's
/// `PRAGMA schema_version` only counts changes: a file that was made again from an edited dump can
/// have the same number, and a damaged one has it too.
enum ComparedTables {
  private struct Comparison: Sendable, Equatable {
    let schema: String
    let texts: [String]
  }

  /// The last comparisons, the newest first. A new store of a model and a migrated one differ.
  private static let known = Locked<[Comparison]>([])
  /// A process that opens more kinds of stores compares some again.
  private static let limit = 100

  /// The SQL of everything in the schema of a file.
  static func texts(in connection: Connection) throws -> [String] {
    var texts: [String] = []
    // The text of a table or an index has its name, and the others have no text.
    try connection.forEachRow("SELECT sql FROM sqlite_schema") { row in
      if let text = row.text(0) { texts.append(text) }
    }
    return texts
  }

  /// Whether tables with these texts were found to be those of a schema.
  static func contain(_ texts: [String], of schema: StoreSchema) -> Bool {
    let wanted = Comparison(schema: schema.hash.text, texts: texts)
    return known.withLock { $0.contains(wanted) }
  }

  /// Notes texts that were found to be those of a schema.
  static func note(_ texts: [String], of schema: StoreSchema) {
    let found = Comparison(schema: schema.hash.text, texts: texts)
    known.withLock {
      $0.removeAll { $0 == found }
      $0.insert(found, at: 0)
      if $0.count > limit { $0.removeLast() }
    }
  }
}
