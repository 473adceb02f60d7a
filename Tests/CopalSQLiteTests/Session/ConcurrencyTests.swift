import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Concurrent use of a store")
struct ConcurrencyTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  /// Adds one to the counter of row 1 until that has succeeded `count` times.
  ///
  /// - Returns: the number of conflicts until then.
  static func increment(_ tester: StoreTester, count: Int) throws -> Int {
    var conflicts = 0
    var done = 0
    while done < count {
      let row = try tester.row(1)
      guard case .integer(let number) = row["whole"] else { throw ConformanceFailure("no number") }
      do {
        try tester.update(row, ["whole": .integer(number + 1)])
        done += 1
      } catch let refused as StoreTester.Refused {
        if refused.conflicts.map(\.word) != ["changed"] { throw refused }
        conflicts += 1
      }
    }
    return conflicts
  }

  @Test("a store loses no update of 8 tasks", arguments: StoreKind.allCases)
  func tasks(kind: StoreKind) async throws {
    let store = try TestStore.keeping(test, kind).open(StoreModels.sampler())
    try StoreTester(store).insert(["whole": 0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { _ = try Self.increment(StoreTester(store), count: 40) }
      }
      try await group.waitForAll()
    }
    let row = try StoreTester(store).row(1)
    #expect(row["whole"] == 320)
    #expect(row.row.version == 321)
  }

  @Test("a store loses no update of 4 processes, and gives every object its own key")
  func processes() async throws {
    try test.storeTester(StoreModels.sampler()).insert(["whole": 0])
    let path = test.file.path(percentEncoded: false)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try SQLiteStore(path: path, schema: StoreModels.sampler())
            let tester = try StoreTester(store)
            for _ in 0..<25 {
              _ = try ConcurrencyTests.increment(tester, count: 1)
              try tester.insert(["text": "x"])
            }
          }
        }
      }
    }
    let tester = try test.storeTester(StoreModels.sampler())
    #expect(try tester.row(1)["whole"] == 100)
    #expect(try tester.keys() == Array(1...101))
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
  }

  @Test("sessions that start and end on many threads do not affect each other")
  func sessions() async throws {
    let store = try test.open(StoreModels.sampler())
    try StoreTester(store).insert(["whole": 1])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            let tester = try StoreTester(store)
            let isOne = FetchPredicate.comparison(.property("whole"), .equal, .constant(1))
            guard try tester.keys(isOne) == [1], try tester.row(1)["whole"] == 1 else {
              throw ConformanceFailure("a session read another's")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("a save waits for a lock up to the busy timeout, then throws, and succeeds later")
  func busy() throws {
    let options = SQLiteStore.Options(busyTimeoutSeconds: 0.3)
    let tester = try test.storeTester(StoreModels.sampler(), options)
    try tester.insert(["whole": 1])
    let other = try test.otherProgram()
    try other.run("BEGIN IMMEDIATE")
    let clock = ContinuousClock()
    var error: PersistenceError?
    let time = clock.measure {
      error = #expect(throws: PersistenceError.self) { try tester.insert(["whole": 2]) }
    }
    #expect(error?.code == .busy)
    #expect(error?.path == test.file.path(percentEncoded: false))
    #expect(time >= .milliseconds(250) && time < .seconds(3))
    // Readers do not wait.
    #expect(try tester.keys() == [1])
    try other.run("COMMIT")
    #expect(try tester.insert(["whole": 2]) == 2)
  }

  /// A store whose write-ahead log another tool has turned off, and in which that tool writes.
  private func writerWithoutLog() throws -> OtherProgram {
    _ = try test.open(StoreModels.sampler())
    let other = try test.otherProgram()
    try other.run("PRAGMA journal_mode=DELETE; BEGIN IMMEDIATE")
    return other
  }

  @Test("opening waits for a lock while it turns the write-ahead log on, up to the busy timeout")
  func openingWaits() async throws {
    let other = try writerWithoutLog()
    let (tries, outcome) = (Locked(0), Locked<Result<Void, any Error>?>(nil))
    var options = SQLiteStore.Options(busyTimeoutSeconds: 1800)
    options.onStatement = { statement in
      if statement.contains("journal_mode") { tries.withLock { $0 += 1 } }
    }
    // Not a task, which would keep a thread of all tests.
    Thread { [path = test.file.path(percentEncoded: false), options] in
      let opened = Result<Void, any Error> {
        _ = try SQLiteStore(path: path, schema: StoreModels.sampler(), options: options)
      }
      outcome.withLock { $0 = opened }
    }.start()
    // A second try shows that it waits.
    while tries.withLock({ $0 }) < 2, outcome.withLock({ $0 == nil }) {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(outcome.withLock { $0 == nil })
    try other.run("COMMIT")
    while outcome.withLock({ $0 == nil }) { try await Task.sleep(for: .milliseconds(1)) }
    try outcome.withLock { try $0?.get() }
    #expect(try test.sqlite3("PRAGMA journal_mode") == "wal")
  }

  @Test(
    "opening throws when the lock is held for longer than the busy timeout", arguments: [0, 0.3])
  func openingIsBusy(seconds: Double) throws {
    let other = try writerWithoutLog()
    let options = SQLiteStore.Options(busyTimeoutSeconds: seconds)
    var error: PersistenceError?
    let time = ContinuousClock().measure {
      error = #expect(throws: PersistenceError.self) {
        try test.open(StoreModels.sampler(), options)
      }
    }
    #expect(error?.code == .busy)
    #expect(time >= .seconds(seconds * 0.8))
    try other.run("COMMIT")
    _ = try test.open(StoreModels.sampler(), options)
    #expect(try test.sqlite3("PRAGMA journal_mode") == "wal")
  }

  @Test(
    "a store accepts any busy timeout",
    arguments: [0, -1, .infinity, .nan, .greatestFiniteMagnitude])
  func timeouts(seconds: Double) throws {
    let options = SQLiteStore.Options(busyTimeoutSeconds: seconds)
    #expect(try test.storeTester(StoreModels.sampler(), options).insert([:]) == 1)
  }

  @Test(
    "a store uses the requested page cache, and accepts any number",
    arguments: [
      (4000, 4000), (64_000, 64_000), (2001, 2001), (1999, 1999), (100, 100), (99, 100), (0, 100),
      (-1, 100), (Int.min, 100), (Int.max, 1_000_000_000), (2000, nil),
    ] as [(Int, Int?)])
  func pageCache(asked: Int, kilobytes: Int?) throws {
    let options = SQLiteStore.Options(pageCacheKilobytes: asked)
    let tester = try test.storeTester(StoreModels.sampler(), options)
    #expect(try tester.insert([:]) == 1)
    func taken() -> [String] { test.recorder.take().filter { $0.contains("cache_size") } }
    // A smaller cache takes effect at once, a larger one after many reads.
    let pragma = kilobytes.map { ["PRAGMA cache_size=-\($0)"] } ?? []
    #expect(taken() == (asked < 2000 ? pragma : []))
    for _ in 0..<99 { #expect(try tester.keys() == [1]) }
    #expect(taken() == [])
    for _ in 0..<100 { #expect(try tester.keys() == [1]) }
    #expect(taken() == (asked > 2000 ? pragma : []))
  }

  @Test(
    "a store uses the requested durability",
    arguments: [
      (SQLiteStore.Durability.normal, "PRAGMA synchronous=NORMAL"),
      (.full, "PRAGMA synchronous=FULL"),
    ])
  func durability(durability: SQLiteStore.Durability, sql: String) throws {
    _ = try test.open(StoreModels.sampler(), SQLiteStore.Options(durability: durability))
    #expect(test.recorder.take().contains(sql))
  }

  @Test("a save is one transaction, and an update writes only the changed columns")
  func statements() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    let key = try tester.insert(["text": "x", "whole": 1])
    let row = try tester.row(key)
    #expect(
      try test.recorder.statements { try tester.update(row, ["whole": 2]) } == [
        "BEGIN IMMEDIATE",
        // Whether the file still has the model with which it was opened.
        "SELECT value FROM copal_metadata WHERE name = ?1",
        #"UPDATE "Sample" SET "copal_version" = ?, "whole" = ? WHERE "copal_id" = ? AND "copal_version" = ? AND +"copal_entity" = 'Sample'"#,
        "COMMIT",
      ])
    let refused = test.recorder.statements {
      #expect(throws: StoreTester.Refused.self) { try tester.update(row, ["whole": 3]) }
    }
    #expect(refused.first == "BEGIN IMMEDIATE" && refused.last == "ROLLBACK")
  }
}

extension TestStore {
  /// The test's folder for SQLite, which must outlive the store.
  fileprivate static func keeping(_ test: TestStore, _ kind: StoreKind) throws -> TestStore {
    kind == test.kind ? test : try TestStore(kind)
  }
}
