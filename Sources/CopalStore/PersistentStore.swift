public import CopalModel
public import Foundation

/// A place where objects are kept: what a container opens and every backend implements.
///
/// Sendable: contexts on any thread ask it for a session each. A store that passes
/// `StoreConformance` is a store.
public protocol PersistentStore: AnyObject, Sendable {
  /// The identity of the store's contents, kept with them.
  var identifier: UUID { get }

  var schema: StoreSchema { get }

  /// On how many threads a container works with the store in the background, at most: how many bodies of
  /// `perform` run at a time. Asked once, when the container opens.
  ///
  /// By default as many as there are processors, and at least four. A store that waits for a network may
  /// want as many as it may have connections.
  var maximumBackgroundThreadCount: Int { get }

  /// A session for one context. It is used on one isolation at a time.
  ///
  /// - Throws: ``PersistenceError`` when the store cannot be reached any more.
  func makeSession() throws -> sending any StoreSession
}

extension PersistentStore {
  public var maximumBackgroundThreadCount: Int { defaultMaximumBackgroundThreadCount }
}

// Counting the processors means reading files; once is enough.
private let defaultMaximumBackgroundThreadCount = max(
  4, ProcessInfo.processInfo.activeProcessorCount)

/// One context's conversation with a store: synchronous, for one isolation at a time.
///
/// The keys that it gives out are positive; negative ones mean objects that have not been saved.
///
/// Each call sees what others have committed, unless a reading is open: then all calls see the state
/// of its first one.
public protocol StoreSession: AnyObject {
  /// Finds objects and hands their rows over, in the request's order.
  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws

  /// Finds the keys of objects, in the request's order.
  func fetchKeys(_ query: StoreQuery) throws -> [Int64]

  /// Counts objects.
  func count(_ query: StoreQuery) throws -> Int

  /// Hands over the rows of the given keys, in any order; a missing row is left out.
  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws

  /// The row of one key: for a get by key and for a single fault, where every nanosecond shows.
  ///
  /// - Returns: nil when there is no such row.
  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow?

  /// Writes a change set as a whole or not at all. Ends an open reading's view of the past.
  ///
  /// - Throws: ``PersistenceError`` for conflicts, broken constraints and failures of the world.
  func commit(_ changes: ChangeSet) throws -> CommitReceipt

  /// Opens a reading; readings nest.
  func beginReadTransaction() throws
  func endReadTransaction()
}

/// Takes rows as a store finds them.
public protocol RowReceiver: AnyObject {
  /// Whether the row of this key and version is worth building.
  func wantsRow(key: Int64, version: Int64) -> Bool
  func receive(key: Int64, row: consuming PackedRow)
  /// A row that `wantsRow` declined.
  func skip(key: Int64)
  /// A row that is there and cannot be read, and why. The others of the result come all the same.
  func receive(key: Int64, failure: PersistenceError)
}

/// How to open a store of some kind: what a container's initializer takes.
///
/// ```swift
/// let container = try PersistentContainer(model: .atelier, store: .inMemory)
/// ```
public struct StoreConfiguration: Sendable {
  /// What the store is, for messages: a path, or "in memory".
  public let name: String
  package let open: @Sendable (StoreSchema) throws -> any PersistentStore

  /// A configuration for a backend's own kind of store.
  ///
  /// - Parameter open: opens the store with the schema of the container's model.
  public init(
    name: String, open: @escaping @Sendable (StoreSchema) throws -> any PersistentStore
  ) {
    self.name = name
    self.open = open
  }
}
