import CopalModel
public import CopalStore
public import Foundation

/// Another store, of which a ``RowDecider`` decides every request: as if its database could decide
/// none.
public final class DecidedStore: PersistentStore {
  private let base: any PersistentStore
  private let limit: Int

  public init(_ base: any PersistentStore, limit: Int = 100_000) {
    (self.base, self.limit) = (base, limit)
  }

  public var identifier: UUID { base.identifier }
  public var schema: StoreSchema { base.schema }
  public var maximumBackgroundThreadCount: Int { base.maximumBackgroundThreadCount }
  public var externalFiles: (any ExternalFiles)? { base.externalFiles }
  public var formerIDs: FormerIDs { base.formerIDs }
  public var commitOrder: CommitOrder? { base.commitOrder }
  public var keepsMetadata: Bool { base.keepsMetadata }
  public var foreignCommits: (any ForeignCommits)? { base.foreignCommits }

  public func removeUnreferencedFiles(checkingAll: Bool) throws -> Int {
    try base.removeUnreferencedFiles(checkingAll: checkingAll)
  }
  public func compact() throws { try base.compact() }
  public func backup(to path: String) throws { try base.backup(to: path) }

  public func makeSession() throws -> sending any StoreSession {
    DecidedSession(try base.makeSession(), base.schema, limit)
  }
}

private final class DecidedSession: StoreSession {
  private let base: any StoreSession
  private let schema: StoreSchema
  private let limit: Int
  private var isCanceled: (@Sendable () -> Bool)?

  init(_ base: sending any StoreSession, _ schema: StoreSchema, _ limit: Int) {
    self.base = base
    self.schema = schema
    self.limit = limit
  }

  private var decider: RowDecider {
    RowDecider(
      base, schema, because: NotInSQL("a request", cure: "use another store"), limit: limit,
      isCanceled: isCanceled)
  }

  // MARK: Decided

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    if query.findsAll { return try base.fetch(query, into: receiver) }
    try decider.fetch(query, into: receiver)
  }
  func fetchKeys(_ query: StoreQuery) throws -> [Int64] { try decider.fetchKeys(query) }
  func count(_ query: StoreQuery) throws -> Int { try decider.count(query) }
  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try decider.fetchValues(query)
  }
  func explain(_ query: StoreQuery) throws -> QueryExplanation { try decider.explain(query) }
  func explain(_ query: ValueQuery) throws -> QueryExplanation { try decider.explain(query) }

  // MARK: Passed on

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    try base.fetchRows(keys, entity: entity, into: receiver)
  }
  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try base.fetchRow(key, entity: entity)
  }
  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws {
    try base.fetchRelated(query, into: receiver)
  }
  func brokenReferences() throws -> [BrokenReference] { try base.brokenReferences() }
  func wrongDerivedValues() throws -> [WrongDerivedValue] { try base.wrongDerivedValues() }
  func check(_ check: StoreCheck) throws { try base.check(check) }
  func deriveAll() throws { try base.deriveAll() }
  func commit(_ changes: ChangeSet) throws -> CommitResult { try base.commit(changes) }
  func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome {
    try base.execute(batch, check: check)
  }
  func reportStatements(to handler: ((ExecutedStatement) -> Void)?) -> Bool {
    base.reportStatements(to: handler)
  }
  func fetchRows(of statement: RawStatement) throws -> RawRows {
    try base.fetchRows(of: statement)
  }
  func executeUnsafe(_ statement: RawStatement) throws -> RawChanges {
    try base.executeUnsafe(statement)
  }
  func fetchMetadata(named name: String?) throws -> [String: MetadataValue] {
    try base.fetchMetadata(named: name)
  }
  var interrupt: (@Sendable () -> Void)? { base.interrupt }
  func endCalls(when isCanceled: (@Sendable () -> Bool)?) {
    self.isCanceled = isCanceled
    base.endCalls(when: isCanceled)
  }
  func beginTransaction() throws { try base.beginTransaction() }
  func commitTransaction() throws -> CommitPlace? { try base.commitTransaction() }
  func rollBackTransaction() { base.rollBackTransaction() }
  func beginReadTransaction() throws { try base.beginReadTransaction() }
  func endReadTransaction() { base.endReadTransaction() }
}

/// A driver whose stores are decided.
struct DecidedDriver: StoreDriver {
  let base: any StoreDriver

  var name: String { base.name }
  func open(_ schema: StoreSchema) throws -> any PersistentStore {
    DecidedStore(try base.open(schema))
  }
  func open(_ request: OpeningRequest) throws -> any PersistentStore {
    DecidedStore(try base.open(request))
  }
  func plan(_ request: OpeningRequest, _ detail: MigrationPlan.Detail) throws -> MigrationPlan? {
    try base.plan(request, detail)
  }
  func inspect() throws -> StoreDescription? { try base.inspect() }
  func destroy() throws { try base.destroy() }
  func replace(with other: any StoreDriver) throws {
    try base.replace(with: (other as? DecidedDriver)?.base ?? other)
  }
  func move(to other: any StoreDriver) throws {
    try base.move(to: (other as? DecidedDriver)?.base ?? other)
  }
}
