import CopalEssentials
import CopalStore

/// What a save, a batch or a transaction has written, before the log decides whether to keep it.
enum CommitContents {
  case save(CommitReceipt)
  /// A batch, or SQL.
  case batch(WrittenObjects)
  case transaction(WrittenInTransaction)

  /// What was written without rows: by batches and by SQL.
  var batched: WrittenObjects {
    switch self {
    case .save: WrittenObjects()
    case .batch(let written): written
    case .transaction(let written): written.batched
    }
  }

  /// Calls a function with the entities of all objects and links that were written, each at least
  /// once.
  func forEachEntity(_ schema: StoreSchema, _ body: (Int) -> Void) {
    switch self {
    case .save(let receipt): receipt.written.forEachWrittenEntity(schema, body)
    case .batch(let written): written.entities.forEach(body)
    case .transaction(let written):
      written.batched.entities.forEach(body)
      written.receipts.entities.forEach(body)
      for receipt in written.receipts.all { receipt.written.forEachWrittenEntity(schema, body) }
    }
  }

  /// The entities of all objects and links that were written.
  func entities(_ schema: StoreSchema) -> Set<Int> {
    var found: Set<Int> = []
    forEachEntity(schema) { found.insert($0) }
    return found
  }
}
