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

/// Migrations of attributes and entities whose program is killed: the file is as before or as
/// after, and the next program ends what was begun.
@Suite("Migrations that are killed")
struct MigrationKillTests {
  /// The number of kills of each migration.
  private static let killCount =
    ProcessInfo.processInfo.environment["COPAL_KILLS"].flatMap(Int.init) ?? 2

  private let test: TestStore

  init() throws { test = try TestStore() }

  /// One migration with all phases.
  static let old = #"""
    "Book": {
      "attributes": { "title": "string", "pages": "integer64", "price": { "type": "decimal", "scale": 2 }, "shelf": "string?" },
      "unique": ["title"], "indexes": ["pages", ["shelf", "title"]]
    },
    "Tag": { "attributes": { "name": "string" } },
    "Loan": { "relationships": { "book": { "type": "Book?" } } }
    """#
  static let new = #"""
    "Volume": {
      "renamedFrom": "Book", "removed": ["shelf"],
      "attributes": {
        "name": { "type": "string", "renamedFrom": "title" }, "pages": "string",
        "price": { "type": "decimal", "scale": 3 }, "author": { "type": "string", "default": "unknown" }
      },
      "unique": ["name"], "indexes": ["pages", "author"]
    },
    "Loan": { "relationships": { "book": { "type": "Volume?" } } },
    "Shop": { "attributes": { "name": "string?" } }
    """#
  static let keys = #""version": 2, "removed": ["Tag"]"#

  static func newSchema() throws -> StoreSchema { try MigrationCase.schema(new, keys: keys) }

  private func insertBooks(_ count: Int) throws {
    let tester = try test.storeTester(MigrationCase.schema(Self.old))
    try tester.commit { changes in
      for number in 0..<count {
        try changes.insert(
          "Book",
          [
            "title": .string("\(number)"), "pages": .integer(Int64(number)),
            "price": .decimal(1.25),
            "shelf": .string(String(repeating: "s", count: 100)),
          ])
      }
      try changes.insert("Tag", ["name": "old"])
    }
  }

  /// A copy of the store, which no program has open.
  private func copy() throws -> TestStore {
    _ = try test.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = try TestStore()
    try FileManager.default.copyItem(at: test.file, to: copy.file)
    return copy
  }

  /// Opens a store, and kills the process before the statement with a number.
  static func open(_ path: String, killedBefore number: Int) throws {
    let count = Locked(0)
    var options = SQLiteStore.Options()
    options.onStatement = { _ in
      let isLast = count.withLock { count in
        count += 1
        return count == number
      }
      if isLast { kill(getpid(), SIGKILL) }
    }
    _ = try SQLiteStore(path: path, schema: newSchema(), options: options)
  }

  private func files(_ store: TestStore) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.folder.path(percentEncoded: false))
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  @Test(
    "after a kill between any two statements, a file is as before or as after, and so is its copy")
  func killedBetweenStatements() async throws {
    try insertBooks(50)
    let before = try FamilyMigrationFailureTests.contents(test)
    let migrated = try copy()
    let new = try Self.newSchema()
    let statements = try migrated.recorder.statements { _ = try migrated.open(new) }
    let after = try FamilyMigrationFailureTests.contents(migrated)
    let begin = try #require(statements.firstIndex(of: "BEGIN IMMEDIATE"))
    let commit = try #require(statements.lastIndex(of: "COMMIT"))
    let kills = min(Self.killCount * 4, commit - begin)
    var found: Set<String> = []
    for place in 0...kills {
      // The statement after the last one is the one after COMMIT.
      let number = begin + 2 + (commit - begin) * place / kills
      let killed = try copy()
      let path = killed.file.path(percentEncoded: false)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, number = number as Int] in
        try MigrationKillTests.open(path, killedBefore: number)
      }
      let contents = try FamilyMigrationFailureTests.contents(killed)
      #expect(contents == before || contents == after, "statement \(number)")
      found.insert(contents)
      #expect(try killed.sqlite3("PRAGMA integrity_check") == "ok")
      // The next program ends what was begun.
      _ = try killed.open(new)
      #expect(try FamilyMigrationFailureTests.contents(killed) == after)
      // A killed program can have left its copy. Nothing incomplete is left.
      let found = Set(try files(killed))
      #expect(found.contains("Atelier.sqlite-before-2"))
      #expect(
        found.isSubset(of: [
          "Atelier.sqlite", "Atelier.sqlite-before-2", "Atelier.sqlite-before-2-2",
        ]))
    }
    #expect(found.count == 2)
  }

  @Test("after a kill at any moment of a long migration, a file is as before or as after")
  func killedAtAnyMoment() async throws {
    try insertBooks(10_000)
    let before = try FamilyMigrationFailureTests.contents(test)
    let migrated = try copy()
    let new = try Self.newSchema()
    let start = ContinuousClock.now
    _ = try migrated.open(new)
    let microseconds = UInt32((ContinuousClock.now - start) / .microseconds(1))
    let after = try FamilyMigrationFailureTests.contents(migrated)
    var random = SplitMix(seed: 4)
    for _ in 0..<Self.killCount {
      let killed = try copy()
      let path = killed.file.path(percentEncoded: false)
      let delay = UInt32(random.next() % UInt64(microseconds))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as UInt32] in
        let schema = try MigrationKillTests.newSchema()
        Thread.detachNewThread {
          usleep(delay)
          kill(getpid(), SIGKILL)
        }
        _ = try SQLiteStore(path: path, schema: schema)
        sleep(10)
      }
      let contents = try FamilyMigrationFailureTests.contents(killed)
      #expect(contents == before || contents == after)
      _ = try killed.open(new)
      #expect(try FamilyMigrationFailureTests.contents(killed) == after)
    }
  }

  @Test(
    "after a kill at any system call of a migration, a file is as before or as after",
    .enabled(if: SystemCallKiller() != nil))
  func killedAtSystemCalls() async throws {
    try insertBooks(500)
    let before = try FamilyMigrationFailureTests.contents(test)
    let migrated = try copy()
    let new = try Self.newSchema()
    _ = try migrated.open(new)
    let after = try FamilyMigrationFailureTests.contents(migrated)
    var random = SplitMix(seed: 9)
    var found: Set<String> = []
    for _ in 0..<Self.killCount {
      let killed = try copy()
      let path = killed.file.path(percentEncoded: false)
      let number = Int.random(in: 1..<6000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, number = number as Int] in
        let schema = try MigrationKillTests.newSchema()
        try SystemCallKiller()?.kill(at: number, ready: path + "-ready")
        _ = try SQLiteStore(path: path, schema: schema)
        // The calls of the migration were fewer.
        while true { usleep(100) }
      }
      let contents = try FamilyMigrationFailureTests.contents(killed)
      #expect(contents == before || contents == after, "call \(number)")
      found.insert(contents)
      _ = try killed.open(new)
      #expect(try FamilyMigrationFailureTests.contents(killed) == after)
      #expect(try killed.sqlite3("PRAGMA integrity_check") == "ok")
    }
    if Self.killCount >= 100 { #expect(found.count == 2) }
  }

  #if os(Linux)

    /// The greatest sizes of a file.
    static let limits: [UInt] = {
      let count = ProcessInfo.processInfo.environment["COPAL_FULL_DISKS"].flatMap(UInt.init) ?? 4
      return (0..<count).map { 4096 + $0 * 2_500_000 / max(1, count - 1) }
    }()

    @Test(
      "a migration beyond the size limit of the process throws store.diskFull, and the file is as before",
      arguments: limits)
    func fullDisk(limit: UInt) async throws {
      try insertBooks(20_000)
      let before = try FamilyMigrationFailureTests.contents(test)
      let path = test.file.path(percentEncoded: false)
      await #expect(processExitsWith: .success) { [path = path as String, limit = limit as UInt] in
        let schema = try MigrationKillTests.newSchema()
        FileSystemFailureTests.limitFiles(toBytes: limit)
        var code: PersistenceError.Code?
        do {
          _ = try SQLiteStore(path: path, schema: schema)
        } catch let error as PersistenceError { code = error.code }
        FileSystemFailureTests.expect(code == .diskFull, "\(String(describing: code))")
      }
      #expect(try FamilyMigrationFailureTests.contents(test) == before)
      #expect(try files(test) == ["Atelier.sqlite"])
      _ = try test.open(Self.newSchema())
      #expect(try test.storeTester(Self.newSchema()).rows(of: "Volume").count == 20_000)
    }

  #endif
}
