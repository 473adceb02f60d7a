import Copal
import CopalModel
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

/// Features that are right alone, beside a second process, or a program that migrates the store.
@Suite("Pairs of features in several programs", .modelAsIs)
struct ProgramPairTests {
  // MARK: A migration by another program

  /// What a program does that has not noticed the migration.
  enum Way: String, CaseIterable, Sendable {
    case refresh, refreshMerging, merge, transaction, insertAll, updateAll, deleteAll
    case error, storeTrump, objectTrump, overwrite, rollback, custom

    var policy: MergePolicy? {
      switch self {
      case .error: .error
      case .storeTrump: .mergeByPropertyStoreTrump
      case .objectTrump: .mergeByPropertyObjectTrump
      case .overwrite: .overwrite
      case .rollback: .rollback
      case .custom: .custom { _ in .keepMine }
      default: nil
      }
    }

    func run(_ account: ManagedObject, _ context: ManagedObjectContext) throws {
      switch self {
      case .refresh:
        try context.refresh(account, mergeChanges: false)
        _ = try account.value(of: "count", as: Int.self)
      case .refreshMerging: try context.refresh(account, mergeChanges: true)
      case .transaction:
        try context.transaction {
          try account.setValue(7, forKey: "count")
          try context.save()
        }
      case .insertAll: try context.insertAll("Account", [["name": "new", "count": 7]])
      case .updateAll:
        try context.updateAll("Account", set: [BatchAssignment("count", .constant(7))])
      case .deleteAll: _ = try context.deleteAll("Account")
      case .merge, .error, .storeTrump, .objectTrump, .overwrite, .rollback, .custom:
        if self == .merge {
          context.mergeChanges()
          // The rollback of a context that merges leaves a fault.
          _ = try account.value(of: "count", as: Int.self)
        }
        try account.setValue(7, forKey: "count")
        try context.save()
      }
    }
  }

  private static func model(_ version: Int) throws -> ModelBinding {
    // Another attribute has the former name.
    let counts =
      version == 1
      ? #""count": "integer""#
      : #""total": { "type": "integer", "renamedFrom": "count" }, "count": "integer?""#
    return ModelBinding(
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Ledger", "version": \(version), "entities": {
            "Account": { "attributes": { "name": "string?", \(counts) } } } }
          """, file: "Ledger"))
  }

  @Test(
    "after another program's migration, each way to read and to write stops by name, and writes nothing",
    arguments: Way.allCases)
  func migrated(_ way: Way) throws {
    let test = try TestStore()
    let old = try PersistentContainer(model: Self.model(1), store: test.configuration())
    let context = old.makeContext()
    context.automaticallyMergesChanges = way == .merge
    if let policy = way.policy { context.mergePolicy = policy }
    let account = try context.insert("Account")
    try account.setValue("Rosa", forKey: "name")
    try account.setValue(3, forKey: "count")
    try context.save()
    _ = try PersistentContainer(model: Self.model(2), store: test.configuration())
    // Another program writes with the new model, so that each policy has a conflict.
    _ = try test.sqlite3("UPDATE Account SET count = 100, total = 4, copal_version = 2")
    let before = try test.sqlite3("SELECT * FROM Account")
    // A second time, the statements are prepared for the new tables.
    for round in 1...2 {
      let codes = try Workroom.codes { try way.run(account, context) }
      #expect(codes == [.modelDiffers], "\(round)")
      context.rollback()
      #expect(try test.sqlite3("SELECT * FROM Account") == before)
      let count = try? account.value(of: "count", as: Int.self)
      #expect(count == 3 || count == nil, "no value of the other attribute")
    }
    #expect(try test.sqlite3("SELECT name, total, count FROM Account") == "Rosa|4|100")
  }

  @Test("a context that merges what other programs write shows no value of a migrated row")
  func noticed() async throws {
    let test = try TestStore()
    var options = SQLiteStore.Options()
    options.noticesOtherPrograms = .milliseconds(5)
    let old = try PersistentContainer(model: Self.model(1), store: test.configuration(options))
    old.readFailureHandler = { _ in }
    let context = old.makeContext()
    context.automaticallyMergesChanges = true
    let account = try context.insert("Account")
    try account.setValue("Rosa", forKey: "name")
    try account.setValue(3, forKey: "count")
    try context.save()
    try await looks(test)
    _ = try PersistentContainer(model: Self.model(2), store: test.configuration())
    _ = try test.sqlite3("UPDATE Account SET count = 100, total = 4, copal_version = 2")
    for _ in 0..<40 {
      try await Task.sleep(for: .milliseconds(5))
      context.mergeChanges()
      let count = try? account.value(of: "count", as: Int.self)
      #expect(count == 3 || count == nil)
    }
    let write = {
      try context.insert("Account").setValue(7, forKey: "count")
      try context.save()
    }
    #expect(try Workroom.codes(write) == [.modelDiffers])
    #expect(try test.sqlite3("SELECT name, total, count FROM Account") == "Rosa|4|100")
  }

  /// Waits until the container has looked twice for commits of other programs.
  private func looks(_ test: TestStore) async throws {
    var seen = 0
    _ = test.recorder.take()
    for _ in 0..<2000 where seen < 2 {
      try await Task.sleep(for: .milliseconds(5))
      seen += test.recorder.take().count { $0 == "PRAGMA data_version" }
    }
    try #require(seen >= 2)
  }

  @Test("a merge has what another tool has written, and keeps what is unsaved here")
  func tool() async throws {
    var options = SQLiteStore.Options()
    options.noticesOtherPrograms = .milliseconds(5)
    let room = try Workroom(TestStore(), options: options)
    let works = try Workroom.family.map { try room.work($0) }
    try await looks(room.test)
    for work in works { try work.setValue(7, forKey: "count") }
    _ = try room.test.sqlite3(
      "UPDATE Work SET title = 'Sienna', tones = '2', copal_version = copal_version + 1")
    for _ in 0..<200 where try Workroom.Property.title.number(of: works[1]) == 0 {
      try await looks(room.test)
      room.mine.mergeChanges()
    }
    for work in works {
      #expect(try Workroom.Property.title.number(of: work) == 2)
      #expect(try Workroom.Property.tones.number(of: work) == 2)
      #expect(try work.value(of: "count") == 7)
    }
    try room.mine.save()
    #expect(
      try room.test.sqlite3("SELECT title, count, tones FROM Work") == "Sienna|7|2\nSienna|7|2")
    try room.expectWhole(files: 2)
  }

  @Test(
    "a migration waits for a transaction, and has all that it commits, or nothing that it undoes",
    arguments: [true, false])
  func transaction(_ commits: Bool) throws {
    struct Stop: Error {}
    let test = try TestStore()
    let options = SQLiteStore.Options(busyTimeoutSeconds: 0.05)
    let old = try PersistentContainer(model: Self.model(1), store: test.configuration(options))
    let context = old.makeContext()
    func insert(_ count: Int) throws {
      try context.insert("Account").setValue(count, forKey: "count")
      try context.save()
    }
    func migrate() throws {
      _ = try PersistentContainer(model: Self.model(2), store: test.configuration(options))
    }
    try insert(1)
    do {
      try context.transaction {
        try insert(2)
        #expect(try Workroom.codes(migrate) == [.busy])
        try insert(3)
        if !commits { throw Stop() }
      }
    } catch is Stop {}
    try migrate()
    #expect(
      try test.sqlite3("SELECT total, count IS NULL FROM Account ORDER BY total")
        == (commits ? "1|1\n2|1\n3|1" : "1|1"))
    #expect(try Workroom.codes { try insert(4) } == [.modelDiffers])
  }

  // MARK: Two processes

  /// What a process does again and again with the two works of a store, alone or beside another.
  enum Work: String, CaseIterable, Sendable {
    case transaction, batch, inPlace

    static let rounds = 40

    func run(_ path: String, _ number: Int) throws {
      let container = try Workroom.container(ProgramPairTests.store(path))
      let context = container.makeContext()
      let works = try context.fetch(FetchRequest<ManagedObject>(entityName: "Work"))
      for round in 0..<Self.rounds {
        switch self {
        case .transaction:
          try context.transaction {
            for work in works {
              try context.refresh(work, mergeChanges: false)
              let count = try work.value(of: "count", as: Int.self) ?? 0
              try work.setValue(count + 1, forKey: "count")
              try context.save()
            }
          }
        case .batch:
          try context.updateAll(
            "Work",
            set: [BatchAssignment("count", .call(.add, [.property("count"), .constant(1)]))])
        case .inPlace: try append("\(number).\(round)", to: works[0], context)
        }
      }
    }

    /// Appends to a value that changes in place, until no other program has saved meanwhile.
    private func append(_ tone: String, to work: ManagedObject, _ context: ManagedObjectContext)
      throws
    {
      while true {
        try context.refresh(work, mergeChanges: false)
        try work.value(of: "tones", as: Tones.self)?.names.append(tone)
        if try Workroom.codes({ try context.save() }).isEmpty { return }
        context.rollback()
      }
    }
  }

  private static func store(_ path: String) -> StoreConfiguration {
    .sqlite(at: URL(filePath: path), options: SQLiteStore.Options(busyTimeoutSeconds: 60))
  }

  @Test(
    "two processes lose no change of each other, in a row or in place", arguments: Work.allCases)
  func processes(_ work: Work) async throws {
    let room = try Workroom()
    let path = room.test.file.path(percentEncoded: false)
    let first = try room.work("Work")
    _ = try room.work("Sculpture")
    await withTaskGroup(of: Void.self) { group in
      for number in 1...2 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, number = number as Int, name = work.rawValue as String] in
            try #require(Work(rawValue: name)).run(path, number)
          }
        }
      }
    }
    let total = work == .inPlace ? 0 : 2 * Work.rounds
    #expect(try room.test.sqlite3("SELECT count FROM Work") == "\(total)\n\(total)")
    let fresh = try room.container.makeContext().existingObject(with: first.objectID)
    let tones = try #require(try fresh.value(of: "tones", as: Tones.self)).names
    let added = work == .inPlace ? Work.rounds : 0
    #expect(tones.first == "0" && tones.count == 1 + 2 * added)
    for number in 1...2 {
      #expect(
        tones.filter { $0.hasPrefix("\(number).") } == (0..<added).map { "\(number).\($0)" })
    }
    try room.expectWhole(files: 2)
  }

  @Test(
    "a process that is killed in a transaction leaves nothing of it, and does not lock the store")
  func killed() async throws {
    let room = try Workroom()
    let path = room.test.file.path(percentEncoded: false)
    let work = try room.work("Sculpture")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let context = try Workroom.container(Self.store(path)).makeContext()
      try context.transaction {
        for work in try context.fetch(FetchRequest<ManagedObject>(entityName: "Work")) {
          for property in Workroom.Property.allCases { try property.set(1, of: work) }
          try context.insert("Work").setValue("a", forKey: "code")
          try context.save()
          try context.updateAll("Work", set: [BatchAssignment("count", .constant(5))])
        }
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try room.test.sqlite3("SELECT count(*), sum(count) FROM Work") == "1|0")
    for property in Workroom.Property.allCases { #expect(try room.stored(property, work) == 0) }
    #expect(try room.found() == [0])
    try work.setValue("A", forKey: "code")
    try room.mine.save()
    try room.expectWhole(files: 1)
  }

  @Test("a refresh has what another process has saved, and keeps what is unsaved here")
  func refreshed() async throws {
    let room = try Workroom()
    let path = room.test.file.path(percentEncoded: false)
    let works = try Workroom.family.map { try room.work($0) }
    for work in works { try work.setValue(7, forKey: "count") }
    try Workroom.Property.tones.set(2, of: works[1])
    await #expect(processExitsWith: .success) { [path = path as String] in
      let context = try Workroom.container(Self.store(path)).makeContext()
      for work in try context.fetch(FetchRequest<ManagedObject>(entityName: "Work")) {
        for property in Workroom.Property.allCases { try property.set(1, of: work) }
      }
      try context.save()
    }
    for work in works { try room.mine.refresh(work, mergeChanges: true) }
    for (work, tones) in zip(works, [1, 2]) {
      #expect(try Workroom.Property.title.number(of: work) == 1)
      #expect(try Workroom.Property.scan.number(of: work) == 1)
      #expect(try Workroom.Property.tones.number(of: work) == tones)
      #expect(try work.value(of: "count") == 7)
    }
    #expect(try Workroom.titles("UMB", room.mine) == ["Úmber", "Úmber"])
    try room.mine.save()
    #expect(
      try room.test.sqlite3("SELECT title, count, tones FROM Work ORDER BY copal_id")
        == "Úmber|7|1\nÚmber|7|2")
    try room.expectWhole(files: 2)
  }
}
