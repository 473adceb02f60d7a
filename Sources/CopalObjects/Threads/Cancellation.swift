import CopalModel
import CopalStore

/// Whether the work of a context is to end, because its task was canceled.
final class Cancellation: Sendable {
  private let flag = Locked(false)

  var isCanceled: Bool { flag.withLock { $0 } }

  func cancel() { flag.withLock { $0 = true } }

  func check() throws { if isCanceled { throw CancellationError() } }
}

/// A session whose calls end when a task is canceled: the one that runs, and every later one before
/// it begins. What ends a transaction is always run.
final class CancelableSession: StoreSession {
  private let base: any StoreSession
  private let cancellation: Cancellation

  init(_ base: any StoreSession, _ cancellation: Cancellation) {
    (self.base, self.cancellation) = (base, cancellation)
    base.endCalls { cancellation.isCanceled }
  }

  deinit { base.endCalls(when: nil) }

  private func unlessCanceled<R>(_ body: () throws -> R) throws -> R {
    try cancellation.check()
    do {
      return try body()
    } catch let error as PersistenceError
      where (error.code == .interrupted || error.code == .busy) && cancellation.isCanceled
    {
      throw CancellationError()
    }
  }

  // MARK: Calls

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    try unlessCanceled { try base.fetch(query, into: receiver) }
  }

  func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    try unlessCanceled { try base.fetchKeys(query) }
  }

  func count(_ query: StoreQuery) throws -> Int { try unlessCanceled { try base.count(query) } }

  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try unlessCanceled { try base.fetchValues(query) }
  }

  func explain(_ query: StoreQuery) throws -> QueryExplanation {
    try unlessCanceled { try base.explain(query) }
  }

  func explain(_ query: ValueQuery) throws -> QueryExplanation {
    try unlessCanceled { try base.explain(query) }
  }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    try unlessCanceled { try base.fetchRows(keys, entity: entity, into: receiver) }
  }

  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try unlessCanceled { try base.fetchRow(key, entity: entity) }
  }

  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws {
    try unlessCanceled { try base.fetchRelated(query, into: receiver) }
  }

  func brokenReferences() throws -> [BrokenReference] {
    try unlessCanceled { try base.brokenReferences() }
  }

  func wrongDerivedValues() throws -> [WrongDerivedValue] {
    try unlessCanceled { try base.wrongDerivedValues() }
  }

  func check(_ check: StoreCheck) throws { try unlessCanceled { try base.check(check) } }

  func deriveAll() throws { try unlessCanceled { try base.deriveAll() } }

  func fetchMetadata(named name: String?) throws -> [String: MetadataValue] {
    try unlessCanceled { try base.fetchMetadata(named: name) }
  }

  func commit(_ changes: ChangeSet) throws -> CommitResult {
    try unlessCanceled { try base.commit(changes) }
  }

  func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome {
    try unlessCanceled { try base.execute(batch, check: check) }
  }

  func fetchRows(of statement: RawStatement) throws -> RawRows {
    try unlessCanceled { try base.fetchRows(of: statement) }
  }

  func executeUnsafe(_ statement: RawStatement) throws -> RawChanges {
    try unlessCanceled { try base.executeUnsafe(statement) }
  }

  func beginTransaction() throws { try unlessCanceled { try base.beginTransaction() } }
  func commitTransaction() throws -> CommitPlace? {
    if cancellation.isCanceled {
      base.rollBackTransaction()
      throw CancellationError()
    }
    return try base.commitTransaction()
  }
  func rollBackTransaction() { base.rollBackTransaction() }
  func beginReadTransaction() throws { try unlessCanceled { try base.beginReadTransaction() } }
  func endReadTransaction() { base.endReadTransaction() }

  // MARK: The session itself

  var interrupt: (@Sendable () -> Void)? { base.interrupt }
  func reportStatements(to handler: ((ExecutedStatement) -> Void)?) -> Bool {
    base.reportStatements(to: handler)
  }
}

extension PersistenceError {
  /// An error of a store as one of Copal's: that of another store becomes the cause.
  static func ofStore(_ error: any Error) -> PersistenceError {
    if let error = error as? PersistenceError { return error }
    if error is CancellationError { return PersistenceError(.canceled, causes: [error]) }
    return PersistenceError(.inputOutput, found: "\(error)", causes: [error])
  }
}
