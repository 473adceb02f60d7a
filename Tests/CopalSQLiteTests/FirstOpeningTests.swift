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
}
