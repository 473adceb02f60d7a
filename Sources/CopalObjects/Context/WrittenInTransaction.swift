import CopalStore

/// What the saves and batches of an open transaction have written: what the context must forget
/// when it is undone.
struct WrittenInTransaction {
  /// The objects whose rows were written.
  fileprivate(set) var objects = WrittenObjects()
  /// The keys of new objects, by root.
  fileprivate var inserted: [Int: [Int64]] = [:]
  /// The keys of deleted objects that had a temporary key, by root.
  fileprivate var deleted: [Int: [Int64]] = [:]
  /// What batches have written. Other contexts notice it after the commit.
  fileprivate(set) var batched = WrittenObjects()
  /// The saves. Other contexts merge them after the commit.
  fileprivate(set) var receipts = WrittenReceipts()
}

/// The receipts of the saves of a transaction, or only the entities where they have many rows.
struct WrittenReceipts {
  private(set) var all: [CommitReceipt] = []
  private(set) var entities: Set<Int> = []
  private var rowCount = 0
  private var byteCount = 0
  /// Whether there were too many rows to keep them.
  private(set) var isDropped = false

  mutating func add(_ receipt: CommitReceipt, _ container: ContainerRuntime) {
    entities.formUnion(receipt.written.writtenEntities(container.schema))
    if isDropped { return }
    rowCount += receipt.written.rowCount
    byteCount += receipt.written.byteCount(container.schema)
    all.append(receipt.withoutLargeValues)
    dropMany(container)
  }

  mutating func add(_ inner: WrittenReceipts, _ container: ContainerRuntime) {
    entities.formUnion(inner.entities)
    rowCount += inner.rowCount
    byteCount += inner.byteCount
    all += inner.all
    if inner.isDropped { isDropped = true }
    dropMany(container)
  }

  private mutating func dropMany(_ container: ContainerRuntime) {
    let limits = container.log.limits
    if rowCount > limits.rowCount || byteCount > limits.byteCount || !container.log.hasCursors {
      isDropped = true
    }
    if isDropped { all = [] }
  }
}

extension ContextState {
  /// A save in a transaction has written something.
  func note(written receipt: CommitReceipt) {
    guard let last = session.transactions.indices.last else { return }
    session.transactions[last].receipts.add(receipt, container)
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

  /// Ends the transaction that was begun last: it becomes a part of the outer one, or is committed
  /// and published.
  func commitTransaction() throws {
    let session = try session.opened()
    guard self.session.transactions.count == 1, let written = self.session.transactions.last else {
      try session.commitTransaction()
      return finishTransaction()
    }
    try committingAlways(written.receipts.entities.union(written.batched.entities)) {
      try session.commitTransaction()
    } published: { place in
      (.transaction(written), place)
    }
    finishTransaction()
  }

  /// The transaction that was begun last is a part of the outer one, or is committed.
  private func finishTransaction() {
    guard let written = session.transactions.popLast() else { return }
    guard let last = session.transactions.indices.last else {
      for (root, keys) in written.deleted { temporaryKeys.remove(permanent: keys, root: root) }
      return
    }
    for (root, keys) in written.deleted {
      session.transactions[last].deleted[root, default: []] += keys
    }
    session.transactions[last].objects.formUnion(written.objects)
    session.transactions[last].batched.formUnion(written.batched)
    session.transactions[last].receipts.add(written.receipts, container)
    for (root, keys) in written.inserted {
      session.transactions[last].inserted[root, default: []] += keys
    }
  }

  /// The objects whose insertion was undone leave the context, and the lists to which they were
  /// added since. They keep their values.
  ///
  /// - Returns: the objects. The caller releases them when its state is consistent.
  func detach(_ written: WrittenInTransaction) -> ContiguousArray<ManagedObject> {
    var detached: ContiguousArray<ManagedObject> = []
    for (root, keys) in written.inserted {
      for key in keys {
        guard let object = maps[root].object(key) else { continue }
        detached.append(object)
        Links(self).dropAdditions(of: object)
        updatingMembers(with: object) { object.leaveContext() }
        collect { $0.note(object, .deleted) }
        maps[root].remove(key)
      }
    }
    forgetTemporaryKeys(of: detached)
    for (root, keys) in written.inserted { temporaryKeys.remove(permanent: keys, root: root) }
    return detached
  }
}
