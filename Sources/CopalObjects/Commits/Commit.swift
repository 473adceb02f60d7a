import CopalEssentials
import CopalStore

/// What a commit has written, for the contexts that merge it.
struct Commit: Sendable {
  /// The context that has written it; 0 when that context must merge it, too.
  let source: UInt64
  let author: String?
  let contextName: String?
  let date: Date
  /// Whether another program has written it.
  private(set) var isForeign = false
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

  /// More rows than the log of the container keeps are not kept.
  init(
    _ contents: CommitContents, by writer: CommitWriter, _ schema: StoreSchema,
    _ limits: CommitLogLimits
  ) {
    (source, author, contextName, date) = (writer.number, writer.author, writer.name, Date())
    batched = contents.batched
    written = batched
    let saved: [CommitReceipt]
    var isDropped = false
    switch contents {
    case .save(let receipt): saved = [receipt]
    case .batch: saved = []
    case .transaction(let transaction):
      saved = transaction.receipts.all
      isDropped = transaction.receipts.isDropped
    }
    isBatch = saved.isEmpty && !isDropped
    entities = contents.entities(schema)
    rowCount = max(1, saved.reduce(written.keyCount) { $0 + $1.written.rowCount })
    receipts = []
    if isDropped || rowCount > limits.rowCount {
      forgetRows()
      return
    }
    receipts = saved.map(\.withoutLargeValues)
    for receipt in saved { byteCount += receipt.written.byteCount(schema) }
  }

  /// A commit that has failed, and may have been written.
  init(uncertain entities: Set<Int>, by writer: CommitWriter) {
    (source, author, contextName, date) = (0, writer.author, writer.name, Date())
    (receipts, batched, isBatch) = ([], WrittenObjects(), false)
    written = WrittenObjects(of: entities, keys: nil)
    self.entities = entities
  }

  /// Commits of another program.
  init(foreign entities: Set<Int>) {
    (source, author, contextName, date, isForeign) = (0, nil, nil, Date(), true)
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

/// The context that writes a commit.
struct CommitWriter {
  /// The number of the context.
  let number: UInt64
  let author: String?
  let name: String?
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
    forEachWrittenEntity(schema) { found.insert($0) }
    return found
  }

  /// The same, each at least once.
  func forEachWrittenEntity(_ schema: StoreSchema, _ body: (Int) -> Void) {
    for change in entities where !change.isEmpty { body(change.entity) }
    for change in links where !change.isEmpty {
      let table = schema.linkTables[change.table]
      body(table.owner)
      body(table.member)
    }
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
