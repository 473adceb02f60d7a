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
  /// Where others have changed what the save writes, the ``mergePolicy`` of the context decides. By
  /// default, such a conflict is an error.
  ///
  /// - Returns: the conflicts that the policy has resolved.
  /// - Throws: ``PersistenceError`` with the code `save.failed`, whose `causes` are all problems
  ///   that the first two steps have found: each validation hook that threw, each broken rule, each
  ///   value that could not be encoded. When these steps find no problem, the `causes` are all
  ///   conflicts that the store has found: each row that others have changed or deleted, each value
  ///   that breaks a unique constraint. A code of `store.…` when the store cannot be written.
  ///   `save.endlessHooks` when hooks do not stop inserting objects, or transformers do not stop
  ///   changing them. After an error nothing is written, every change is kept, and the next save
  ///   can succeed.
  /// - Precondition: no hook of a running save calls it, except `didSave()`.
  @discardableResult
  public func save() throws -> SaveReport {
    if state.events == nil { return try saveAll() }
    state.endTurnBeforeSave()
    // Before the save, because afterwards nothing says that there was something to write.
    _ = state.noteMutations()
    let hasWork = state.hasChanges
    let report = try saveAll()
    state.endTurn()
    if hasWork { state.tell(\.didSave, report) }
    return report
  }

  private func saveAll() throws -> SaveReport {
    guard let cancellation = state.session.cancellation else { return try saveEverything() }
    try cancellation.check()
    do {
      return try saveEverything()
    } catch is PersistenceError where cancellation.isCanceled {
      // What a hook could not read is no mistake of the program.
      throw CancellationError()
    }
  }

  private func saveEverything() throws -> SaveReport {
    var released: [Any] = []
    let (objects, awaking, report) = try write(&released)
    // Released when the context is consistent: a value's deinit may call anything.
    released = []
    let renewed = state.forgetOutdated()
    if !state.container.overridesHooks { return report }
    for object in awaking + renewed
    where object.runtime.overridesHooks && object.flags.isDisjoint(with: [.gone, .fault]) {
      object.awakeFromFetch()
    }
    for object in objects where object.runtime.overridesHooks { object.didSave() }
    return report
  }

  /// The save without its last step.
  ///
  /// - Parameter released: receives the values that the objects no longer have.
  /// - Returns: the objects whose last hook is to be called, those with values of others, and what
  ///   was resolved.
  private func write(_ released: inout [Any]) throws -> (
    ContiguousArray<ManagedObject>, [ManagedObject], SaveReport
  ) {
    state.noticeBatches()
    require(
      !state.isSaving,
      "save() was called by a hook of a save; remove this call: the running save writes the changes of the hook"
    )
    state.isSaving = true
    defer { state.isSaving = false }
    let former = state.begin(.save, nil)
    defer { former?.end() }
    if state.hasChanges { state.tell(\.willSave, ()) }
    var preparation = SavePreparation(self)
    let prepared = try preparation.run()
    do {
      let (plan, receipt, report) = try commit(prepared.plan)
      let awaking = plan.applyReceipt(receipt, &released)
      state.metadata.finish(plan.changes.metadata)
      state.sweepIfDue()
      let objects = state.container.overridesHooks ? plan.remaining(prepared.objects) : []
      return (objects, awaking, report)
    } catch {
      unseal(prepared.objects)
      throw error
    }
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
      let (written, receipt, _) = try commit(plan)
      _ = written.applyReceipt(receipt, &released)
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

  /// How often a save is tried. Conflicts of references are resolved after those of rows, and each
  /// level of a cascade after the one before; and others can save again in the meantime.
  private static let attemptLimit = 10

  /// Commits a plan. Conflicts are resolved as the policy of the context wants it.
  ///
  /// - Returns: the plan that was written, and what was resolved.
  private func commit(_ plan: SavePlan) throws -> (SavePlan, CommitReceipt, SaveReport) {
    var plan = plan
    var report = SaveReport()
    for attempt in 1... {
      switch try commitRows(plan.changes) {
      case .committed(let receipt): return (plan, receipt, report)
      case .refused(let conflicts):
        if case .rule(.error) = state.mergePolicy.kind { throw refusal(conflicts, []) }
        if attempt == Self.attemptLimit { throw refusal(conflicts, []) }
        let resolution = ConflictResolution(state, state.mergePolicy, plan)
        try resolution.resolve(conflicts)
        if !resolution.remaining.isEmpty || !resolution.failures.isEmpty {
          throw refusal(resolution.remaining, resolution.failures)
        }
        report.resolved += resolution.resolved
        plan = resolution.draft.plan(state)
      }
    }
    return (plan, CommitReceipt(insertedKeys: [], written: plan.changes), report)
  }

  /// The error of a save that the store has refused.
  private func refusal(_ conflicts: [CommitConflict], _ failures: [any Error]) -> PersistenceError {
    noteMissing(conflicts)
    // As after any refused save, the context has the objects, so that the program can refresh them.
    state.readAllDeletions()
    var error = SaveConflicts(state).error(conflicts)
    error.causes += failures
    return error
  }

  /// Marks the objects whose rows are missing, so that deleting them needs no row.
  private func noteMissing(_ conflicts: [CommitConflict]) {
    for conflict in conflicts {
      guard case .deleted = conflict.kind,
        let object = state.object(conflict.key, of: state.container.entities[conflict.entity])
      else { continue }
      object.becomeMissing()
      state.outdated.noteDeletion(of: object)
    }
  }
}
