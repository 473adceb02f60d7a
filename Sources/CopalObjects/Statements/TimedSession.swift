import CopalModel
import CopalStore

/// A session of a store that does not report its statements: each call counts as one.
final class TimedSession: StoreSession {
  let base: any StoreSession
  private let handler: (ExecutedStatement) -> Void

  /// A session that reports its statements, or its calls, to a handler.
  static func reporting(_ base: any StoreSession, to handler: @escaping (ExecutedStatement) -> Void)
    -> any StoreSession
  {
    base.reportStatements(to: handler) ? base : TimedSession(base, handler)
  }

  /// The same session without a handler.
  static func silent(_ session: any StoreSession) -> any StoreSession {
    if let timed = session as? TimedSession { return timed.base }
    _ = session.reportStatements(to: nil)
    return session
  }

  private init(_ base: any StoreSession, _ handler: @escaping (ExecutedStatement) -> Void) {
    self.base = base
    self.handler = handler
  }

  private func timed<R>(
    _ role: ExecutedStatement.Role = .query, rows: (R) -> Int = { _ in 0 }, _ body: () throws -> R
  ) rethrows -> R {
    let start = ContinuousClock.now
    var rowCount = 0
    defer {
      handler(
        ExecutedStatement(
          text: nil, role: role, start: start, duration: ContinuousClock.now - start,
          rowCount: rowCount))
    }
    let result = try body()
    rowCount = rows(result)
    return result
  }

  // MARK: Calls

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    let counter = RowCounter(receiver)
    try timed(rows: { counter.count }) { try base.fetch(query, into: counter) }
  }

  func fetchMetadata(named name: String?) throws -> [String: MetadataValue] {
    try timed(.housekeeping, rows: \.count) { try base.fetchMetadata(named: name) }
  }

  func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    try timed(rows: \.count) { try base.fetchKeys(query) }
  }

  func count(_ query: StoreQuery) throws -> Int {
    try timed(rows: { _ in 1 }) { try base.count(query) }
  }

  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try timed(rows: \.count) { try base.fetchValues(query) }
  }

  func explain(_ query: StoreQuery) throws -> QueryExplanation {
    try timed { try base.explain(query) }
  }

  func explain(_ query: ValueQuery) throws -> QueryExplanation {
    try timed { try base.explain(query) }
  }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    let counter = RowCounter(receiver)
    try timed(rows: { counter.count }) {
      try base.fetchRows(keys, entity: entity, into: counter)
    }
  }

  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try timed(rows: { $0 == nil ? 0 : 1 }) { try base.fetchRow(key, entity: entity) }
  }

  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws {
    let counter = RelatedRowCounter(receiver)
    try timed(rows: { counter.count }) { try base.fetchRelated(query, into: counter) }
  }

  func brokenReferences() throws -> [BrokenReference] {
    try timed(rows: \.count) { try base.brokenReferences() }
  }

  func wrongDerivedValues() throws -> [WrongDerivedValue] {
    try timed(rows: \.count) { try base.wrongDerivedValues() }
  }

  func check(_ check: StoreCheck) throws { try timed { try base.check(check) } }

  func deriveAll() throws { try timed(.write) { try base.deriveAll() } }

  func commit(_ changes: ChangeSet) throws -> CommitResult {
    try timed(.write) { try base.commit(changes) }
  }

  func endCalls(when isCanceled: (@Sendable () -> Bool)?) { base.endCalls(when: isCanceled) }

  var interrupt: (@Sendable () -> Void)? { base.interrupt }

  func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome {
    try timed(.write) { try base.execute(batch, check: check) }
  }

  func fetchRows(of statement: RawStatement) throws -> RawRows {
    try timed(rows: \.rows.count) { try base.fetchRows(of: statement) }
  }

  func executeUnsafe(_ statement: RawStatement) throws -> RawChanges {
    try timed(.write) { try base.executeUnsafe(statement) }
  }

  func beginTransaction() throws { try base.beginTransaction() }
  func commitTransaction() throws -> CommitPlace? { try base.commitTransaction() }
  func rollBackTransaction() { base.rollBackTransaction() }
  func beginReadTransaction() throws { try base.beginReadTransaction() }
  func endReadTransaction() { base.endReadTransaction() }
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
