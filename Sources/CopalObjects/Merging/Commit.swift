import CopalEssentials
import CopalStore

/// What a commit has written, for the contexts that merge it.
struct Commit: Sendable {
  /// The context that has written it; 0 when that context must merge it, too.
  let source: UInt64
  let author: String?
  let contextName: String?
  let date: Date
  /// The saves of the commit, with their rows and links.
  private(set) var receipts: [CommitReceipt]
  /// What was written without rows: by batches and by SQL.
  private(set) var written: WrittenObjects
  /// What batches and SQL have written: contexts that do not merge notice it, too.
  private(set) var batched: WrittenObjects
  /// The number of the last batch that it has; 0 for none.
  var batch = 0
  /// Whether it has nothing but batches and SQL.
  private(set) var isBatch: Bool
  /// The entities of all objects and links that were written.
  private(set) var entities: Set<Int>
  /// The number of rows, links and keys that it keeps; at least 1, because a commit takes memory,
  /// too.
  private(set) var rowCount = 1
  /// Their size in memory. Only rows with texts or blobs are counted.
  private(set) var byteCount = 0

  /// - Parameter limit: the greatest number of rows. More are not kept.
  init(
    _ receipts: [CommitReceipt], _ written: WrittenObjects, by state: ContextState,
    isOwn: Bool = true, limit: CommitLogLimits
  ) {
    source = isOwn ? state.number : 0
    author = state.author
    contextName = state.name
    date = Date()
    self.written = written
    batched = written
    isBatch = receipts.isEmpty
    let container = state.container
    entities = receipts.reduce(into: written.entities) {
      $0.formUnion($1.written.writtenEntities(container.schema))
    }
    rowCount = max(1, receipts.reduce(written.keyCount) { $0 + $1.written.rowCount })
    self.receipts = []
    if rowCount > limit.rowCount {
      forgetRows()
      return
    }
    self.receipts = receipts.map(\.withoutLargeValues)
    for receipt in receipts { byteCount += receipt.written.byteCount(container.schema) }
  }

  /// A save.
  init(_ receipts: [CommitReceipt], by state: ContextState) {
    self.init(receipts, WrittenObjects(), by: state, limit: state.container.log.limits)
  }

  /// A batch, or SQL.
  init(batch written: WrittenObjects, by state: ContextState) {
    self.init([], written, by: state, limit: state.container.log.limits)
  }

  /// A transaction.
  init(_ transaction: WrittenInTransaction, by state: ContextState) {
    let limits = state.container.log.limits
    self.init(transaction.receipts.all, transaction.batched, by: state, limit: limits)
    guard transaction.receipts.isDropped else { return }
    isBatch = false
    entities.formUnion(transaction.receipts.entities)
    forgetRows()
  }

  /// A commit that has failed, and may have been written.
  init(uncertain entities: Set<Int>, by state: ContextState) {
    (source, author, contextName, date) = (0, state.author, state.name, Date())
    (receipts, batched, isBatch) = ([], WrittenObjects(), false)
    written = WrittenObjects(of: entities, keys: nil)
    self.entities = entities
  }

  /// Forgets everything, because nobody needs it.
  mutating func release() { (receipts, written, batched, entities) = ([], .init(), .init(), []) }

  /// Keeps only the entities.
  mutating func forgetRows() {
    receipts = []
    written = WrittenObjects(of: entities, keys: nil)
    (rowCount, byteCount) = (1, 0)
  }
}

extension CommitReceipt {
  /// Without the contents of files: a large value must not stay in memory.
  var withoutLargeValues: CommitReceipt {
    var receipt = self
    receipt.written.externalValues = [:]
    return receipt
  }
}

extension ChangeSet {
  /// The number of rows and links.
  var rowCount: Int {
    entities.reduce(0) { $0 + $1.deletes.count + $1.updates.count + $1.inserts.count }
      + links.reduce(0) { $0 + $1.removed.count + $1.added.count + $1.moved.count }
  }

  /// The entities of its rows, and of the ends of its links.
  func writtenEntities(_ schema: StoreSchema) -> Set<Int> {
    var found: Set<Int> = []
    for change in entities where !change.isEmpty { found.insert(change.entity) }
    for change in links where !change.isEmpty {
      let table = schema.linkTables[change.table]
      found.formUnion([table.owner, table.member])
    }
    return found
  }

  /// The size of the rows in memory. Only rows with texts or blobs are counted: the number of rows
  /// limits the others.
  func byteCount(_ schema: StoreSchema) -> Int {
    entities.reduce(0) { sum, change in
      let layout = schema.entities[change.entity]
      if layout.byteSlots.isEmpty { return sum }
      return sum
        + change.deletes.reduce(0) { $0 + ($1.before?.byteCount(layout) ?? 0) }
        + change.updates.reduce(0) { $0 + $1.before.byteCount(layout) + $1.row.byteCount(layout) }
        + change.inserts.reduce(0) { $0 + $1.row.byteCount(layout) }
    }
  }
}

/// How much a container keeps of what was committed, for contexts that merge it later and for the
/// readers of ``PersistentContainer/saves``.
///
/// What is beyond is not lost: of the oldest commits, only the entities are kept. A context then
/// reads the objects of these entities again, and a reader gets an element that is not complete.
/// While nobody merges and nobody reads, nothing is kept.
public struct CommitLogLimits: Sendable, Hashable {
  /// The greatest number of rows and links. Default: 10,000.
  public var rowCount: Int
  /// The greatest number of bytes in rows with texts or binary values. Default: 32 MB.
  public var byteCount: Int

  /// Limits for a container.
  public init(rowCount: Int = 10_000, byteCount: Int = 32 << 20) {
    self.rowCount = rowCount
    self.byteCount = byteCount
  }
}
