import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A migration of a family that does not end: the file is as before or as after, and never in
/// between.
@Suite("Migrations of families that fail or are killed")
struct FamilyMigrationFailureTests {
  /// The number of kills of each migration.
  private static let killCount =
    ProcessInfo.processInfo.environment["COPAL_KILLS"].flatMap(Int.init) ?? 2

  private let test: TestStore
  private var path: String { test.file.path(percentEncoded: false) }

  init() throws { test = try TestStore() }

  /// Everything in a file, but the dates of migrations and the UUIDs that a migration makes.
  static func contents(_ store: TestStore) throws -> String {
    try store.sqlite3(".dump").replacing(/X'[0-9a-f]{32}'/, with: "uuid")
      .replacing(/(?<row>copal_migrations VALUES\(\d+,'[0-9a-f]+',\d+,)[^,]+/) { $0.row + "date" }
  }

  /// A copy of a store that no program has open.
  private func copy() throws -> TestStore {
    _ = try test.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = try TestStore()
    try FileManager.default.copyItem(at: test.file, to: copy.file)
    return copy
  }

  // MARK: Kills

  /// Opens a store, and kills the process before the statement with a number.
  static func open(_ path: String, _ schema: StoreSchema, killedBefore number: Int) throws {
    let count = Locked(0)
    var options = SQLiteStore.Options()
    options.onStatement = { _ in
      let isLast = count.withLock { count in
        count += 1
        return count == number
      }
      if isLast { kill(getpid(), SIGKILL) }
    }
    _ = try SQLiteStore(path: path, schema: schema, options: options)
  }

  @Test(
    "after a kill between any two statements, a family is as before or as after",
    arguments: FamilyMigrationTests.changes.indices)
  func killedBetweenStatements(index: Int) async throws {
    let change = FamilyMigrationTests.changes[index]
    let (old, new) = (try FamilyChange.schema(change.old), try FamilyChange.schema(change.new))
    do {
      let tester = try test.storeTester(old)
      for (entity, values) in change.objects { try tester.insert(values, into: entity) }
    }
    let before = try Self.contents(test)
    let migrated = try copy()
    let statements = try migrated.recorder.statements { _ = try migrated.open(new) }
    let after = try Self.contents(migrated)
    let begin = try #require(statements.firstIndex(of: "BEGIN IMMEDIATE"))
    let commit = try #require(statements.firstIndex(of: "COMMIT"))
    let kills = min(Self.killCount, commit - begin)
    var found: Set<String> = []
    for place in 0...kills {
      // The statement after the last one is the one after COMMIT.
      let number = begin + 2 + (commit - begin) * place / kills
      let killed = try copy()
      let path = killed.file.path(percentEncoded: false)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, index = index as Int, number = number as Int] in
        try FamilyMigrationFailureTests.open(
          path, FamilyChange.schema(FamilyMigrationTests.changes[index].new), killedBefore: number)
      }
      let contents = try Self.contents(killed)
      #expect(contents == (number <= commit + 1 ? before : after), "statement \(number)")
      found.insert(contents)
      // The next program ends what was begun.
      _ = try killed.open(new)
      #expect(try Self.contents(killed) == after)
    }
    #expect(found == [before, after])
  }

  static let old = #"""
    "Photo": {
      "attributes": { "title": "string", "width": "integer64" }, "unique": [["title"]], "indexes": ["width"]
    }
    """#

  static let new = #"""
    "Asset": {
      "abstract": true, "attributes": { "title": "string", "rank": { "type": "integer64", "default": 7 } }
    },
    "Photo": {
      "parent": "Asset", "attributes": { "width": "integer64", "note": { "type": "string", "default": "none" } },
      "unique": [["title"]], "indexes": ["width"]
    },
    "Video": { "parent": "Asset", "attributes": { "width": "integer64" }, "unique": [["title"]] }
    """#

  /// Fills the store with photos. Their migration takes some milliseconds, and writes more than the
  /// cache holds.
  private func insertPhotos(_ count: Int) throws {
    let tester = try test.storeTester(FamilyChange.schema(Self.old))
    let text = String(repeating: "x", count: 200)
    try tester.commit { changes in
      for number in 0..<count {
        try changes.insert(
          "Photo", ["title": .string("\(number) \(text)"), "width": .integer(Int64(number))])
      }
    }
  }

  @Test("after a kill at any moment of a long migration, a family is as before or as after")
  func killedAtAnyMoment() async throws {
    try insertPhotos(5000)
    let new = try FamilyChange.schema(Self.new)
    let before = try Self.contents(test)
    let migrated = try copy()
    let start = ContinuousClock.now
    _ = try migrated.open(new)
    let microseconds = UInt32((ContinuousClock.now - start) / .microseconds(1))
    let after = try Self.contents(migrated)
    var random = SplitMix(seed: 4)
    for _ in 0..<Self.killCount * 2 {
      let killed = try copy()
      let path = killed.file.path(percentEncoded: false)
      let delay = UInt32(random.next() % UInt64(microseconds))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as UInt32] in
        let schema = try FamilyChange.schema(FamilyMigrationFailureTests.new)
        Thread.detachNewThread {
          usleep(delay)
          kill(getpid(), SIGKILL)
        }
        _ = try SQLiteStore(path: path, schema: schema)
        sleep(10)
      }
      let contents = try Self.contents(killed)
      #expect(contents == before || contents == after)
      #expect(try killed.sqlite3("PRAGMA integrity_check") == "ok")
      _ = try killed.open(new)
      #expect(try Self.contents(killed) == after)
    }
  }

  // MARK: Several processes

  @Test("several programs that migrate a family at once migrate it once")
  func migratedAtOnce() async throws {
    try insertPhotos(5000)
    let migrated = try copy()
    _ = try migrated.open(FamilyChange.schema(Self.new))
    let path = path
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let schema = try FamilyChange.schema(FamilyMigrationFailureTests.new)
            let tester = try StoreTester(SQLiteStore(path: path, schema: schema))
            let count = try tester.session.count(tester.query(of: "Asset"))
            exit(count == 5000 ? EXIT_SUCCESS : EXIT_FAILURE)
          }
        }
      }
    }
    #expect(try Self.contents(test) == Self.contents(migrated))
  }

  /// Two models with different children.
  static let rivals = ["Video", "Link"].map {
    #"\#(old.dropLast(2)) }, "\#($0)": { "parent": "Photo", "attributes": { "width\#($0)": "integer64" } }"#
  }

  @Test(
    "of two programs that add different children at once, one migrates and the other is refused")
  func rivalModels() async throws {
    try insertPhotos(5000)
    let possible = try Self.rivals.map { model in
      let migrated = try copy()
      _ = try migrated.open(FamilyChange.schema(model))
      return try Self.contents(migrated)
    }
    let path = path
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, number = number as Int] in
            let schema = try FamilyChange.schema(FamilyMigrationFailureTests.rivals[number % 2])
            do {
              _ = try SQLiteStore(path: path, schema: schema)
            } catch let error as PersistenceError where error.code == .modelDiffers {}
          }
        }
      }
    }
    #expect(possible.contains(try Self.contents(test)))
  }

  // MARK: A full disk

  #if os(Linux)

    @Test(
      "a migration beyond the size limit of the process throws store.diskFull, and the file is as before",
      arguments: [4096, 30_000, 200_000, 800_000, 1_200_000] as [UInt])
    func fullDisk(limit: UInt) async throws {
      try insertPhotos(4000)
      let before = try Self.contents(test)
      let migrated = try copy()
      let new = try FamilyChange.schema(Self.new)
      _ = try migrated.open(new)
      let path = path
      await #expect(processExitsWith: .success) { [path = path as String, limit = limit as UInt] in
        let schema = try FamilyChange.schema(FamilyMigrationFailureTests.new)
        FileSystemFailureTests.limitFiles(toBytes: limit)
        var code: PersistenceError.Code?
        do {
          _ = try SQLiteStore(path: path, schema: schema)
        } catch let error as PersistenceError { code = error.code }
        FileSystemFailureTests.expect(code == .diskFull, "\(String(describing: code))")
      }
      #expect(try Self.contents(test) == before)
      _ = try test.open(new)
      #expect(try Self.contents(test) == Self.contents(migrated))
    }

  #endif

  // MARK: What other programs have added to the file

  @Test(
    "views and triggers of other programs follow the new names",
    arguments: [
      "CREATE VIEW wide AS SELECT title, width FROM Photo WHERE width > 1",
      """
      CREATE VIEW wide AS SELECT title, width FROM Photo;
      CREATE VIEW widest AS SELECT max(title) FROM wide
      """,
      """
      CREATE TABLE log (title TEXT);
      CREATE TRIGGER logged AFTER UPDATE ON Photo BEGIN INSERT INTO log VALUES (new.title); END
      """,
    ])
  func views(sql: String) throws {
    try insertPhotos(5)
    #expect(try test.sqlite3(sql) == "")
    let read =
      sql.contains("widest")
      ? "SELECT * FROM widest" : sql.contains("VIEW") ? "SELECT count(*) FROM wide" : "SELECT 3"
    let result = try test.sqlite3(read)
    let tester = try test.storeTester(FamilyChange.schema(Self.new))
    #expect(try tester.rows(of: "Asset").count == 5)
    #expect(try test.sqlite3(read) == result)
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
  }

  @Test("a program with the former model reads nothing after a new entity has come into a family")
  func formerModel() throws {
    let old = try FamilyChange.schema(
      #""Asset": { "attributes": { "n": "integer?" } }, "Photo": { "parent": "Asset" }"#)
    let former = try test.storeTester(old)
    try former.insert(["n": 1], into: "Photo")
    #expect(try former.rows(of: "Asset").count == 1)
    let current = try test.storeTester(
      FamilyChange.schema(
        #"""
        "Asset": { "attributes": { "n": "integer?" } }, "Photo": { "parent": "Asset" },
        "Scan": { "parent": "Photo" }
        """#))
    try current.insert(["n": 2], into: "Scan")
    for read in [
      { _ = try former.rows(of: "Asset") }, { _ = try former.row(2, of: "Asset") },
      { _ = try former.session.fetchRow(2, entity: former.layout("Asset").index) },
    ] {
      let error = #expect(throws: PersistenceError.self) { try read() }
      #expect(error?.code == .modelDiffers)
    }
    // Also a statement that would not read such a row: the tables are those of another model.
    #expect(throws: PersistenceError.self) { try former.rows(of: "Photo") }
  }

  @Test("a reference to no row, which another program has left, refuses that its objects move")
  func brokenReference() throws {
    let old =
      #""Asset": {}, "Photo": {}, "Tag": { "relationships": { "photo": { "type": "Photo?" } } }"#
    do {
      let tester = try test.storeTester(FamilyChange.schema(old))
      try tester.insert([:], into: "Photo")
      for _ in 0..<2 { try tester.insert(["photo": 1], into: "Tag") }
    }
    _ = try test.sqlite3("UPDATE Tag SET photo = 99 WHERE copal_id = 2")
    let before = try test.sqlite3(".dump")
    let new = try FamilyChange.schema(
      old.replacing(#""Photo": {}"#, with: #""Photo": { "parent": "Asset" }"#))
    let error = #expect(throws: PersistenceError.self) { try test.open(new) }
    #expect(
      error?.codedRefusals == [
        "migration.inexact Tag.photo: 1 object has an object that does not exist (p2)"
      ])
    #expect(try test.sqlite3(".dump") == before)
    _ = try test.sqlite3("UPDATE Tag SET photo = 1")
    #expect(try test.storeTester(new).row(2, of: "Tag")["photo"] == 2)
  }
}
