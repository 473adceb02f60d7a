import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("The change set of a save")
struct ChangeSetTests {
  @Test("it has the row before each update and delete, and the author of the context")
  func before() throws {
    let log = Locked<[ChangeSet]>([])
    let container = try PersistentContainer(
      model: .atelier,
      store: StoreConfiguration(name: "logging") { LoggingStore(MemoryStore($0), log) },
      transformers: TestTransformers.atelier)
    let context = container.makeContext()
    let (anna, berthe) = (
      Painter(context: context, name: "Anna"), Painter(context: context, name: "Berthe")
    )
    try context.save()
    context.transactionAuthor = "import"
    anna.name = "Anna Ancher"
    context.delete(berthe)
    try context.save()

    let changes = log.withLock { $0 }
    #expect(changes.map(\.author) == [nil, "import"])
    let inserts = try #require(changes.first?.entities.first?.inserts)
    #expect(inserts.allSatisfy { $0.key < 0 } && inserts.count == 2)
    let written = try #require(changes.last?.entities.first)
    let layout = try #require(container.store.schema.layout("Painter"))
    let name = try #require(layout.slotByName["name"])
    func value(_ row: PackedRow) -> PropertyValue {
      withExtendedLifetime(row) { layout.value(row.base, name) }
    }
    #expect(written.updates.map { value($0.before) } == ["Anna"])
    #expect(written.updates.map { value($0.row) } == ["Anna Ancher"])
    #expect(written.updates.map { [$0.version, $0.row.version] } == [[1, 2]])
    #expect(written.deletes.map { $0.before.map(value) } == ["Berthe"])
  }
}

/// A store in memory that keeps every change set that it is given.
private final class LoggingStore: PersistentStore {
  private let memory: MemoryStore
  private let log: Locked<[ChangeSet]>

  init(_ memory: MemoryStore, _ log: Locked<[ChangeSet]>) {
    self.memory = memory
    self.log = log
  }

  var identifier: UUID { memory.identifier }
  var schema: StoreSchema { memory.schema }

  func makeSession() -> sending any StoreSession { LoggingSession(memory.makeSession(), log) }
}

private final class LoggingSession: StoreSession {
  private let session: any StoreSession
  private let log: Locked<[ChangeSet]>

  init(_ session: sending any StoreSession, _ log: Locked<[ChangeSet]>) {
    self.session = session
    self.log = log
  }

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    try session.fetch(query, into: receiver)
  }
  func fetchKeys(_ query: StoreQuery) throws -> [Int64] { try session.fetchKeys(query) }
  func count(_ query: StoreQuery) throws -> Int { try session.count(query) }
  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try session.fetchValues(query)
  }
  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws {
    try session.fetchRelated(query, into: receiver)
  }
  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    try session.fetchRows(keys, entity: entity, into: receiver)
  }
  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try session.fetchRow(key, entity: entity)
  }
  func commit(_ changes: ChangeSet) throws -> CommitResult {
    log.withLock { $0.append(changes) }
    return try session.commit(changes)
  }
  func beginReadTransaction() throws { try session.beginReadTransaction() }
  func endReadTransaction() { session.endReadTransaction() }
}
