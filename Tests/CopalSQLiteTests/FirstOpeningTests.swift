import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Two that open a new file at once")
struct FirstOpeningTests {
  /// Opens the file a second time just before the first opening runs its statement.
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
    "both find one store, whichever statement the other comes before",
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
