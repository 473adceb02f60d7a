import CopalModel
import CopalStore

extension ManagedObjectContext {
  /// Writes every change to the store, all of it or nothing.
  ///
  /// Without a change it does nothing at all. In turn: `willSave()` of every changed object; all rules
  /// and validation hooks; then deletes, updates of the changed columns alone, and inserts, in one
  /// transaction that checks that no row was changed by others since it was read; then `didSave()`.
  ///
  /// - Throws: ``PersistenceError`` with the code `save.failed`, whose `causes` name every object and
  ///   attribute that did not pass, each conflict with both versions or both ids; or a code of `store.…`
  ///   when the world refused. Nothing is written then, every change is kept, and the next save may
  ///   succeed.
  /// - Precondition: not called by a hook of a save that is under way; `didSave()` may call it.
  public func save() throws {
    for object in try write() where object.runtime.overridesHooks { object.didSave() }
  }

  /// The save without its last step.
  ///
  /// - Returns: the objects that were saved.
  private func write() throws -> ContiguousArray<ManagedObject> {
    require(
      !state.isSaving, "save() was called by a hook of a save; let the save that is under way do it"
    )
    state.isSaving = true
    defer { state.isSaving = false }
    try tellWillSave()
    let objects = try validated(changedObjects())
    if !objects.isEmpty {
      let plan = try SavePlan(state, objects)
      try withExtendedLifetime(objects) {
        do {
          plan.absorb(try commit(plan.changes))
        } catch {
          plan.restore()
          throw error
        }
      }
    }
    settle(objects)
    return objects
  }

  private func commit(_ changes: ChangeSet) throws -> CommitReceipt {
    if changes.isEmpty { return CommitReceipt(insertedKeys: []) }
    do {
      return try state.session().commit(changes)
    } catch let error as PersistenceError {
      noteMissing(error)
      throw error
    }
  }

  /// Marks the objects that others have deleted, so that deleting them here too needs no row.
  private func noteMissing(_ error: PersistenceError) {
    for case let cause as PersistenceError in error.causes where cause.code == .deletedElsewhere {
      guard let id = cause.objectID,
        let entity = state.container.schema.model.entityIndex(id.entityName)
      else { continue }
      state.object(entity: entity, key: id.key)?.flags.insert(.missing)
    }
  }

  /// Tells objects of the save until no more of them change because of it.
  private func tellWillSave() throws {
    guard state.container.overridesHooks else { return }
    // Each object is told once, so that only hooks which insert ever new objects have no end.
    let limit = 1000 + state.registeredCount
    // Not the list of changes: a hook that rolls back empties that.
    var told: ContiguousArray<ManagedObject> = []
    defer { for object in told { object.flags.remove(.told) } }
    for _ in 0..<limit {
      let untold = state.changed.objects.filter {
        $0.runtime.overridesHooks && $0.hasChanges && !$0.flags.contains(.told)
      }
      if untold.isEmpty { return }
      for object in untold where object.hasChanges {
        object.flags.insert(.told)
        told.append(object)
        object.willSave()
      }
    }
    throw PersistenceError(.endlessHooks, found: "\(limit)")
  }

  private func changedObjects() -> ContiguousArray<ManagedObject> {
    let listed = state.changed.objects
    // As a rule nothing has lost its changes, and the list itself will do.
    return listed.allSatisfy { $0.hasChanges } ? listed : listed.filter { $0.hasChanges }
  }

  /// Checks objects, and leaves out those that a validation hook has taken their changes from.
  private func validated(_ objects: ContiguousArray<ManagedObject>) throws
    -> ContiguousArray<ManagedObject>
  {
    var validation = ObjectValidation()
    if state.container.overridesHooks { for object in objects { validation.ask(object) } }
    for object in objects where object.hasChanges {
      if object.flags.contains(.deleted) {
        validation.check(deleted: object)
      } else if object.flags.contains(.inserted) {
        validation.check(inserted: object)
      } else {
        validation.check(updated: object)
      }
    }
    if !validation.failures.isEmpty {
      throw PersistenceError(.saveFailed, causes: validation.failures)
    }
    return state.container.overridesHooks ? objects.filter { $0.hasChanges } : objects
  }

  /// Keeps in the list what a hook or a transformer has changed or deleted too late for this save.
  private func settle(_ objects: ContiguousArray<ManagedObject>) {
    for object in objects { object.flags.remove([.inserted, .updated]) }
    state.removeUnchanged()
    state.sweepIfDue()
  }
}
