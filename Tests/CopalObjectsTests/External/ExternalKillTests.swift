import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Programs with large values that are killed")
struct ExternalKillTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// The number of kills: two programs at once are killed.
  private static let count = environment["COPAL_KILLS"].flatMap(Int.init) ?? 6

  /// Whether programs are killed at system calls. Otherwise the kills are at random times: of the
  /// first program after its first save, and of the second program after its start.
  private static let killsAtSystemCalls = SystemCallKiller() != nil

  private let files: NegativeFiles
  private var folder: URL { files.test.folder }

  init() throws { files = try NegativeFiles() }

  private func journal(_ name: String) -> SaveJournal {
    SaveJournal(file: folder.appending(path: "journal-\(name)"))
  }

  @Test(
    "after kills of two programs at any system call, each save is complete or has done nothing, and files are those of the rows",
    .modelAsIs)
  func kills() async throws {
    var random = SplitMix(seed: 12)
    let store = files.test.file.path(percentEncoded: false)
    for _ in 0..<(Self.count + 1) / 2 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] {
          let seed = random.next()
          let moment = Int.random(
            in: 1..<(Self.killsAtSystemCalls ? 9000 : 150_000), using: &random)
          group.addTask { await Self.runAndKill(name, store, seed, moment) }
        }
        try await group.waitForAll()
      }
      try await check()
    }
    let saves = try ["a", "b"].map { try journal($0).versions().saves }.reduce(0, +)
    print("\(Self.count) kills, \(saves) saves")
    // A slow machine may kill the second program before it saves anything.
    #expect(saves >= (Self.killsAtSystemCalls ? Self.count + 1 : (Self.count + 1) / 2))
  }

  private static func runAndKill(_ name: String, _ store: String, _ seed: UInt64, _ moment: Int)
    async
  {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        name = name as String, store = store as String, seed = seed as UInt64,
        moment = moment as Int
      ] in
      let file = URL(filePath: store)
      let folder = file.deletingLastPathComponent()
      let journal = SaveJournal(file: folder.appending(path: "journal-\(name)"))
      let ready = folder.appending(path: "ready-\(name)-\(seed)").path(percentEncoded: false)
      let killer = Killer(journal: name == "a" ? journal : nil)
      try killer.kill(at: moment, ready: ready)
      try LargeValueWriter(name: name, store: file, journal: journal).run(seed: seed)
    }
  }

  /// Checks the store and its files as the next program finds them.
  private func check() async throws {
    let reopened = try files.reopened()
    try await reopened.container.removeUnreferencedFiles(checkingAll: true)
    #expect(try files.test.sqlite3("PRAGMA integrity_check") == "ok")
    #expect(try files.references() == files.names())
    let found = try versions(reopened.container)
    for name in ["a", "b"] {
      let own = found.filter { $0.key.hasPrefix(name) }
      let expected = try journal(name).versions()
      let end = try journal(name).end()
      #expect(
        own == expected.saved || own == expected.withRunning,
        "\(name): \(differences(own, expected)); the journal ends with \(end)")
      try journal(name).finishSave(own)
    }
    #expect(found.keys.allSatisfy { $0.hasPrefix("a") || $0.hasPrefix("b") })
    try checkBackups()
  }

  private func differences(_ found: [String: Int], _ expected: SaveJournal.Contents) -> String {
    let running = expected.withRunning ?? expected.saved
    return Set(found.keys).union(expected.saved.keys).union(running.keys).sorted()
      .filter { found[$0] != expected.saved[$0] || found[$0] != running[$0] }
      .map { title in
        let values = [found[title], expected.saved[title], running[title]].map { value in
          value.map(String.init) ?? "-"
        }
        return "\(title) has \(values[0]), saved was \(values[1]), then \(values[2])"
      }.joined(separator: "; ")
  }

  private func versions(_ container: PersistentContainer) throws -> [String: Int] {
    var versions: [String: Int] = [:]
    let context = container.makeContext()
    for negative in try context.fetch(Negative.self) {
      let version = try LargeValueWriter.version(of: negative)
      #expect(version != nil, "\(negative.title) has values of different saves")
      versions[negative.title] = version ?? -1
    }
    return versions
  }

  /// A backup that has its name is complete.
  private func checkBackups() throws {
    let manager = FileManager.default
    let names = try manager.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    for name in names where name.hasPrefix("backup-") && name.hasSuffix(".sqlite") {
      let container = try PersistentContainer(
        model: .negatives, store: .sqlite(at: folder.appending(path: name)),
        transformers: [NegativeNotes()])
      _ = try versions(container)
    }
    for name in names where name.hasPrefix("backup-") || name.hasPrefix("ready-") {
      try manager.removeItem(at: folder.appending(path: name))
    }
  }
}

/// Kills this process at one of its system calls, or after some microseconds.
private struct Killer {
  /// Where the program notes its saves, if the time begins with the first of them.
  let journal: SaveJournal?

  func kill(at moment: Int, ready: String) throws {
    if let killer = SystemCallKiller() { return try killer.kill(at: moment, ready: ready) }
    let before = try journal?.versions().saves ?? 0
    Thread.detachNewThread { [journal] in
      if let journal {
        while (try? journal.versions().saves) ?? before == before { usleep(1000) }
      } else {
        usleep(20_000)
      }
      usleep(UInt32(moment))
      _ = Foundation.kill(getpid(), SIGKILL)
    }
  }
}
