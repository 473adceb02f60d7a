import BenchKit
import CBenchSQLite
import Copal
import Foundation
import SearchModel

/// What normalized search costs beside the same SQL in C: to find ten of many names, and to insert
/// names.
@MainActor
struct Searches {
  let folder: URL
  private static let loosely: FetchPredicate.TextOptions = [
    .caseInsensitive, .diacriticInsensitive,
  ]

  /// A name: ten of each hundred thousand, in any order, have the same first letters.
  private static func name(_ number: Int, of count: Int) -> String {
    let group = number * 7919 % count / 10
    return "N\(String(group, radix: 26))-\(number % 10) Aurelie"
  }

  /// A statement that is prepared once.
  private final class Raw {
    private let database: OpaquePointer
    private let statement: OpaquePointer

    init(_ file: URL, _ sql: String) throws {
      var (database, statement): (OpaquePointer?, OpaquePointer?)
      guard
        sqlite3_open(file.path(percentEncoded: false), &database) == SQLITE_OK, let database,
        sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement
      else { throw Failure() }
      (self.database, self.statement) = (database, statement)
    }

    deinit {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }

    func keys(_ texts: String...) -> [Int64] {
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      for (index, text) in texts.enumerated() {
        sqlite3_bind_text(statement, Int32(index + 1), text, -1, copied)
      }
      var keys: [Int64] = []
      while sqlite3_step(statement) == SQLITE_ROW {
        keys.append(sqlite3_column_int64(statement, 0))
      }
      sqlite3_reset(statement)
      return keys
    }
  }

  private func store(_ count: Int) throws -> (file: URL, container: PersistentContainer) {
    let file = folder.appending(path: "names-\(count).sqlite")
    let container = try PersistentContainer(model: .search, store: .sqlite(at: file))
    let context = container.makeContext()
    for number in 0..<count {
      FoundName(context: context).text = Self.name(number, of: count)
      PlainName(context: context).text = Self.name(number, of: count)
      if count == rows {
        PartName(context: context).text = Self.name(number, of: count)
        IndexedName(context: context).text = Self.name(number, of: count)
      }
    }
    try context.save()
    return (file, container)
  }

  /// The prefix of a search that finds ten names.
  private static func prefix(_ search: Int, of count: Int) -> String {
    "n\(String(search * 31 % (count / 10), radix: 26))-"
  }

  func run() throws {
    let (file, container) = try store(rows)
    let context = container.makeContext()
    let raw = try Raw(
      file,
      """
      SELECT copal_id FROM FoundName WHERE copal_search_text >= ? AND copal_search_text < ?
      ORDER BY +copal_id
      """)
    try ratio("begins with, 10 of 100,000 names / raw C on the same index") {
      try found(200, rows) { prefix in
        try context.fetchIDs(FoundName.self) { $0.text.hasPrefix(prefix, Self.loosely) }.count
      }
    } _: {
      found(200, rows) { raw.keys($0, $0.dropLast() + ".").count }
    }
    // What a request costs before it searches anything.
    try ratio("10 of 100,000 names without a condition / raw C's search on the same index") {
      try found(200, rows) { _ in try context.fetchIDs(FoundName.self, limit: 10).count }
    } _: {
      found(200, rows) { raw.keys($0, $0.dropLast() + ".").count }
    }
    try ratio("begins with, 10 of 100,000 names / an exact prefix by an index") {
      try found(200, rows) { prefix in
        try context.fetchIDs(FoundName.self) { $0.text.hasPrefix(prefix, Self.loosely) }.count
      }
    } _: {
      try found(200, rows) { prefix in
        let exact = "N" + prefix.dropFirst()
        return try context.fetchIDs(IndexedName.self) { $0.text.hasPrefix(exact) }.count
      }
    }
    try ratio("begins with, 10 of 100,000 names / the scan without search") {
      try found(3, rows) { prefix in
        try context.fetchIDs(FoundName.self) { $0.text.hasPrefix(prefix, Self.loosely) }.count
      }
    } _: {
      try found(3, rows) { prefix in
        try context.fetchIDs(PlainName.self) { $0.text.hasPrefix(prefix, Self.loosely) }.count
      }
    }
    try parts(file, context)
    try growth(to: context)
    try inserts()
  }

  /// Ten names that contain a text.
  private func parts(_ file: URL, _ context: ManagedObjectContext) throws {
    let raw = try Raw(
      file,
      """
      SELECT copal_id FROM PartName WHERE copal_id IN (SELECT rowid FROM "copal_substring_PartName.text"
      WHERE "copal_substring_PartName.text" MATCH ?) ORDER BY copal_id
      """)
    try ratio("contains, 10 of 100,000 names by trigrams / raw C on the same table") {
      try found(100, rows) { part in
        try context.fetchIDs(PartName.self) { $0.text.contains(part, Self.loosely) }.count
      }
    } _: {
      found(100, rows) { raw.keys("\"\($0)\"").count }
    }
    try ratio("contains, 10 of 100,000 names by the index of forms / the scan without search") {
      try found(3, rows) { part in
        try context.fetchIDs(FoundName.self) { $0.text.contains(part, Self.loosely) }.count
      }
    } _: {
      try found(3, rows) { part in
        try context.fetchIDs(PlainName.self) { $0.text.contains(part, Self.loosely) }.count
      }
    }
  }

  private func found(_ searches: Int, _ count: Int, _ find: (String) throws -> Int) rethrows -> Int
  {
    try (0..<searches).reduce(0) { $0 + (try find(Self.prefix($1, of: count))) }
  }

  /// Ten results among more and more names.
  private func growth(to context: ManagedObjectContext) throws {
    var contexts = [rows: context]
    for count in [1000, 10_000] { contexts[count] = try store(count).container.makeContext() }
    func search(_ count: Int) throws -> Int {
      guard let context = contexts[count] else { throw Failure() }
      return try found(200, count) { prefix in
        try context.fetchIDs(FoundName.self) { $0.text.hasPrefix(prefix, Self.loosely) }.count
      }
    }
    try ratio("begins with, 10 of 10,000 names / 10 of 1,000") {
      try search(10_000)
    } _: {
      try search(1000)
    }
    try ratio("begins with, 10 of 100,000 names / 10 of 10,000") {
      try search(rows)
    } _: {
      try search(10_000)
    }
  }

  // MARK: Inserts

  /// The seconds that work takes in a new file.
  private func seconds(_ name: String, _ work: (URL) throws -> Void) rethrows -> Double {
    let file = folder.appending(path: name)
    defer {
      for end in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path(percentEncoded: false) + end)
      }
    }
    let start = Measurement.cpuSeconds()
    try work(file)
    return Measurement.cpuSeconds() - start
  }

  private func insert<Name: ManagedObject>(
    _ file: URL, _ make: (ManagedObjectContext, String) -> Name
  )
    throws
  {
    let container = try PersistentContainer(model: .search, store: .sqlite(at: file))
    let context = container.makeContext()
    for number in 0..<rows { _ = make(context, Self.name(number, of: rows)) }
    try context.save()
  }

  /// The same in C, whose column has the text in small letters.
  private func insertRaw(_ file: URL, withSearch: Bool) throws {
    var (database, statement): (OpaquePointer?, OpaquePointer?)
    guard sqlite3_open(file.path(percentEncoded: false), &database) == SQLITE_OK, let database
    else {
      throw Failure()
    }
    defer { sqlite3_close(database) }
    let columns = withSearch ? ", folded TEXT, stale INTEGER DEFAULT 1" : ""
    let index =
      withSearch
      ? """
      CREATE INDEX a ON Name (folded);
      CREATE INDEX b ON Name (stale) WHERE stale IS NOT NULL;
      """ : ""
    let sql = "CREATE TABLE Name (id INTEGER PRIMARY KEY, version INTEGER, text TEXT\(columns));"
    guard
      sqlite3_exec(
        database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; \(sql) \(index) BEGIN", nil,
        nil, nil) == SQLITE_OK,
      sqlite3_prepare_v2(
        database,
        withSearch
          ? "INSERT INTO Name VALUES (?, 1, ?, ?, NULL)" : "INSERT INTO Name VALUES (?, 1, ?)", -1,
        &statement, nil) == SQLITE_OK
    else { throw Failure() }
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for number in 0..<rows {
      let name = Self.name(number, of: rows)
      sqlite3_bind_int64(statement, 1, Int64(number + 1))
      sqlite3_bind_text(statement, 2, name, -1, copied)
      if withSearch {
        var folded = Array(name.utf8)
        bench_fold(&folded, Int32(folded.count))
        folded.withUnsafeBufferPointer { bytes in
          bytes.withMemoryRebound(to: CChar.self) { text in
            _ = sqlite3_bind_text(statement, 3, text.baseAddress, Int32(text.count), copied)
          }
        }
      }
      guard sqlite3_step(statement) == SQLITE_DONE else { throw Failure() }
      sqlite3_reset(statement)
    }
    sqlite3_finalize(statement)
    guard sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK else { throw Failure() }
  }

  /// What search adds to the insert of a name, beside what its column and index add in C.
  private func inserts() throws {
    var ratios: [Double] = []
    for _ in 0..<9 {
      let plain = try seconds("plain.sqlite") { file in
        try insert(file) { context, text in
          let name = PlainName(context: context)
          name.text = text
          return name
        }
      }
      let rawPlain = try seconds("raw-plain.sqlite") { try insertRaw($0, withSearch: false) }
      let found = try seconds("found.sqlite") { file in
        try insert(file) { context, text in
          let name = FoundName(context: context)
          name.text = text
          return name
        }
      }
      let rawFound = try seconds("raw-found.sqlite") { try insertRaw($0, withSearch: true) }
      ratios.append((found - plain) / (rawFound - rawPlain))
    }
    print(
      "what search adds to an insert of 100,000 names / its column and index in C\t\(ratios.sorted()[ratios.count / 2])"
    )
  }
}
