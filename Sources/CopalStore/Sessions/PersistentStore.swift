public import CopalEssentials
public import CopalModel

/// A store of objects. A container opens it; every backend implements it.
///
/// Sendable: contexts on any thread ask it for a session each. A store that meets every requirement
/// of `StoreConformance` (product CopalStoreConformance) works under a container.
public protocol PersistentStore: AnyObject, Sendable {
  /// The identifier of the store's contents. It is stored with them and is the same each time the
  /// store is opened.
  var identifier: UUID { get }

  /// The schema that the store was opened with.
  var schema: StoreSchema { get }

  /// The greatest number of background threads that a container uses for the store: this many
  /// bodies of `perform` can run at the same time. A container reads it once, when it opens.
  ///
  /// Default: the number of active processors, and at least four. A store that waits for a network
  /// can return the number of its connections.
  var maximumBackgroundThreadCount: Int { get }

  /// The files of large values; nil, the default, for a store that keeps every value in its row.
  var externalFiles: (any ExternalFiles)? { get }

  /// What the ids of entities mean that the store does not have any more, because a migration has
  /// renamed or removed them. None, the default, for a store that is never migrated.
  var formerIDs: FormerIDs { get }

  /// The order in which the sessions of the store commit. With it, other contexts take the rows and
  /// links of a commit as they are. Nil, the default, for a store without one: then contexts read
  /// the objects of an entity again after commits that may have taken place in another order.
  var commitOrder: CommitOrder? { get }

  /// Whether the store keeps what programs write beside their objects: ``ChangeSet/metadata`` and
  /// ``StoreSession/fetchMetadata(named:)``. Default: false; a save with metadata is refused then.
  var keepsMetadata: Bool { get }

  /// Looks for the commits of other programs. Nil, the default, for a store that cannot, or whose
  /// options do not ask for it.
  var foreignCommits: (any ForeignCommits)? { get }

  /// Removes the files that no row refers to, and that no older reader can need.
  ///
  /// - Parameter checkingAll: whether every file is looked at, and not only those that saves have
  ///   noted.
  /// - Returns: the number of removed files. Default: 0.
  /// - Throws: ``PersistenceError`` when the store cannot be read or written.
  @discardableResult
  func removeUnreferencedFiles(checkingAll: Bool) throws -> Int

  /// Gives the room of deleted rows back to the system. The objects stay as they are. Default:
  /// nothing.
  ///
  /// - Throws: ``PersistenceError`` when the store cannot be written. Then it is as it was.
  func compact() throws

  /// Copies the store with its files to another path, as of one moment. Other contexts and programs
  /// can write in the meantime.
  ///
  /// - Throws: `store.noBackup`, the default, for a store that has no files; `store.backupExists`
  ///   when there is something at the path; other codes of `store.…` when reading or writing fails.
  func backup(to path: String) throws

  /// Makes a session for one context. The session is used in one isolation at a time.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be reached.
  func makeSession() throws -> sending any StoreSession
}

extension PersistentStore {
  /// The number of active processors, and at least four.
  public var maximumBackgroundThreadCount: Int { defaultMaximumBackgroundThreadCount }

  /// Nil: every value is in its row.
  public var externalFiles: (any ExternalFiles)? { nil }

  /// None.
  public var formerIDs: FormerIDs { FormerIDs() }

  /// False: a save with metadata is refused.
  public var keepsMetadata: Bool { false }

  /// Nil: the commits of other programs are not noticed.
  public var foreignCommits: (any ForeignCommits)? { nil }

  /// Nil: commits have no order.
  public var commitOrder: CommitOrder? { nil }

  /// Does nothing.
  @discardableResult
  public func removeUnreferencedFiles(checkingAll: Bool) throws -> Int { 0 }

  /// Does nothing.
  public func compact() throws {}

  /// Throws `store.noBackup`.
  public func backup(to path: String) throws { throw PersistenceError(.noBackup, path: path) }
}

// Kept, because counting the processors reads files.
private let defaultMaximumBackgroundThreadCount = max(
  4, ProcessInfo.processInfo.activeProcessorCount)

/// The connection of one context to a store.
///
/// All calls are synchronous and come from one isolation at a time. An entity is given as its
/// position in the schema, an object as its key. Keys of rows are positive; negative keys are the
/// temporary keys of objects that have not been saved.
///
/// Each call sees everything that other sessions have committed before. While a read transaction is
/// open, all calls see the state that the first call in it has seen.
public protocol StoreSession: AnyObject {
  /// Finds objects and passes their rows to the receiver, in the order of the query. Objects that
  /// are equal in all sort keys come in the order of their keys.
  ///
  /// A row that cannot be read does not end the fetch: the receiver gets its error.
  ///
  /// - Throws: ``PersistenceError`` when the query cannot be run.
  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws

  /// Finds the keys of objects, in the order of the query.
  ///
  /// - Throws: ``PersistenceError`` when the query cannot be run.
  func fetchKeys(_ query: StoreQuery) throws -> [Int64]

  /// Counts the objects of the query; its limit and offset count too.
  ///
  /// - Throws: ``PersistenceError`` when the query cannot be run.
  func count(_ query: StoreQuery) throws -> Int

  /// Finds values of objects, and aggregates of them, in the order of the query. Each row of the
  /// result has a value for each column; the value of a reference is a key, an integer.
  /// ``ValueEvaluator`` has the meaning.
  ///
  /// - Throws: ``PersistenceError`` when the query cannot be run.
  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]]

  /// Says how the store finds the objects of a query. Default: an explanation without a statement.
  ///
  /// - Throws: ``PersistenceError`` when the query cannot be prepared.
  func explain(_ query: StoreQuery) throws -> QueryExplanation

  /// Says how the store finds the values of a query. Default: an explanation without a statement.
  ///
  /// - Throws: ``PersistenceError`` when the query cannot be prepared.
  func explain(_ query: ValueQuery) throws -> QueryExplanation

  /// Passes the rows of the given keys to the receiver, in any order. A key without a row is left
  /// out.
  ///
  /// - Throws: ``PersistenceError`` when the rows cannot be read.
  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws

  /// The row of one key. Contexts call it for a lookup by id and for a single fault, so it should
  /// be fast.
  ///
  /// - Returns: nil when there is no row with the key.
  /// - Throws: ``PersistenceError`` when the row cannot be read.
  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow?

  /// Finds the objects of a to-many relationship, for some owners at once. The objects of one owner
  /// come one after the other: in the order of the relationship, else in the order of their keys.
  ///
  /// - Throws: ``PersistenceError`` when the query cannot be run.
  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws

  /// Finds the references in rows, and the links, that do not lead to an object of the right
  /// entity: what other programs have left broken. It changes nothing. To-one relationships that
  /// ``EntityLayout/Reference/mayDangle`` are left out.
  ///
  /// They come by the position of the entity, by relationship and by key; those of links come last.
  /// Default: none.
  ///
  /// - Throws: ``PersistenceError`` when the rows cannot be read.
  func brokenReferences() throws -> [BrokenReference]

  /// Finds the derived columns whose rows say that they hold, and that have another value. It
  /// changes nothing. They come by the position of the entity that declares the attribute, by
  /// column and by key. Default: none.
  ///
  /// - Throws: ``PersistenceError`` when the rows cannot be read.
  func wrongDerivedValues() throws -> [WrongDerivedValue]

  /// Looks at the parts of the store that a check asks for, as of one moment, and adds what is
  /// wrong to the check: first for one part, then for the next one, and for each in a fixed order.
  /// It changes nothing, and ends early when the check is full. A part that the store has nothing
  /// for is left out.
  ///
  /// Default: references, search, unique constraints and values, with the other methods.
  ///
  /// - Throws: ``PersistenceError`` when the store cannot be read; `CancellationError` when the
  ///   task is canceled.
  func check(_ check: StoreCheck) throws

  /// Makes all derived columns again, in one transaction. Default: nothing.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…`. Then nothing is written.
  func deriveAll() throws

  /// Writes a change set, completely or not at all. In an open read transaction, later calls see
  /// the state after the commit.
  ///
  /// The session chooses a key for each inserted row, unless the change set has one. It does not
  /// use a key twice. It chooses all keys before it writes a row, and writes them in references to
  /// new objects: ``ChangeSet/withReferences(to:in:)``. Then it gives the objects that are appended
  /// to a list their positions: ``ChangeSet/withPositions(in:greatestPosition:)``.
  ///
  /// The receipt has the place of the commit in the store's order, if the store has one.
  ///
  /// - Returns: the keys of the inserted rows; or, when rows are not at the version that they were
  ///   read with, values break a unique constraint, or references are to objects that do not exist,
  ///   all these conflicts, not only the first. Then nothing is written.
  /// - Throws: ``PersistenceError`` with a code of `store.…` for other failures. Then nothing is
  ///   written.
  func commit(_ changes: ChangeSet) throws -> CommitResult

  /// A function that ends the call that the session is in, from any thread: the call throws
  /// `store.interrupted`. It must not be called after the session has ended. Nil, the default, for
  /// a store whose calls cannot be ended.
  var interrupt: (@Sendable () -> Void)? { get }

  /// Ends the calls of the session as soon as a condition holds: the one that runs, also while it
  /// waits for another session, throws `store.interrupted` or `store.busy`, and nothing is written.
  /// A commit whose last step has begun ends as usual. The condition is asked on the thread of the
  /// call. Default: calls run to their ends.
  ///
  /// - Parameter isCanceled: the condition; nil for none.
  func endCalls(when isCanceled: (@Sendable () -> Bool)?)

  /// Changes many rows in a transaction of its own, completely or not at all, without objects. In
  /// an open read transaction, later calls see the state after the batch.
  ///
  /// - Parameter check: is called for every value that the store has calculated, before the first
  ///   row is written. Other values are checked already.
  /// - Returns: what was done; or the rules that the batch would break. Then nothing is written.
  /// - Throws: ``PersistenceError`` with a code of `store.…` for other failures. Then nothing is
  ///   written. The default throws `store.noBatches`.
  func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome

  /// Calls a function after each statement that the session has run, from now on; nil calls none.
  /// The function is called in the isolation of the session, and must not use the session.
  ///
  /// A context calls it only while something asks for its statements, so a session without a
  /// function should not measure anything.
  ///
  /// - Returns: whether the session calls the function. False, the default, for a store that has no
  ///   statements: then each call of the session counts as one.
  func reportStatements(to handler: ((ExecutedStatement) -> Void)?) -> Bool

  /// Runs a statement in SQL that a program has written. The store itself ensures that it is one
  /// statement and only reads.
  ///
  /// - Throws: `sql.invalid`, `sql.notAllowed`, `sql.severalStatements`, `sql.failed`; other codes
  ///   of `store.…`. The default throws `store.noSQL`.
  func fetchRows(of statement: RawStatement) throws -> RawRows
  /// Runs a statement in SQL that a program has written and that changes rows, in a transaction of
  /// its own or in the open one. The store itself ensures that it is one statement, which changes
  /// only rows of objects and links. It raises the versions of the rows that are updated.
  ///
  /// - Throws: as ``fetchRows(of:)``. Then nothing is written.
  func executeUnsafe(_ statement: RawStatement) throws -> RawChanges

  /// What programs have written beside their objects: the value of a name, or all of them. Only
  /// called for a store that ``PersistentStore/keepsMetadata``. Default: none.
  ///
  /// - Parameter name: the name; nil for all of them.
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be read.
  func fetchMetadata(named name: String?) throws -> [String: MetadataValue]

  /// Begins a transaction: what the session writes until its end is committed together, or not at
  /// all. Transactions nest: what an inner one has written can be undone without the rest. Calls of
  /// this session see what it has written; other sessions see nothing before the outermost
  /// transaction is committed, and they cannot write. An open read transaction of this session sees
  /// the current state from then on.
  ///
  /// Each transaction is ended by one call of `commitTransaction()` or of `rollBackTransaction()`.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when it cannot begin, `store.busy`
  ///   while another session writes. It is then not open. The default throws
  ///   `store.noTransactions`.
  func beginTransaction() throws
  /// Ends the transaction that was begun last. What it has written becomes a part of the outer
  /// transaction, or is committed.
  ///
  /// - Returns: the place of the commit in the store's order; nil for an inner transaction, and for
  ///   a store without an order.
  /// - Throws: ``PersistenceError`` with a code of `store.…`. The transaction has then ended, and
  ///   nothing of it is kept.
  @discardableResult
  func commitTransaction() throws -> CommitPlace?
  /// Ends the transaction that was begun last, and undoes everything that it has written. Keys that
  /// it has used are not used again.
  func rollBackTransaction()

  /// Begins a read transaction: until it ends, all calls see one state of the store. Read
  /// transactions nest.
  ///
  /// - Throws: ``PersistenceError`` when the transaction cannot begin; it is then not open.
  func beginReadTransaction() throws
  /// Ends the read transaction that was begun last. Each `beginReadTransaction()` is followed by
  /// one call of it.
  func endReadTransaction()
}

extension StoreSession {
  /// False: the session has no statements.
  public func reportStatements(to handler: ((ExecutedStatement) -> Void)?) -> Bool { false }

  /// None.
  public func fetchMetadata(named name: String?) throws -> [String: MetadataValue] { [:] }

  /// Calls run to their ends.
  public func endCalls(when isCanceled: (@Sendable () -> Bool)?) {}

  /// Nil: calls cannot be ended.
  public var interrupt: (@Sendable () -> Void)? { nil }

  /// Throws `store.noTransactions`.
  public func beginTransaction() throws { throw PersistenceError(.noTransactions) }
  /// Throws `store.noTransactions`.
  @discardableResult
  public func commitTransaction() throws -> CommitPlace? { throw PersistenceError(.noTransactions) }
  /// Does nothing, because there is no transaction.
  public func rollBackTransaction() {}

  /// Throws `store.noBatches`.
  public func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome {
    throw PersistenceError(.noBatches)
  }

  /// None: for a store to which only its sessions write, because a commit refuses such references.
  public func brokenReferences() throws -> [BrokenReference] { [] }

  /// None: for a store without derived columns.
  public func wrongDerivedValues() throws -> [WrongDerivedValue] { [] }

  /// Nothing: for a store without derived columns.
  public func deriveAll() throws {}

  /// An explanation without a statement.
  public func explain(_ query: StoreQuery) throws -> QueryExplanation {
    QueryExplanation(objectCount: try count(query))
  }

  /// An explanation without a statement.
  public func explain(_ query: ValueQuery) throws -> QueryExplanation {
    QueryExplanation(objectCount: try fetchValues(query).count)
  }
}

/// Receives the rows of a fetch, one by one, while the store reads them.
///
/// Contexts implement it; sessions call it. For each row, a session calls `wantsRow(key:version:)`
/// first, and then `receive(key:row:)` or `skip(key:)`. For a row that it cannot read, it calls
/// `receive(key:failure:)`.
public protocol RowReceiver: AnyObject {
  /// Whether the receiver needs the row of this key and version. False when it already has the same
  /// row.
  func wantsRow(key: Int64, version: Int64) -> Bool
  /// Receives a row that `wantsRow(key:version:)` has asked for.
  func receive(key: Int64, row: consuming PackedRow)
  /// Receives the key of a row that `wantsRow(key:version:)` has not asked for. The object is part
  /// of the result.
  func skip(key: Int64)
  /// Receives the error of a row that exists and cannot be read. The fetch continues with the next
  /// row.
  func receive(key: Int64, failure: PersistenceError)
}

/// Receives the objects of a to-many relationship. Before each row, a session says whose it is.
public protocol RelatedReceiver: RowReceiver {
  /// The next row is that of an object which is related to an owner.
  ///
  /// - Parameter position: the position of the object in the list of the owner; nil in an unordered
  ///   relationship, and for an object that another program has added without one.
  func beginRow(relatedTo owner: Int64, position: Int64?)
}

/// A query for the objects of a to-many relationship.
public struct RelatedQuery: Sendable, Hashable {
  /// The position of the owners' entity in the schema.
  public var entity: Int
  /// The position of the relationship in ``StoreSchema/relationships`` of the entity. It is
  /// to-many.
  public var relationship: Int
  /// The keys of the owners, each once.
  public var owners: [Int64]
  /// Whether the receiver wants no row, but keys and versions only, so that a store need not read
  /// the values.
  public var wantsKeysOnly: Bool

  /// A query for the objects that are related to some owners.
  public init(entity: Int, relationship: Int, owners: [Int64], wantsKeysOnly: Bool = false) {
    self.entity = entity
    self.relationship = relationship
    self.owners = owners
    self.wantsKeysOnly = wantsKeysOnly
  }
}
