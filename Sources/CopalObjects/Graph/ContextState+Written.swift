import CopalStore

extension ContextState {
  /// A save in a transaction has written something.
  func note(written receipt: CommitReceipt) {
    guard let last = session.transactions.indices.last else { return }
    session.transactions[last].receipts.add(receipt, container.schema, container.log)
    for (change, keys) in zip(receipt.written.entities, receipt.insertedKeys) {
      let runtime = container.entities[change.entity]
      for rows in [change.updates.map(\.key), change.deletes.map(\.key), keys] {
        session.transactions[last].objects.add(rows, of: runtime.index, root: runtime.root)
      }
      if !keys.isEmpty { session.transactions[last].inserted[runtime.root, default: []] += keys }
    }
    for change in receipt.written.links {
      let table = container.schema.linkTables[change.table]
      for end in [table.owner, table.member] {
        session.transactions[last].objects.add(linksOf: Set(container.entities[end].entities))
      }
    }
  }

  /// A batch in a transaction has changed objects.
  func note(batch written: WrittenObjects, inserted: [Int: [Int64]]) {
    guard let last = session.transactions.indices.last else { return }
    session.transactions[last].objects.formUnion(written)
    session.transactions[last].batched.formUnion(written)
    // In place, so that many batches do not copy the keys of those before them.
    for (root, keys) in inserted { session.transactions[last].inserted[root, default: []] += keys }
  }

  /// Objects that had temporary keys were deleted. In a transaction this can still be undone, so
  /// their temporary keys stay.
  func note(deleted keys: [Int64], root: Int) {
    guard let last = session.transactions.indices.last else {
      return temporaryKeys.remove(permanent: keys, root: root)
    }
    session.transactions[last].deleted[root, default: []] += keys
  }
}
