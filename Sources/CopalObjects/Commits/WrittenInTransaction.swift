import CopalStore

/// What the saves and batches of an open transaction have written: what the context must forget
/// when it is undone.
struct WrittenInTransaction {
  /// The objects whose rows were written.
  var objects = WrittenObjects()
  /// The keys of new objects, by root.
  var inserted: [Int: [Int64]] = [:]
  /// The keys of deleted objects that had a temporary key, by root.
  var deleted: [Int: [Int64]] = [:]
  /// What batches have written. Other contexts notice it after the commit.
  var batched = WrittenObjects()
  /// The saves. Other contexts merge them after the commit.
  var receipts = WrittenReceipts()
}

/// The receipts of the saves of a transaction, or only the entities where they have many rows.
struct WrittenReceipts {
  private(set) var all: [CommitReceipt] = []
  private(set) var entities: Set<Int> = []
  private var rowCount = 0
  private var byteCount = 0
  /// Whether there were too many rows to keep them.
  private(set) var isDropped = false

  mutating func add(_ receipt: CommitReceipt, _ schema: StoreSchema, _ log: CommitLog) {
    entities.formUnion(receipt.written.writtenEntities(schema))
    if isDropped { return }
    rowCount += receipt.written.rowCount
    byteCount += receipt.written.byteCount(schema)
    all.append(receipt.withoutLargeValues)
    dropMany(log)
  }

  mutating func add(_ inner: WrittenReceipts, _ log: CommitLog) {
    entities.formUnion(inner.entities)
    rowCount += inner.rowCount
    byteCount += inner.byteCount
    all += inner.all
    if inner.isDropped { isDropped = true }
    dropMany(log)
  }

  private mutating func dropMany(_ log: CommitLog) {
    let limits = log.limits
    if rowCount > limits.rowCount || byteCount > limits.byteCount || !log.hasCursors {
      isDropped = true
    }
    if isDropped { all = [] }
  }
}
