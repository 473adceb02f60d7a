import CopalModel
import CopalStore

extension ManagedObjectContext {
  /// Writes all changes to the store in one transaction: all of them or none.
  ///
  /// Without changes it does nothing. The steps of a save:
  ///
  /// 1. Objects that have lost their owner are deleted, where the model says `"orphans": "delete"`.
  ///    `willSave()` is called for every changed object, then the validation hook of every changed
  ///    object. Objects that a hook changes are part of the save, and their hooks are called too.
  ///    Each hook is called once for each object in a save.
  /// 2. The rules of the model are checked, and transformable values are encoded. If a transformer
  ///    changes objects meanwhile, the hooks of those objects are called, and this step is
  ///    repeated, ten times at most.
  /// 3. The store deletes rows, updates the changed columns, and inserts rows, in one transaction.
  ///    It checks that others have not changed a row since it was read.
  /// 4. `didSave()` is called for every saved object. Changes from the third step on are part of
  ///    the next save.
  ///
  /// - Throws: ``PersistenceError`` with the code `save.failed`, whose `causes` are all problems
  ///   that the first two steps have found: each validation hook that threw, each broken rule, each
  ///   value that could not be encoded. When these steps find no problem, the `causes` are all
  ///   conflicts that the store has found: each row that others have changed or deleted, each value
  ///   that breaks a unique constraint. A code of `store.…` when the store cannot be written.
  ///   `save.endlessHooks` when hooks do not stop inserting objects, or transformers do not stop
  ///   changing them. After an error nothing is written, every change is kept, and the next save
  ///   can succeed.
  /// - Precondition: no hook of a running save calls it, except `didSave()`.
  public func save() throws {
    var released: [Any] = []
    let objects = try write(&released)
    // Released when the context is consistent: a value's deinit may call anything.
    released = []
    let renewed = state.forgetOutdated()
    if !state.container.overridesHooks { return }
    for object in renewed where object.runtime.overridesHooks { object.awakeFromFetch() }
    for object in objects where object.runtime.overridesHooks { object.didSave() }
  }

  /// The save without its last step.
  ///
  /// - Parameter released: receives the values that the objects no longer have.
  /// - Returns: the objects that were saved.
  private func write(_ released: inout [Any]) throws -> ContiguousArray<ManagedObject> {
    state.noticeBatches()
    require(
      !state.isSaving,
      "save() was called by a hook of a save; remove this call: the running save writes the changes of the hook"
    )
    state.isSaving = true
    defer { state.isSaving = false }
    let former = state.begin(.save, nil)
    defer { former?.end() }
    var preparation = SavePreparation(self)
    let prepared = try preparation.run()
    do {
      prepared.plan.applyReceipt(try commit(prepared.plan.changes), &released)
    } catch {
      unseal(prepared.objects)
      throw error
    }
    state.sweepIfDue()
    return prepared.objects
  }

  /// Saves changes of objects without their hooks and rules, for changes that a program cannot see:
  /// of the form of values.
  func saveEncoded(_ objects: ContiguousArray<ManagedObject>) throws {
    var released: [Any] = []
    var failures: [PersistenceError] = []
    let former = state.begin(.save, nil)
    defer { former?.end() }
    for object in objects { object.seal() }
    let plan = SavePlan(state, objects, &failures)
    do {
      if !failures.isEmpty { throw PersistenceError(.saveFailed, causes: failures) }
      plan.applyReceipt(try commit(plan.changes), &released)
    } catch {
      unseal(objects)
      throw error
    }
    released = []
  }

  /// Ends the check of the objects: nothing was written.
  private func unseal(_ objects: ContiguousArray<ManagedObject>) {
    for object in objects { object.unseal() }
  }

  private func commit(_ changes: ChangeSet) throws -> CommitReceipt {
    if changes.isEmpty { return CommitReceipt(insertedKeys: [], written: changes) }
    state.storedChangeCount += 1
    let result = try state.committing(changes.writtenEntities(state.container.schema)) {
      try state.session.opened().commit(changes)
    } published: { result in
      guard case .committed(let receipt) = result else { return nil }
      return (Commit([receipt], by: state), receipt.place)
    }
    switch result {
    case .committed(let receipt):
      if !state.session.transactions.isEmpty { state.note(written: receipt) }
      return receipt
    case .refused(let conflicts):
      noteMissing(conflicts)
      // As after any refused save, the context has the objects, so that the program can refresh
      // them.
      state.readAllDeletions()
      throw SaveConflicts(state).error(conflicts)
    }
  }

  /// Marks the objects whose rows are missing, so that deleting them needs no row.
  private func noteMissing(_ conflicts: [CommitConflict]) {
    for conflict in conflicts {
      guard case .deleted = conflict.kind else { continue }
      state.object(conflict.key, of: state.container.entities[conflict.entity])?.becomeMissing()
    }
  }
}
