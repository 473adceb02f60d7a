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
  public func save() throws {
    guard hasChanges else { return }
    try tellWillSave()
    let objects = changedObjects()
    try validate(objects)
    let plan = try SavePlan(state, objects)
    if !plan.changes.isEmpty {
      plan.absorb(try state.session().commit(plan.changes))
    }
    settle(objects)
    for object in objects { object.didSave() }
  }

  /// Tells objects of the save until no more of them change because of it.
  private func tellWillSave() throws {
    let limit = 1000
    var told = Set<ObjectIdentifier>()
    for _ in 0..<limit {
      let untold = state.listed.filter { $0.hasChanges && !told.contains(ObjectIdentifier($0)) }
      if untold.isEmpty { return }
      for object in untold {
        told.insert(ObjectIdentifier(object))
        object.willSave()
      }
    }
    throw PersistenceError(.endlessHooks, found: "\(limit)")
  }

  private func changedObjects() -> ContiguousArray<ManagedObject> {
    state.listed.filter(\.hasChanges)
  }

  private func validate(_ objects: ContiguousArray<ManagedObject>) throws {
    var validation = ObjectValidation()
    for object in objects {
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
  }

  /// Ends the life of what was deleted and empties the list of changes.
  private func settle(_ objects: ContiguousArray<ManagedObject>) {
    for object in objects where object.flags.contains(.deleted) {
      object.flags.insert(.gone)
      state.maps[object.runtime.index].set(object.key, nil)
    }
    for object in state.listed {
      object.flags.remove(.listed)
      if !object.flags.contains(.deleted) { object.flags.remove([.inserted, .updated]) }
    }
    state.listed = []
    state.sweepIfDue()
  }
}
