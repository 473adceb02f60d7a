import CopalModel
import CopalStore

/// Undoing and forgetting.
extension ManagedObjectContext {
  /// Takes back every change since the last save: new objects go, changed and deleted ones are again
  /// as they were read. `awakeFromFetch()` is called for these.
  public func rollback() {
    var restored: ContiguousArray<ManagedObject> = []
    for object in state.removeChanges() {
      // Also one that has lost its changes already: what it has now is not undone.
      if !object.hasChanges { continue }
      if object.flags.contains(.inserted) {
        object.flags.insert(.gone)
        continue
      }
      object.flags.remove(.deleted)
      object.dropCells()
      // The record of it went with the cells, so that it is tried again.
      object.flags.remove(.failed)
      if object.row != nil { restored.append(object) }
    }
    for object in restored { object.awakeFromFetch() }
  }

  /// Reads an object anew.
  ///
  /// With `mergeChanges` the unsaved changes stay on top of what the store has now; after a conflict
  /// that is how to save over it. A property that was set to what it already was is no change, and takes
  /// the store's value. Transients of a changed object stay, but those that depend on other attributes are
  /// discarded. An object that has no change left is unchanged then.
  ///
  /// Without `mergeChanges` the changes are lost, and the object becomes a fault that reads its values
  /// when they are wanted. A new object is left as it is.
  ///
  /// - Throws: with `mergeChanges`, what prevents reading; the object keeps its values and its changes. After
  ///   `object.missing`, `isDeleted` is true.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    requireOwn(object)
    if !object.flags.isDisjoint(with: [.inserted, .gone]) { return }
    if mergeChanges {
      try FaultHandler(state).reload(object)
      if !object.hasChanges { state.noteLoss(of: object) }
      if object.flags.contains(.missing) {
        throw PersistenceError(.objectMissing, entity: object.entityName, objectID: object.objectID)
      }
      return
    }
    object.flags.remove(.deleted)
    object.turnIntoFault()
    if !object.hasChanges { state.noteLoss(of: object) }
  }

  /// Turns every object without changes into a fault, so that it shows what the store has then.
  public func refreshAllObjects() {
    state.sweep()
    // Gathered first: `didTurnIntoFault()` may fetch.
    var objects: ContiguousArray<ManagedObject> = []
    for map in state.maps { map.forEach { if !$0.hasChanges { objects.append($0) } } }
    for object in objects where !object.hasChanges && !object.flags.contains(.gone) {
      if object.flags.contains(.fault) { object.forgetFailures() } else { object.turnIntoFault() }
    }
  }

  /// Forgets every object and every change. Objects that somebody still holds keep the values they
  /// have and belong to no context any more.
  public func reset() {
    state.forgetAll()
  }

  /// Reads the values of faults now, many in one statement.
  ///
  /// - Throws: what prevented it, `object.missing` for those that are gone; the others have their
  ///   values.
  public func fulfill(_ objects: some Collection<ManagedObject>) throws {
    for object in objects { requireOwn(object) }
    try FaultHandler(state).fulfill(all: objects)
  }

  /// Reads the values of one fault now.
  ///
  /// A fault that could not be read before is not read again: call ``refresh(_:mergeChanges:)`` first.
  ///
  /// - Throws: what prevented it, `object.missing` when it is gone.
  public func fulfill(_ object: ManagedObject) throws {
    requireOwn(object)
    try object.fulfillIfFault()
  }
}
