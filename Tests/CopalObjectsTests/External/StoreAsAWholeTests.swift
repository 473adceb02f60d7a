import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalSQLite
@testable import CopalStore

/// A store at a path, with a small and a large value for each of its negatives.
private struct WholeStore {
  let url: URL
  var path: String { url.path(percentEncoded: false) }
  var configuration: StoreConfiguration {
    .sqlite(at: url, options: SQLiteStore.Options(busyTimeoutSeconds: 0.05))
  }

  init(_ test: TestStore, _ name: String) { url = test.folder.appending(path: name) }

  /// Opens, and makes the store when there is none.
  func opened() throws -> PersistentContainer {
    try PersistentContainer(
      model: .negatives, store: configuration, transformers: [NegativeNotes()])
  }

  func fill(_ titles: [String], _ number: UInt8) throws {
    let context = try opened().makeContext()
    for title in titles {
      let negative = Negative(context: context, title: title)
      negative.scan = bytes(3000, number)
      _ = ContactPrint(context: context, image: bytes(10, number))
    }
    context.metadata["number"] = .integer(Int64(number))
    try context.save()
  }

  /// What the store has: the number in its metadata, and the titles with the last bytes of their
  /// scans. Nil where there is no store.
  func contents() throws -> String? {
    guard try configuration.inspect() != nil else { return nil }
    return try openedContents()
  }

  /// The same, by opening: which may recover from an interruption first.
  func openedContents() throws -> String {
    let container = try opened()
    let context = container.makeContext()
    let negatives = try context.fetch(Negative.self, sortedBy: \.title.ascending).map {
      "\($0.title) \(try $0.value(of: "scan", as: Data.self)?.last ?? 0)"
    }
    return "\(try container.metadata["number"]?.integer ?? 0): \(negatives.joined(separator: ", "))"
  }

  /// The names of the files of the store.
  var files: [String] {
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return all.filter { $0.hasPrefix(url.lastPathComponent) }.sorted()
  }

  /// The number of files with large values.
  var valueCount: Int {
    files.filter { ExternalFileName(String($0.split(separator: "/").last ?? "")) != nil }.count
  }
}

@Suite("A store as a whole", .modelAsIs)
struct StoreAsAWholeTests {
  private let test: TestStore
  private let first: WholeStore
  private let second: WholeStore

  init() throws {
    test = try TestStore(.sqlite)
    (first, second) = (WholeStore(test, "Atelier.sqlite"), WholeStore(test, "Second.sqlite"))
    try first.fill(["a", "b"], 1)
  }

  // MARK: What each does

  @Test("destroy deletes the database, its log and its large values, and a new store can be made")
  func destroy() throws {
    #expect(first.valueCount == 2)
    try first.configuration.destroy()
    #expect(first.files == [])
    try first.configuration.destroy()
    #expect(try first.openedContents() == "0: ")
  }

  @Test("move takes everything to another path, and keeps the identifier and the ids")
  func move() throws {
    let id = try first.configuration.inspect()?.identifier
    let objectID = try first.opened().makeContext().fetchIDs(Negative.self).first
    try first.configuration.move(to: second.configuration)
    #expect(first.files == [])
    #expect(try second.contents() == "1: a 40, b 40" && second.valueCount == 2)
    #expect(try second.configuration.inspect()?.identifier == id)
    let context = try second.opened().makeContext()
    let moved = try context.existingObject(with: #require(objectID), as: Negative.self)
    moved.scan = bytes(4000, 9)
    try context.save()
    #expect(first.files == [])
  }

  @Test(
    "replace gives a store the contents of another one, which stays, and writes into the same file")
  func replace() throws {
    try second.fill(["x", "y", "z"], 2)
    let inode = FileStatus(first.path)
    let before = try second.contents()
    try first.configuration.replace(with: second.configuration)
    #expect(FileStatus(first.path)?.isSameFile(as: inode) == true)
    #expect(try first.contents() == before && second.contents() == before)
    #expect(first.valueCount == 3 && second.valueCount == 3)
    let ids = try [first, second].map { try $0.configuration.inspect()?.identifier }
    #expect(ids[0] == ids[1])
    let container = try first.opened()
    #expect(try container.store.removeUnreferencedFiles(checkingAll: true) == 0)
  }

  @Test("replace restores a backup, and makes a store that does not exist")
  func restore() async throws {
    let backup = WholeStore(test, "Backup.sqlite")
    try await first.opened().backup(to: backup.url)
    let before = try first.contents()
    try first.fill(["c"], 3)
    try first.configuration.replace(with: backup.configuration)
    #expect(try first.contents() == before && first.valueCount == 2)
    try second.configuration.replace(with: backup.configuration)
    #expect(try second.contents() == before && second.valueCount == 2)
    #expect(!second.files.contains { $0.contains("ending") || $0.contains("replacing") })
  }

  @Test("stores without large values have no folder, also afterwards")
  func withoutFolder() throws {
    let (plain, other) = (WholeStore(test, "Plain.sqlite"), WholeStore(test, "Other.sqlite"))
    _ = try plain.opened()
    try plain.configuration.move(to: other.configuration)
    #expect(try other.contents() == "0: ")
    #expect(plain.files.isEmpty && other.files.allSatisfy { !$0.contains("-files") })
    try first.configuration.replace(with: other.configuration)
    #expect(try first.contents() == "0: " && first.valueCount == 0)
    try other.configuration.replace(with: first.configuration)
    #expect(other.files.allSatisfy { !$0.contains("-files") })
  }

  // MARK: Refusals

  @Test("a store that is open is refused by name, and nothing is changed")
  func inUse() throws {
    try second.fill(["x"], 2)
    let container = try first.opened()
    let before = first.valueCount
    for operation in [
      { try first.configuration.destroy() },
      { try first.configuration.move(to: WholeStore(test, "Third.sqlite").configuration) },
      { try first.configuration.replace(with: second.configuration) },
    ] {
      let error = #expect(throws: PersistenceError.self) { try operation() }
      #expect(error?.code == .inUse && error?.path == first.path)
    }
    #expect(try container.makeContext().count(Negative.self) == 2 && first.valueCount == before)
    // The other store may be open.
    let open = try second.opened()
    let third = WholeStore(test, "Third.sqlite")
    try third.configuration.replace(with: second.configuration)
    #expect(try third.contents() == "2: x 43")
    withExtendedLifetime((container, open)) {}
  }

  @Test("another program that reads keeps a store, and after its end it can be destroyed")
  func otherProgram() throws {
    var program: OtherProgram? = try test.otherProgram()
    try program?.run("SELECT count(*) FROM Negative")
    let error = #expect(throws: PersistenceError.self) { try first.configuration.destroy() }
    #expect(error?.code == .inUse)
    program = nil
    try first.configuration.destroy()
    #expect(first.files == [])
  }

  @Test("what is missing, taken, foreign or not in a file is refused, and nothing is changed")
  func refused() throws {
    func code(_ body: () throws -> Void) -> PersistenceError.Code? {
      #expect(throws: PersistenceError.self) { try body() }?.code
    }
    #expect(code { try second.configuration.move(to: first.configuration) } == .noStore)
    #expect(code { try first.configuration.replace(with: second.configuration) } == .noStore)
    #expect(code { try first.configuration.replace(with: first.configuration) } == .cannotOpen)
    try second.fill(["x"], 2)
    #expect(code { try first.configuration.move(to: second.configuration) } == .pathTaken)
    #expect(code { try first.configuration.replace(with: .inMemory) } == .noFile)
    #expect(code { try first.configuration.move(to: .inMemory) } == .noFile)
    #expect(code { try StoreConfiguration.inMemory.move(to: first.configuration) } == .noFile)
    try StoreConfiguration.inMemory.destroy()
    let text = WholeStore(test, "Text.sqlite")
    try Data("no database, but a text of some length".utf8).write(to: text.url)
    #expect(code { try text.configuration.destroy() } == .notADatabase)
    #expect(code { try first.configuration.replace(with: text.configuration) } == .notADatabase)
    #expect(text.files == ["Text.sqlite"])
    let mine = first.path + "-files/mine.txt"
    try Data("mine".utf8).write(to: URL(filePath: mine))
    #expect(code { try first.configuration.destroy() } == .cannotOpen)
    #expect(code { try first.configuration.move(to: text.configuration) } == .cannotOpen)
    #expect(code { try first.configuration.replace(with: second.configuration) } == .cannotOpen)
    #expect(
      try first.contents() == "1: a 40, b 40" && FileManager.default.fileExists(atPath: mine))
  }

  @Test("a move does not replace a store that another program has made meanwhile")
  func moveMeanwhile() throws {
    let move = StoreMove(StorePath(first.path), to: StorePath(second.path), SQLiteStore.Options())
    let error = #expect(throws: PersistenceError.self) {
      try move.run { try second.fill(["x"], 2) }
    }
    #expect(error?.code == .pathTaken && error?.found == second.path)
    #expect(try first.contents() == "1: a 40, b 40" && second.contents() == "2: x 43")
    #expect(first.valueCount == 2 && second.valueCount == 1)
    #expect(!(first.files + second.files).contains { $0.hasSuffix("ending") })
  }

  @Test("a move that fails leaves nothing at the new path, and everything at the former one")
  func failedMove() throws {
    let move = StoreMove(StorePath(first.path), to: StorePath(second.path), SQLiteStore.Options())
    #expect(throws: CancellationError.self) { try move.run { throw CancellationError() } }
    #expect(second.files == [])
    #expect(try first.contents() == "1: a 40, b 40" && first.valueCount == 2)
    #expect(!first.files.contains { $0.hasSuffix("ending") })
  }

  @Test(
    "a move and a backup are refused beside files of a database that is gone, also of this store")
  func leftFiles() async throws {
    for suffix in ["-wal", "-shm", "-journal", "-files"] {
      let left = second.path + suffix
      if suffix == "-files" {
        // A copy of the store whose database was deleted: the folder has the same mark.
        try FileManager.default.copyItem(atPath: first.path + suffix, toPath: left)
      } else {
        try Data("left".utf8).write(to: URL(filePath: left))
      }
      let before = second.files
      let moved = #expect(throws: PersistenceError.self) {
        try first.configuration.move(to: second.configuration)
      }
      #expect(moved?.code == .pathTaken && moved?.found == left)
      let copied = await #expect(throws: PersistenceError.self) {
        try await first.opened().backup(to: second.url)
      }
      #expect(copied?.code == .backupExists && copied?.path == left)
      #expect(second.files == before)
      try FileManager.default.removeItem(atPath: left)
    }
    #expect(try first.contents() == "1: a 40, b 40" && first.valueCount == 2)
  }

  #if os(Linux)
    @Test(
      "a replacement of a store that is not there leaves nothing on a full disk",
      arguments: [1000, 8_192, 40_000] as [UInt])
    func fullDisk(limit: UInt) async throws {
      try second.fill((1...200).map { "title \($0)" }, 2)
      let third = WholeStore(test, "Third.sqlite")
      await #expect(processExitsWith: .success) {
        [from = second.path as String, to = third.path as String, limit = limit as UInt] in
        signal(SIGXFSZ, SIG_DFL)
        var size = rlimit(rlim_cur: limit, rlim_max: UInt.max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size) == 0 else { exit(90) }
        do {
          try StoreConfiguration.sqlite(at: URL(filePath: to))
            .replace(with: .sqlite(at: URL(filePath: from)))
          exit(91)
        } catch let error as PersistenceError {
          exit(error.code == .diskFull ? EXIT_SUCCESS : 92)
        }
      }
      #expect(third.files == [])
      #expect(second.valueCount == 200)
    }
  #endif

  @Test(
    "a program that kept the store open without a lock finds that its contents are those of another one"
  )
  func fileReplaced() throws {
    try second.fill(["x"], 2)
    let context = try first.opened().makeContext()
    #expect(try context.count(Negative.self) == 2)
    // The `sqlite3` tool takes no exclusive lock for it.
    _ = try test.sqlite3(".restore '\(second.path)'")
    let read = #expect(throws: PersistenceError.self) { try context.fetch(Negative.self) }
    #expect(read?.code == .fileReplaced)
    context.metadata["n"] = 1
    let write = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(write?.code == .fileReplaced)
  }

  // MARK: Interruptions

  /// After an interruption behind each step, each place has one whole store or none.
  private func afterEachStep(
    _ run: (Int) throws -> Void, reset: () throws -> Void, check: (Int) throws -> Bool
  ) throws {
    var (number, found) = (0, [Bool]())
    repeat {
      try reset()
      try run(number)
      found.append(try check(number))
      number += 1
    } while number <= 12
    // At first all is as before, and from one step on as after.
    #expect(found.first == false && found.last == true)
    #expect(found == found.sorted { !$0 && $1 })
  }

  @Test("an interrupted removal leaves the whole store, or none")
  func interruptedRemoval() throws {
    let path = StorePath(first.path)
    try afterEachStep(
      {
        try StoreRemoval(path, SQLiteStore.Options()).run(steps: $0)
      },
      reset: {
        try first.configuration.destroy()
        try first.fill(["a", "b"], 1)
      }
    ) { step in
      let contents = try first.openedContents()
      if contents == "0: " { return true }
      #expect(contents == "1: a 40, b 40", "step \(step)")
      #expect(!first.files.contains { $0.hasSuffix("ending") })
      return false
    }
  }

  @Test("an interrupted move leaves the whole store at one place, and the other place can be used")
  func interruptedMove() throws {
    try afterEachStep(
      {
        try StoreMove(StorePath(first.path), to: StorePath(second.path), SQLiteStore.Options())
          .run(steps: $0)
      },
      reset: {
        try first.configuration.destroy()
        try second.configuration.destroy()
        try first.fill(["a", "b"], 1)
      }
    ) { step in
      let contents = [try first.openedContents(), try second.openedContents()]
      let isMoved = contents == ["0: ", "1: a 40, b 40"]
      #expect(isMoved || contents == ["1: a 40, b 40", "0: "], "step \(step)")
      #expect(first.valueCount + second.valueCount == 2, "step \(step)")
      #expect(!(first.files + second.files).contains { $0.hasSuffix("ending") })
      return isMoved
    }
  }

  @Test(
    "an interrupted replacement leaves all of the former contents, or all of the new ones",
    arguments: [false, true])
  func interruptedReplacement(isNew: Bool) throws {
    try second.fill(["x", "y", "z"], 2)
    try afterEachStep(
      {
        try StoreReplacement(
          of: StorePath(first.path), with: StorePath(second.path), SQLiteStore.Options(),
          SQLiteStore.Options()
        ).run(steps: $0)
      },
      reset: {
        try first.configuration.destroy()
        if !isNew { try first.fill(["a", "b"], 1) }
      }
    ) { step in
      let contents = try first.openedContents()
      let isDone = contents == "2: x 43, y 43, z 43"
      #expect(isDone || contents == (isNew ? "0: " : "1: a 40, b 40"), "step \(step)")
      #expect(first.valueCount == (isDone ? 3 : isNew ? 0 : 2), "step \(step)")
      #expect(!first.files.contains { $0.contains("replacing") || $0.contains("next-") })
      #expect(try second.contents() == "2: x 43, y 43, z 43")
      return isDone
    }
  }

  // MARK: Kills

  private static let killCount =
    ProcessInfo.processInfo.environment["COPAL_KILLS"].flatMap(Int.init) ?? 6

  enum Operation: String, CaseIterable, Sendable { case destroy, move, replace, make }

  @Test(
    "after a kill, each place has a whole store or none", arguments: Operation.allCases)
  func kills(operation: Operation) async throws {
    var random = SplitMix(seed: 47)
    var (limit, ends) = (SystemCallKiller() == nil ? 20_000 : 3000, 0)
    for number in 0..<(Self.killCount + 3) / 4 {
      try first.configuration.destroy()
      try second.configuration.destroy()
      if operation != .make { try first.fill(["a", "b"], 1) }
      if operation == .replace || operation == .make { try second.fill(["x", "y", "z"], 2) }
      let moment = Int.random(in: 1..<limit, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          first = first.path as String, second = second.path as String,
          name = operation.rawValue as String, moment = moment as Int, number = number as Int
        ] in
        let ready = "\(first)-ready-\(name)-\(number)"
        let (a, b) = (
          StoreConfiguration.sqlite(at: URL(filePath: first)),
          StoreConfiguration.sqlite(at: URL(filePath: second))
        )
        if let killer = SystemCallKiller() {
          try killer.kill(at: moment, ready: ready)
        } else {
          Thread.detachNewThread {
            usleep(UInt32(moment))
            _ = Foundation.kill(getpid(), SIGKILL)
          }
        }
        switch Operation(rawValue: name) {
        case .destroy: try a.destroy()
        case .move: try a.move(to: b)
        case .replace, .make: try a.replace(with: b)
        case nil: break
        }
        while true { usleep(100) }
      }
      let (mine, others) = ("1: a 40, b 40", "2: x 43, y 43, z 43")
      let found = [try first.openedContents(), try second.openedContents()]
      let (before, after): ([String], [String]) =
        switch operation {
        case .destroy: ([mine, "0: "], ["0: ", "0: "])
        case .move: ([mine, "0: "], ["0: ", mine])
        case .replace: ([mine, others], [others, others])
        case .make: (["0: ", others], [others, others])
        }
      #expect(found == before || found == after, "\(operation), kill at \(moment)")
      if found == after {
        ends += 1
        limit = max(50, min(limit, moment * 5 / 4))
      }
      let count = found.joined().matches(of: /\ 4[03]/).count
      #expect(first.valueCount + second.valueCount == count, "\(operation), \(moment): \(found)")
      for store in [first, second] {
        #expect(!store.files.contains { $0.hasSuffix("ending") || $0.contains("replacing") })
      }
    }
    print("\(operation): \((Self.killCount + 3) / 4) kills, \(ends) after the end")
  }
}
