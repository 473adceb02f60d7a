import Copal
import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// Migrations in which objects go to other families, with links, orders and large values, and whose
/// program is killed: the store is as before or as after, and no file of a large value is lost or
/// left.
@Suite("Migrations that move objects and are killed", .modelAsIs)
struct MovedObjectKillTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// The number of kills at system calls.
  private static let killCount = environment["COPAL_KILLS"].flatMap(Int.init) ?? 2
  /// The number of objects of the long runs.
  private static let objectCount = killCount >= 100 ? 20_000 : 600

  private let test: TestStore

  init() throws { test = try TestStore() }

  private static func model(_ version: Int, _ entities: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      json:
        #"{ "copal": 1, "model": "Test", "version": \#(version), "entities": { \#(entities) } }"#,
      file: "Test.model.json")
  }

  private static func old() throws -> ManagedObjectModel {
    try model(
      1,
      #"""
      "Asset": { "attributes": { "n": "string" }, "relationships": { "album": { "type": "Album?", "inverse": "assets" } } },
      "Photo": { "parent": "Asset", "attributes": { "width": "integer", "scan": { "type": "binary?", "external": 100 } } },
      "Paper": {
        "attributes": { "n": "string", "sheet": { "type": "binary?", "external": 100 }, "draft": { "type": "binary?", "external": 100 } },
        "relationships": {
          "next": { "type": "Paper?" },
          "tags": { "type": "[Tag]", "inverse": "papers", "ordered": true } }, "unique": ["n"] },
      "Tag": { "attributes": { "n": "string" }, "relationships": { "papers": { "type": "[Paper]", "inverse": "tags" } } },
      "Mark": { "attributes": { "n": "string" } },
      "Album": { "attributes": { "n": "string" }, "relationships": { "assets": { "type": "[Asset]", "inverse": "album", "ordered": true } } }
      """#)
  }

  /// Photos leave their family, papers come into it, and marks become tags.
  private static func new() throws -> ManagedObjectModel {
    try model(
      2,
      #"""
      "Asset": { "attributes": { "n": "string" }, "relationships": { "album": { "type": "Album?", "inverse": "assets" } } },
      "Photo": { "removed": ["album"], "attributes": { "n": "string", "width": "string", "scan": { "type": "binary?", "external": 100 } } },
      "Paper": {
        "parent": "Asset", "removed": ["draft"], "attributes": { "sheet": { "type": "binary?", "external": 100 } },
        "relationships": {
          "next": { "type": "Paper?" },
          "tags": { "type": "[Tag]", "inverse": "papers", "ordered": true } }, "unique": ["n"] },
      "Tag": { "merges": ["Mark"], "attributes": { "n": "string" }, "relationships": { "papers": { "type": "[Paper]", "inverse": "tags" } } },
      "Album": { "attributes": { "n": "string" }, "relationships": { "assets": { "type": "[Asset]", "inverse": "album", "ordered": true, "conversion": "nil" } } }
      """#)
  }

  static func newSchema() throws -> StoreSchema { StoreSchema(try new()) }

  private func insert(_ count: Int) throws {
    let container = try PersistentContainer(
      model: ModelBinding(Self.old()), store: test.configuration())
    let context = container.makeContext()
    var album: ManagedObject?
    var paper: ManagedObject?
    var tags: [ManagedObject] = []
    for number in 0..<count {
      let entity = ["Asset", "Photo", "Paper", "Paper", "Mark"][number % 5]
      let object = try context.insert(entity)
      try object.setValue("\(number)", forKey: "n")
      if number % 100 == 0 {
        album = try context.insert("Album")
        let tag = try context.insert("Tag")
        for new in [album, tag] { try new?.setValue("\(number)", forKey: "n") }
        tags.insert(tag, at: 0)
      }
      let large = Data(repeating: UInt8(number % 256), count: number % 50 == 2 ? 500 : 5)
      switch entity {
      case "Photo":
        try object.setValue(number, forKey: "width")
        try object.setValue(Data(repeating: 1, count: number % 50 == 1 ? 300 : 3), forKey: "scan")
        try object.setValue(album, forKey: "album")
      case "Asset": try object.setValue(album, forKey: "album")
      case "Paper":
        try object.setValue(large, forKey: "sheet")
        try object.setValue(large, forKey: "draft")
        try object.setValue(paper, forKey: "next")
        if number % 3 == 0 { try object.setValue(Array(tags.prefix(3)), forKey: "tags") }
        paper = object
      default: break
      }
    }
    try context.save()
  }

  /// The rows of a store, without the dates of migrations and what the removal of files needs.
  private func contents(_ store: TestStore) throws -> String {
    let others = ["copal_migrations VALUES", "copal_unreferencedFiles", "\"copal_files_"]
    return try store.sqlite3(".dump").split(separator: "\n").filter { line in
      !others.contains(where: line.contains)
    }.joined(separator: "\n")
  }

  private func files(_ store: TestStore) throws -> Set<String> {
    let folder = store.file.path(percentEncoded: false) + "-files"
    return Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
  }

  /// A copy of the store, which no program has open.
  private func copy() throws -> TestStore {
    _ = try test.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = try TestStore()
    try FileManager.default.copyItem(at: test.file, to: copy.file)
    try FileManager.default.copyItem(
      atPath: test.file.path(percentEncoded: false) + "-files",
      toPath: copy.file.path(percentEncoded: false) + "-files")
    return copy
  }

  /// What a store has before and after its migration.
  private struct Expected {
    let before: String
    let after: String
    let filesBefore: Set<String>
    let filesAfter: Set<String>
    let statements: [String]
  }

  private func expected() throws -> Expected {
    let migrated = try copy()
    let schema = try Self.newSchema()
    let statements = try migrated.recorder.statements { _ = try migrated.open(schema) }
    // Files of removed values go when the store opens again.
    _ = try migrated.open(schema)
    return Expected(
      before: try contents(test), after: try contents(migrated), filesBefore: try files(test),
      filesAfter: try files(migrated), statements: statements)
  }

  /// - Returns: whether the migration was done when the program was killed.
  private func check(_ killed: TestStore, _ expected: Expected, _ moment: Comment) throws -> Bool {
    let found = try contents(killed)
    #expect(found == expected.before || found == expected.after, moment)
    #expect(try files(killed).isSuperset(of: expected.filesAfter), moment)
    let schema = try Self.newSchema()
    for _ in 0..<2 { _ = try killed.open(schema) }
    #expect(try contents(killed) == expected.after, moment)
    #expect(try files(killed) == expected.filesAfter, moment)
    #expect(
      try killed.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok", moment)
    return found == expected.after
  }

  @Test("after a kill before each statement, the store is as before or as after")
  func killedBetweenStatements() async throws {
    try insert(Self.killCount >= 100 ? 2_000 : 200)
    let expected = try expected()
    #expect(expected.filesBefore.count > expected.filesAfter.count)
    let begin = try #require(expected.statements.firstIndex(of: "BEGIN IMMEDIATE"))
    let commit = try #require(expected.statements.lastIndex(of: "COMMIT"))
    let kills = min(Self.killCount, commit - begin)
    var found: Set<Bool> = []
    for place in 0...kills {
      let number = begin + 2 + (commit - begin) * place / kills
      let killed = try copy()
      let path = killed.file.path(percentEncoded: false)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, number = number as Int] in
        let count = Locked(0)
        var options = SQLiteStore.Options()
        options.onStatement = { _ in
          let isLast = count.withLock { count in
            count += 1
            return count == number
          }
          if isLast { kill(getpid(), SIGKILL) }
        }
        _ = try SQLiteStore(
          path: path, schema: MovedObjectKillTests.newSchema(), options: options)
      }
      found.insert(try check(killed, expected, "statement \(number)"))
    }
    #expect(found == [false, true])
  }

  @Test(
    "after a kill at any system call, the store is as before or as after",
    .enabled(if: SystemCallKiller() != nil))
  func killedAtSystemCalls() async throws {
    try insert(Self.objectCount)
    let expected = try expected()
    var random = SplitMix(seed: 3)
    var found: [Bool] = []
    // The calls of a migration grow with its pages.
    var limit = Self.objectCount * 4
    for _ in 0..<Self.killCount {
      let killed = try copy()
      let path = killed.file.path(percentEncoded: false)
      let number = Int.random(in: 1..<limit, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, number = number as Int] in
        let schema = try MovedObjectKillTests.newSchema()
        try SystemCallKiller()?.kill(at: number, ready: path + "-ready")
        _ = try SQLiteStore(path: path, schema: schema)
        // The calls of the migration were fewer.
        while true { usleep(100) }
      }
      let isDone = try check(killed, expected, "call \(number)")
      found.append(isDone)
      // Most kills are to come before the end.
      if isDone { limit = max(200, min(limit, number * 5 / 4)) }
    }
    print("\(found.count) kills, \(found.count { $0 }) after the end of the migration")
    if Self.killCount >= 100 { #expect(Set(found) == [false, true]) }
  }
}
