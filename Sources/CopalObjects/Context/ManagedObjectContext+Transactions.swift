import CopalModel
import CopalStore

/// Several saves in one transaction.
extension ManagedObjectContext {
  /// Runs the body in a transaction: all its saves and batches are committed together when it
  /// returns, or none of them when it throws.
  ///
  /// ```swift
  /// try context.transaction {
  ///   let painter = Painter(context: context, name: "Berthe")
  ///   try context.save()
  ///   try context.updateAll(Painting.self, where: { $0.title == "Untitled" }) { $0.views.set(to: 0) }
  /// }
  /// ```
  ///
  /// Use it when a batch belongs to a save, or when a later save needs what an earlier one has
  /// stored. A single save needs no transaction: it is one. In the body, the fetches of this
  /// context see what was saved. Other contexts and programs see nothing before the end, and their
  /// saves wait for it, so keep the body short.
  ///
  /// The body saves by itself: changes that are unsaved at its end stay unsaved. The hooks of a
  /// save are called at each save in the body, also at one that is undone later.
  ///
  /// When the body throws, the context is as the store was at the start. Unsaved changes are
  /// discarded. Objects that were inserted in the body leave the context, and their ids are never
  /// those of other objects. Objects that were written become faults. An object whose deletion was
  /// saved in the body stays deleted; a fetch finds it as a new instance.
  ///
  /// Transactions nest. When an inner one throws, only its own part is undone, and the outer body
  /// can catch the error and go on. If the disk is full, for example, the database undoes the whole
  /// transaction at once: from then on, everything in the body throws `store.transactionLost`.
  ///
  /// It costs as much as its saves and batches, and so does an error, as long as they have written
  /// at most 10,000 objects.
  ///
  /// - Parameter body: saves, batches and fetches of this context.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws; `transaction.pendingChanges` when the context has unsaved
  ///   changes at the start; `store.busy` when another context or program writes for longer than
  ///   the busy timeout; `store.noTransactions` for a store without transactions; other codes of
  ///   `store.…` when the transaction cannot be committed. Then nothing is written, as when the
  ///   body throws.
  /// - Precondition: no hook of a running save calls it.
  @discardableResult
  public func transaction<R>(_ body: () throws -> R) throws -> R {
    require(
      !state.isSaving,
      "transaction(_:) was called by a hook of a save; begin the transaction before the save")
    try state.session.cancellation?.check()
    state.noticeBatches()
    if let names = state.changedNames(of: Set(state.container.entities.indices)) {
      throw PersistenceError(.transactionPendingChanges, found: names)
    }
    let session = try state.session.opened()
    try session.beginTransaction()
    // A transaction is a write, also one that is undone.
    defer { state.session.noteWrite() }
    state.session.transactions.append(WrittenInTransaction())
    let result: R
    do {
      result = try body()
    } catch {
      session.rollBackTransaction()
      undoTransaction()
      throw error
    }
    do {
      try state.commitTransaction()
    } catch {
      undoTransaction()
      throw error
    }
    return result
  }

  /// Brings the context to the state of the store, which has undone the transaction that was begun
  /// last.
  private func undoTransaction() {
    guard let written = state.session.transactions.popLast() else { return }
    // Before the changes are discarded, so that a detached object does not get its former values.
    let detached = state.detach(written)
    let restored = discardChanges()
    state.forgetStored(written.objects)
    state.forgetOutdated()
    for object in restored where object.flags.isDisjoint(with: [.fault, .gone]) {
      object.awakeFromFetch()
    }
    withExtendedLifetime(detached) {}
  }
}
