import CopalModel
import CopalStore

extension ManagedObjectContext {
  /// Writes all changes to the store in one transaction: all of them or none.
  ///
  /// Without changes it does nothing. The steps of a save:
  ///
  /// 1. Objects that have lost their owner are deleted, where the model says `"orphans": "delete"`.
  ///    `willSave()` is called for every changed object, then the validation hook of every changed object. Objects
  ///    that a hook changes are part of the save, and their hooks are called too. Each hook is called once for
  ///    each object in a save.
  /// 2. The rules of the model are checked, and transformable values are encoded. If a transformer changes
  ///    objects meanwhile, the hooks of those objects are called, and this step is repeated, ten times at most.
  /// 3. The store deletes rows, updates the changed columns, and inserts rows, in one transaction. It checks that
  ///    others have not changed a row since it was read.
  /// 4. `didSave()` is called for every saved object. Changes from the third step on are part of the next save.
  ///
  /// - Throws: ``PersistenceError`` with the code `save.failed`, whose `causes` are all problems that the first
  ///   two steps have found: each validation hook that threw, each broken rule, each value that could not be
  ///   encoded. When these steps find no problem, the `causes` are all conflicts that the store has found: each
  ///   row that others have changed or deleted, each value that breaks a unique constraint. A code of `store.…`
  ///   when the store cannot be written. `save.endlessHooks` when hooks do not stop inserting
  ///   objects, or transformers do not stop changing them. After an error nothing is written, every change is
  ///   kept, and the next save can succeed.
  /// - Precondition: no hook of a running save calls it, except `didSave()`.
  public func save() throws {
    var released: [Any] = []
    let objects = try write(&released)
    // Released when the context is consistent: a value's deinit may call anything.
    released = []
    state.forgetOutdated()
    if !state.container.overridesHooks { return }
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
    let (objects, plan) = try prepared()
    do {
      plan.applyReceipt(try commit(plan.changes), &released)
    } catch {
      unseal(objects)
      throw error
    }
    state.sweepIfDue()
    return objects
  }

  /// Saves changes of objects without their hooks and rules, for changes that a program cannot see: of the form of values.
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

  /// The limit of repeated preparations of a save because transformers have changed objects in the
  /// meantime.
  private static let roundLimit = 10

  /// Calls the hooks, checks the rules, and encodes and packs what changed.
  ///
  /// - Returns: the objects to be saved, and what is to be written.
  private func prepared() throws -> (ContiguousArray<ManagedObject>, SavePlan) {
    _ = state.noteMutations()
    _ = deleteOrphans()
    _ = try noteCountedOwners()
    // nil when no class of the model can override a hook.
    var hooks = state.container.overridesHooks ? SaveHooks(state) : nil
    defer { hooks?.end() }
    var former: SavePlan?
    for _ in 0..<Self.roundLimit {
      var validation = ObjectValidation()
      repeat {
        try hooks?.call(&validation)
      } while try state.noteMutations() || deleteOrphans()
        || noteCountedOwners()
      let objects = changedObjects()
      let listed = state.changed.objects.count
      state.hasChangedSinceCheck = false
      var deleted: ContiguousArray<ManagedObject> = []
      for object in objects {
        if object.flags.contains(.deleted) { deleted.append(object) }
        validation.checkRules(of: object)
        // So that the save notices later writes.
        object.seal()
      }
      if state.container.hasRelationships {
        validation.failures += relationshipFailures(of: objects, deleted)
      }
      let plan = SavePlan(state, objects, &validation.failures)
      if !validation.failures.isEmpty {
        unseal(objects)
        throw PersistenceError(.saveFailed, causes: validation.failures)
      }
      if !state.hasChangedSinceCheck { return (objects, plan) }
      let isUnchanged =
        listed == state.changed.objects.count && objects.allSatisfy(\.hasChanges)
        && plan.isSame(as: former)
      if isUnchanged { return (objects, plan) }
      unseal(objects)
      former = plan
    }
    throw PersistenceError(.endlessHooks, found: "\(Self.roundLimit)")
  }

  /// The errors of delete rules, and of the numbers of members.
  private func relationshipFailures(
    of objects: ContiguousArray<ManagedObject>, _ deleted: ContiguousArray<ManagedObject>
  ) -> [PersistenceError] {
    var all: [PersistenceError] = []
    let denial = DenyCheck(state, core)
    var counts = CountCheck(state, core)
    for object in deleted {
      let failures = denial.failures(of: object)
      if !failures.isEmpty { counts.denied.append(object) }
      all += failures
    }
    if state.container.limitsCounts {
      for object in objects { all += counts.failures(of: object) }
    }
    return all
  }

  /// Deletes the objects that have lost their owner, where the model wants this.
  ///
  /// - Returns: whether there were any.
  private func deleteOrphans() -> Bool {
    if !state.container.deletesOrphans { return false }
    let orphans = changedObjects().filter(\.isOrphan)
    // A hook of one may have given another one an owner.
    for object in orphans where object.isOrphan { delete(object) }
    return !orphans.isEmpty
  }

  /// Makes the owners whose members are counted a part of the save, also those whose members a hook has changed.
  ///
  /// - Returns: whether there were new ones.
  private func noteCountedOwners() throws -> Bool {
    try !state.relationships.counted.isEmpty && CountCheck(state, core).noteOwners()
  }

  /// Ends the check of the objects: nothing was written.
  private func unseal(_ objects: ContiguousArray<ManagedObject>) {
    for object in objects { object.unseal() }
  }

  private func commit(_ changes: ChangeSet) throws -> CommitReceipt {
    if changes.isEmpty { return CommitReceipt(insertedKeys: [], written: changes) }
    state.storedChangeCount += 1
    switch try state.openedSession().commit(changes) {
    case .committed(let receipt):
      if !state.transactions.isEmpty { state.note(written: receipt) }
      return receipt
    case .refused(let conflicts):
      noteMissing(conflicts)
      // As after any refused save, the context has the objects, so that the program can refresh them.
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

  private func changedObjects() -> ContiguousArray<ManagedObject> {
    let listed = state.changed.objects
    // Usually every object in the list has changes, and the list itself is returned.
    return listed.allSatisfy { $0.hasChanges } ? listed : listed.filter { $0.hasChanges }
  }
}
