import CopalStore

extension ContextState {
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
    session.transactions[last].receipts.add(written.receipts, container.log)
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
