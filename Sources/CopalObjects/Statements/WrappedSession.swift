import CopalModel
import CopalStore

/// A session that does something around each call of another one: the calls end when a task is
/// canceled, and each counts as a statement if the store does not report its own.
///
/// With a cancellation, the call that runs ends, and every later one before it begins. What ends a
/// transaction is always run.
final class WrappedSession: StoreSession {
  private let base: any StoreSession
  /// Ends the calls; nil if nothing does.
  private let cancellation: Cancellation?
  /// Gets each call as a statement; nil while nobody asks for them, or if the store reports them.
  private var handler: ((ExecutedStatement) -> Void)?

  init(_ base: any StoreSession, _ cancellation: Cancellation? = nil) {
    (self.base, self.cancellation) = (base, cancellation)
    if let cancellation { base.endCalls { cancellation.isCanceled } }
  }

  deinit { if cancellation != nil { base.endCalls(when: nil) } }

  /// A session that reports its statements, or its calls, to a handler.
  static func reporting(_ base: any StoreSession, to handler: @escaping (ExecutedStatement) -> Void)
    -> any StoreSession
  {
    if base.reportStatements(to: handler) { return base }
    let session = WrappedSession(base)
    _ = session.reportStatements(to: handler)
    return session
  }

  // MARK: Around a call

  private func unlessCanceled<R>(_ body: () throws -> R) throws -> R {
    guard let cancellation else { return try body() }
    try cancellation.check()
    do {
      return try body()
    } catch let error as PersistenceError
      where (error.code == .interrupted || error.code == .busy) && cancellation.isCanceled
    {
      throw CancellationError()
    }
  }

  private func call<R>(
    _ role: ExecutedStatement.Role = .query, rows: (R) -> Int = { _ in 0 }, _ body: () throws -> R
  ) throws -> R {
    guard let handler else { return try unlessCanceled(body) }
    let start = ContinuousClock.now
    var rowCount = 0
    defer {
      handler(
        ExecutedStatement(
          text: nil, role: role, start: start, duration: ContinuousClock.now - start,
          rowCount: rowCount))
    }
    let result = try unlessCanceled(body)
    rowCount = rows(result)
    return result
  }

  // MARK: Calls

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    let counter = handler.map { _ in RowCounter(receiver) }
    try call(rows: { counter?.count ?? 0 }) { try base.fetch(query, into: counter ?? receiver) }
  }

  func fetchMetadata(named name: String?) throws -> [String: MetadataValue] {
    try call(.housekeeping, rows: \.count) { try base.fetchMetadata(named: name) }
  }

  func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    try call(rows: \.count) { try base.fetchKeys(query) }
  }

  func count(_ query: StoreQuery) throws -> Int {
    try call(rows: { _ in 1 }) { try base.count(query) }
  }

  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try call(rows: \.count) { try base.fetchValues(query) }
  }

  func explain(_ query: StoreQuery) throws -> QueryExplanation {
    try call { try base.explain(query) }
  }

  func explain(_ query: ValueQuery) throws -> QueryExplanation {
    try call { try base.explain(query) }
  }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    let counter = handler.map { _ in RowCounter(receiver) }
    try call(rows: { counter?.count ?? 0 }) {
      try base.fetchRows(keys, entity: entity, into: counter ?? receiver)
    }
  }

  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try call(rows: { $0 == nil ? 0 : 1 }) { try base.fetchRow(key, entity: entity) }
  }

  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws {
    let counter = handler.map { _ in RelatedRowCounter(receiver) }
    try call(rows: { counter?.count ?? 0 }) {
      try base.fetchRelated(query, into: counter ?? receiver)
    }
  }

  func brokenReferences() throws -> [BrokenReference] {
    try call(rows: \.count) { try base.brokenReferences() }
  }

  func wrongDerivedValues() throws -> [WrongDerivedValue] {
    try call(rows: \.count) { try base.wrongDerivedValues() }
  }

  func check(_ check: StoreCheck) throws { try call { try base.check(check) } }

  func deriveAll() throws { try call(.write) { try base.deriveAll() } }

  func commit(_ changes: ChangeSet) throws -> CommitResult {
    try call(.write) { try base.commit(changes) }
  }

  func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome {
    try call(.write) { try base.execute(batch, check: check) }
  }

  func fetchRows(of statement: RawStatement) throws -> RawRows {
    try call(rows: \.rows.count) { try base.fetchRows(of: statement) }
  }

  func executeUnsafe(_ statement: RawStatement) throws -> RawChanges {
    try call(.write) { try base.executeUnsafe(statement) }
  }

  // MARK: Transactions, which are no statements

  func beginTransaction() throws { try unlessCanceled { try base.beginTransaction() } }
  func commitTransaction() throws -> CommitPlace? {
    if cancellation?.isCanceled == true {
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

  /// What ends the calls is the cancellation, if there is one.
  func endCalls(when isCanceled: (@Sendable () -> Bool)?) {
    if cancellation == nil { base.endCalls(when: isCanceled) }
  }

  func reportStatements(to handler: ((ExecutedStatement) -> Void)?) -> Bool {
    self.handler = base.reportStatements(to: handler) ? nil : handler
    return true
  }
}

/// Counts the rows that a receiver gets.
private class RowCounter: RowReceiver {
  private let base: any RowReceiver
  private(set) var count = 0

  init(_ base: any RowReceiver) { self.base = base }

  func wantsRow(key: Int64, version: Int64) -> Bool { base.wantsRow(key: key, version: version) }

  func receive(key: Int64, row: consuming PackedRow) {
    count += 1
    base.receive(key: key, row: row)
  }

  func skip(key: Int64) {
    count += 1
    base.skip(key: key)
  }

  func receive(key: Int64, failure: PersistenceError) {
    count += 1
    base.receive(key: key, failure: failure)
  }
}

private final class RelatedRowCounter: RowCounter, RelatedReceiver {
  private let related: any RelatedReceiver

  init(_ base: any RelatedReceiver) {
    related = base
    super.init(base)
  }

  func beginRow(relatedTo owner: Int64, position: Int64?) {
    related.beginRow(relatedTo: owner, position: position)
  }
}
