import Copal
import CopalStore
import Foundation
import Synchronization

/// Switches failures of a store on and off.
final class Outage: Sendable {
  private let down = Atomic<Bool>(false)

  var isDown: Bool {
    get { down.load(ordering: .relaxed) }
    set { down.store(newValue, ordering: .relaxed) }
  }

  func check() throws {
    if isDown { throw PersistenceError(.inputOutput, found: "the disk is on fire") }
  }

  /// A store in memory that fails during the outage.
  var configuration: StoreConfiguration {
    StoreConfiguration(name: "unreliable") { UnreliableStore(MemoryStore($0), self) }
  }
}

private final class UnreliableStore: PersistentStore {
  private let memory: MemoryStore
  private let outage: Outage

  init(_ memory: MemoryStore, _ outage: Outage) {
    self.memory = memory
    self.outage = outage
  }

  var identifier: UUID { memory.identifier }
  var schema: StoreSchema { memory.schema }

  func makeSession() throws -> sending any StoreSession {
    try outage.check()
    return UnreliableSession(memory.makeSession(), outage)
  }
}

private final class UnreliableSession: StoreSession {
  private let session: any StoreSession
  private let outage: Outage

  init(_ session: sending any StoreSession, _ outage: Outage) {
    self.session = session
    self.outage = outage
  }

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    try outage.check()
    try session.fetch(query, into: receiver)
  }

  func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    try outage.check()
    return try session.fetchKeys(query)
  }

  func brokenReferences() throws -> [BrokenReference] {
    try outage.check()
    return try session.brokenReferences()
  }

  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try outage.check()
    return try session.fetchValues(query)
  }

  func count(_ query: StoreQuery) throws -> Int {
    try outage.check()
    return try session.count(query)
  }

  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws {
    try outage.check()
    try session.fetchRelated(query, into: receiver)
  }
  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    try outage.check()
    try session.fetchRows(keys, entity: entity, into: receiver)
  }

  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try outage.check()
    return try session.fetchRow(key, entity: entity)
  }

  func commit(_ changes: ChangeSet) throws -> CommitResult {
    try outage.check()
    return try session.commit(changes)
  }

  func beginReadTransaction() throws { try session.beginReadTransaction() }
  func endReadTransaction() { session.endReadTransaction() }
}
