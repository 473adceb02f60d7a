public import CopalEssentials
import CopalModel

/// A store in memory, for tests and caches. It is also the reference for the behavior of other
/// stores.
///
/// It behaves as a SQL store does, with conflicts and unique constraints. Its contents are lost
/// when its container is released.
///
/// ```swift
/// let container = try PersistentContainer(model: .atelier, store: .inMemory)
/// ```
///
/// A fetch looks at every object of the entity.
public final class MemoryStore: PersistentStore {
  /// The identifier of the contents: a new one for each store.
  public let identifier = UUID()
  /// The schema of the store.
  public let schema: StoreSchema
  /// The order of the commits.
  public var commitOrder: CommitOrder? { order }
  private let order = CommitOrder()
  /// True.
  public var keepsMetadata: Bool { true }
  private let shared: Locked<Shared>

  /// What the sessions share.
  private struct Shared {
    var contents: MemoryContents
    /// The session that has a transaction; nil for none.
    var writer: ObjectIdentifier?
  }

  /// An empty store.
  public init(_ schema: StoreSchema) {
    self.schema = schema
    shared = Locked(Shared(contents: MemoryContents(schema)))
  }

  /// The state after the last commit.
  var contents: MemoryContents { shared.withLock { $0.contents } }

  /// Changes the contents, when no other session has a transaction.
  ///
  /// - Parameter isWritten: whether the result of the body says that something was written.
  /// - Returns: what the body returns, and the place of the commit.
  /// - Throws: what the body throws; `store.busy` when another session has a transaction for longer
  ///   than five seconds.
  func write<R>(
    _ session: MemorySession, isWritten: (R) -> Bool, _ body: (inout MemoryContents) throws -> R
  ) throws -> (R, CommitPlace?) {
    try whenFree(session) {
      let result = try body(&$0.contents)
      return (result, isWritten(result) ? order.reserve() : nil)
    }
  }

  /// Gives a session the store for its transaction.
  func beginTransaction(of session: MemorySession) throws -> MemoryContents {
    try whenFree(session) {
      $0.writer = ObjectIdentifier(session)
      return $0.contents
    }
  }

  /// Ends the transaction of a session.
  ///
  /// - Parameter isWritten: whether it is committed.
  /// - Returns: the place of the commit.
  @discardableResult
  func endTransaction(_ contents: MemoryContents, isWritten: Bool) -> CommitPlace? {
    shared.withLock {
      $0.contents = contents
      $0.writer = nil
      return isWritten ? order.reserve() : nil
    }
  }

  /// As a SQL store waits for the lock of another connection.
  private static let busyTimeoutMilliseconds = 5000

  private func whenFree<R>(
    _ session: MemorySession, _ body: (inout Shared) throws -> R
  ) throws -> R {
    for _ in 0..<Self.busyTimeoutMilliseconds {
      let result: R? = try shared.withLock {
        $0.writer == nil || $0.writer == ObjectIdentifier(session) ? try body(&$0) : nil
      }
      if let result { return result }
      if session.isCanceled?() == true { throw PersistenceError(.interrupted) }
      usleep(1000)
    }
    throw PersistenceError(.busy)
  }

  /// Makes a session for one context.
  public func makeSession() -> sending any StoreSession { MemorySession(self) }
}

extension StoreConfiguration {
  /// A store in memory. It is empty at first, and its contents are lost when its container is
  /// released.
  public static var inMemory: StoreConfiguration {
    StoreConfiguration(MemoryDriver())
  }
}

private struct MemoryDriver: StoreDriver {
  let name = "in memory"

  func open(_ schema: StoreSchema) -> any PersistentStore { MemoryStore(schema) }

  /// A store in memory is always a new one.
  func inspect() -> StoreDescription? { nil }
}

/// One context's session with a store in memory.
final class MemorySession: StoreSession {
  let store: MemoryStore
  private var readTransactionDepth = 0
  private var snapshot: MemoryContents?
  /// Ends the wait for another session.
  private(set) var isCanceled: (@Sendable () -> Bool)?
  /// What the open transaction has made of the contents.
  private var working: MemoryContents?
  /// The contents at the start of each open transaction.
  private var starts: [MemoryContents] = []

  init(_ store: MemoryStore) { self.store = store }

  deinit { if let first = starts.first { store.endTransaction(first, isWritten: false) } }

  func endCalls(when isCanceled: (@Sendable () -> Bool)?) { self.isCanceled = isCanceled }

  private func contents() -> MemoryContents {
    if let working { return working }
    if let snapshot { return snapshot }
    let current = store.contents
    if readTransactionDepth > 0 { snapshot = current }
    return current
  }

  func beginReadTransaction() { readTransactionDepth += 1 }

  func endReadTransaction() {
    readTransactionDepth -= 1
    if readTransactionDepth == 0 { snapshot = nil }
  }

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) {
    for (key, row) in contents().rows(query, store.schema, check: {}) { receiver.pass(key, row) }
  }

  func fetchKeys(_ query: StoreQuery) -> [Int64] { contents().keys(query, store.schema) }

  func count(_ query: StoreQuery) -> Int { fetchKeys(query).count }

  func fetchValues(_ query: ValueQuery) -> [[PropertyValue]] {
    contents().values(query, store.schema, check: {})
  }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) {
    let rows = table(entity).rows
    for key in keys {
      if let row = rows[key], store.schema.isEntity(row.entity, kindOf: entity) {
        receiver.pass(key, row)
      }
    }
  }

  func fetchRow(_ key: Int64, entity: Int) -> PackedRow? {
    let row = table(entity).rows[key]
    return isEntity(row, kindOf: entity) ? row : nil
  }

  /// Whether there is a row, and it belongs to an entity or to one of its subentities.
  private func isEntity(_ row: PackedRow?, kindOf entity: Int) -> Bool {
    row.map { store.schema.isEntity($0.entity, kindOf: entity) } ?? false
  }

  /// The table of an entity's root.
  private func table(_ entity: Int) -> MemoryTable {
    contents().tables[store.schema.entities[entity].root]
  }

  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) {
    let contents = contents()
    let relationship = store.schema.relationships[query.entity][query.relationship]
    let layout = store.schema.entities[relationship.destination]
    let table = contents.tables[layout.root]
    for owner in query.owners.inOrder() {
      for member in contents.related(to: owner, relationship.storage, layout).inOrder() {
        guard let row = table.rows[member.key], isEntity(row, kindOf: layout.index) else {
          continue
        }
        receiver.beginRow(relatedTo: owner, position: member.position)
        receiver.pass(member.key, row)
      }
    }
  }

  func fetchMetadata(named name: String?) -> [String: MetadataValue] {
    let all = contents().metadata
    return name.map { name in all.filter { $0.key == name } } ?? all
  }

  func brokenReferences() -> [BrokenReference] { contents().brokenReferences(store.schema) }

  // MARK: Transactions

  func beginTransaction() throws {
    let start = try working ?? store.beginTransaction(of: self)
    snapshot = nil
    working = start
    starts.append(start)
  }

  @discardableResult
  func commitTransaction() -> CommitPlace? {
    starts.removeLast()
    guard starts.isEmpty, let contents = working else { return nil }
    working = nil
    return store.endTransaction(contents, isWritten: true)
  }

  func rollBackTransaction() {
    guard var start = starts.popLast(), let failed = working else { return }
    start.noteKeys(of: failed)
    if !starts.isEmpty { return working = start }
    working = nil
    store.endTransaction(start, isWritten: false)
  }

  /// Changes the contents of the store, or those of the open transaction.
  ///
  /// - Parameter isWritten: whether the result of the body says that something was written.
  /// - Returns: what the body returns, and the place of the commit; nil in a transaction.
  func write<R>(isWritten: (R) -> Bool, _ body: (inout MemoryContents) throws -> R) throws -> (
    R, CommitPlace?
  ) {
    snapshot = nil
    guard var contents = working else {
      return try store.write(self, isWritten: isWritten, body)
    }
    // Not kept twice while it changes, because that would copy it.
    working = nil
    defer { working = contents }
    return (try body(&contents), nil)
  }

  func commit(_ changes: ChangeSet) throws -> CommitResult {
    let (result, place) = try write(isWritten: \.isCommitted) { contents -> CommitResult in
      let conflicts = try ConflictSearch(store.schema, MemoryRows(contents, store.schema))
        .conflicts(of: changes)
      if !conflicts.isEmpty { return .refused(conflicts) }
      return .committed(contents.apply(changes, store.schema))
    }
    guard case .committed(var receipt) = result else { return result }
    receipt.place = place
    return .committed(receipt)
  }
}

/// The rows of the store for the search for conflicts, with an index for each unique constraint of
/// the commit.
final class MemoryRows: ConflictSource {
  private let contents: MemoryContents
  private let schema: StoreSchema
  private var indexes: [EntityLayout.UniqueConstraint: [UniqueValues: [Int64]]] = [:]

  init(_ contents: MemoryContents, _ schema: StoreSchema) {
    self.contents = contents
    self.schema = schema
  }

  func row(_ key: Int64, of layout: EntityLayout) -> PackedRow? {
    contents.tables[layout.root].rows[key]
  }

  func owners(
    _ constraint: EntityLayout.UniqueConstraint, of row: PackedRow, but key: Int64,
    in layout: EntityLayout
  ) -> [Int64] {
    let index = indexes[constraint] ?? makeIndex(constraint)
    indexes[constraint] = index
    let owners = layout.uniqueValues(of: row, constraint).flatMap { index[$0] } ?? []
    return owners.filter { $0 != key }
  }

  private func makeIndex(_ constraint: EntityLayout.UniqueConstraint) -> [UniqueValues: [Int64]] {
    let layout = schema.entities[constraint.declaringEntity]
    let kinds = Set(schema.kinds(of: layout.index))
    var index: [UniqueValues: [Int64]] = [:]
    for (key, row) in contents.tables[layout.root].rows where kinds.contains(row.entity) {
      if let values = layout.uniqueValues(of: row, constraint) {
        index[values, default: []].append(key)
      }
    }
    return index
  }

  func referrers(to key: Int64, _ reference: EntityLayout.Reference, in layout: EntityLayout)
    -> [Int64]
  {
    contents.referrers(to: key, reference).filter { row($0, of: layout)?.entity == layout.index }
      .inOrder()
  }

  func linked(to key: Int64, _ table: Int, at end: LinkTable.End) -> [Int64] {
    contents.links[table].linked(to: key, at: end).map(\.key).inOrder()
  }
}
