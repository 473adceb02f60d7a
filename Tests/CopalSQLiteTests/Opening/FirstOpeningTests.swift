import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Two programs that open a new file at the same time")
struct FirstOpeningTests {
  /// Opens the file a second time directly before a statement of the first opening.
  final class Rival: Sendable {
    private let isDone = Locked(false)
    private let open: @Sendable () -> Void

    init(_ open: @escaping @Sendable () -> Void) { self.open = open }

    func come() {
      let isFirst = isDone.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst { open() }
    }
  }

  @Test(
    "two programs that open a new file get the same store, for every order of their statements",
    arguments: [
      "PRAGMA application_id", "SELECT count(*) FROM sqlite_schema", "PRAGMA journal_mode=WAL",
      "BEGIN IMMEDIATE",
    ])
  func rival(_ moment: String) throws {
    let test = try TestStore()
    let path = test.file.path(percentEncoded: false)
    let schema = try StoreModels.sampler()
    let found = Locked<[UUID]>([])
    let rival = Rival {
      guard let other = try? SQLiteStore(path: path, schema: schema) else { return }
      found.withLock { $0.append(other.identifier) }
    }
    let first = try SQLiteStore(
      path: path, schema: schema,
      options: SQLiteStore.Options(onStatement: { if $0 == moment { rival.come() } }))
    #expect(found.withLock { $0 } == [first.identifier])
  }

  @Test(
    "two processes that create the same 100 stores at the same moments get no error, and the same stores"
  )
  func processes() async throws {
    let (test, manager) = (try TestStore(), FileManager.default)
    let folder = test.folder.path(percentEncoded: false)
    await withTaskGroup(of: Void.self) { group in
      for names in [["a", "b"], ["b", "a"]] {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [folder = folder as String, names = names as [String]] in
            let schema = try StoreModels.sampler()
            for number in 0..<100 {
              FirstOpeningTests.meet(number, names, in: folder)
              let store = try SQLiteStore(path: "\(folder)\(number).sqlite", schema: schema)
              let note = "\(folder)\(number)-\(names[0])"
              try Data(store.identifier.uuidString.utf8).write(to: URL(filePath: note))
            }
          }
        }
      }
    }
    let different = (0..<100).filter { number in
      let found = ["a", "b"].map { manager.contents(atPath: "\(folder)\(number)-\($0)") }
      return found[0] == nil || found[0] != found[1]
    }
    #expect(different == [])
  }

  /// Waits until the other process is as far as this one.
  private static func meet(_ number: Int, _ names: [String], in folder: String) {
    let files = names.map { "\(folder)meet-\(number)-\($0)" }
    _ = FileManager.default.createFile(atPath: files[0], contents: nil)
    let end = ContinuousClock.now + .seconds(60)
    while access(files[1], F_OK) != 0 { if ContinuousClock.now > end { exit(95) } }
  }
}
