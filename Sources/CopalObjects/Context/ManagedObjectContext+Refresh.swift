import CopalModel
import CopalStore

/// Undoing and forgetting.
extension ManagedObjectContext {
  /// Undoes every change since the last save. New objects leave the context. Changed and deleted
  /// objects have the values that were last read, saved or merged, and `awakeFromFetch()` is called
  /// for them. Objects that others have deleted leave the context. It does not read the store.
  /// Objects that a batch may have changed become faults.
  public func rollback() {
    let restored = discardChanges()
    state.forgetOutdated()
    for object in restored where object.flags.isDisjoint(with: [.fault, .gone]) {
      object.awakeFromFetch()
    }
  }

  /// Undoes every change since the last save.
  ///
  /// - Returns: the objects that have their former values again.
  func discardChanges() -> ContiguousArray<ManagedObject> {
    var restored: ContiguousArray<ManagedObject> = []
    var undeleted: ContiguousArray<ManagedObject> = []
    state.noteDiscard()
    state.unreadDeletions.removeAll()
    state.metadata.removeAll()
    for object in state.mutableValues.takeObjects() { object.forgetMutableValues() }
    for object in state.removeChanges() {
      // An object that has already lost its changes is skipped: its current values are not undone.
      if !object.hasChanges { continue }
      if object.flags.contains(.inserted) {
        state.updatingMembers(with: object) { object.leaveContext() }
        state.collect { $0.note(object, .deleted) }
        continue
      }
      state.collect { $0.noteUndoing(of: object, members: object.changedMembers(state)) }
      if object.flags.contains(.deleted) { undeleted.append(object) }
      state.updatingMembers(with: object) {
        object.becomeUndeleted()
        object.dropCells()
      }
      // The recorded failure was removed with the cells, so that the row is read again.
      object.forgetUnreadable()
      if object.row != nil { restored.append(object) }
    }
    state.relationships.forgetUnchanged()
    state.relationships.endLinks { $1.forgetLinks() }
    state.relationships.endCounted()
    state.noteObservedReferences(toUndeleted: undeleted)
    return restored
  }

  /// Reads the values of an object again. It has no effect on a new object.
  ///
  /// With `mergeChanges`, the object is read now and its unsaved changes are kept. After a
  /// conflict, this allows the next save to overwrite the values of others. A property that was set
  /// to the value that it already had is not a change, and takes the store's value. Transient
  /// values of a changed object stay, except those that depend on other attributes. An object
  /// without remaining changes is unchanged.
  ///
  /// Relationships are read again at their next use, at both ends: the lists of links that this
  /// context has of objects at the other end, the members without unsaved changes that others have
  /// moved, and the partner of a one-to-one relationship. So what is linked or unlinked after the
  /// refresh is written. With `mergeChanges`, unsaved changes of relationships stay.
  ///
  /// Without `mergeChanges`, the changes are lost, and the object becomes a fault: the next read of
  /// a property reads its values.
  ///
  /// - Precondition: the object belongs to this context.
  /// - Throws: with `mergeChanges`, what prevents reading. The object then keeps its values and its
  ///   changes. After `object.missing`, `isDeleted` is true.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    requireOwn(object)
    if !object.flags.isDisjoint(with: [.inserted, .gone]) { return }
    state.storedChangeCount += 1
    let partners = object.pairPartners(state)
    state.noteRefresh(of: object)
    if mergeChanges {
      let former = state.begin(.refresh, object.runtime)
      defer { former?.end() }
      _ = object.noteMutations()
      let row = object.row
      try FaultHandler(state).reload(object)
      object.unloadMembers()
      object.renewPartners(partners, state)
      state.collect { $0.noteRow(of: object, former: row) }
      if !object.hasChanges { state.noteLoss(of: object) }
      if object.flags.contains(.missing) {
        throw PersistenceError(.objectMissing, entity: object.entityName, objectID: object.objectID)
      }
      return
    }
    let undeleted = object.flags.contains(.deleted) ? [object] : []
    let owners = object.changedOwners(state)
    state.updatingMembers(with: object) {
      object.becomeUndeleted()
      object.restorePartners(state)
      object.turnIntoFault()
    }
    object.renewPartners(partners, state)
    state.noteObservedReferences(toUndeleted: undeleted)
    state.collect { $0.note(object, .invalidated) }
    Links(state).forgetChanges(of: object)
    for owner in owners { owner.endChangeOfMembers(state) }
    if !object.hasChanges { state.noteLoss(of: object) }
  }

  /// Turns every object without changes into a fault, so that the next read of a property reads the
  /// store.
  public func refreshAllObjects() {
    _ = state.noteMutations()
    state.storedChangeCount += 1
    state.sweep()
    // Collected first, because `didTurnIntoFault()` may fetch.
    var objects: ContiguousArray<ManagedObject> = []
    state.forEachRegistered { if !$0.hasChanges { objects.append($0) } }
    for object in objects where !object.hasChanges && !object.flags.contains(.gone) {
      if object.flags.contains(.fault) { object.forgetAll() } else { object.turnIntoFault() }
    }
    state.collect { $0.noteAll() }
  }

  /// Removes every object from the context, and discards all changes. Objects that the program
  /// still holds keep their values and no longer belong to a context.
  public func reset() {
    state.forgetAll()
    state.collect { $0.noteAll() }
  }

  /// Reads the values of faults now, many in one statement. Objects that are not faults are left
  /// out.
  ///
  /// - Precondition: the objects belong to this context.
  /// - Throws: what prevents reading; `object.missing` for objects that the store does not have.
  ///   The other objects have their values. Several failures are the `causes` of one error.
  public func fulfill(_ objects: some Collection<ManagedObject>) throws {
    for object in objects { requireOwn(object) }
    state.noticeBatches()
    let former = state.begin(.fulfill, objects.first?.runtime)
    defer { former?.end() }
    try FaultHandler(state).fulfill(all: objects)
  }

  /// Reads the values of one fault now.
  ///
  /// A fault that could not be read before is not read again: call ``refresh(_:mergeChanges:)``
  /// first.
  ///
  /// - Precondition: the object belongs to this context.
  /// - Throws: what prevents reading; `object.missing` when the store does not have the object.
  public func fulfill(_ object: ManagedObject) throws {
    requireOwn(object)
    state.noticeBatches()
    let former = state.begin(.fulfill, object.runtime, coversLazyRead: true)
    defer { former?.end() }
    try throwingCancellation { try state.askedFor { try object.fulfillIfFault() } }
  }
}

extension ContextState {
  /// Removes everything.
  func forgetAll() {
    noteDiscard()
    storedChangeCount += 1
    // Released last, when everything is removed: a deinit may call anything.
    var objects = removeChanges()
    for map in allMaps { objects += map.removeAll() }
    cohorts.removeAll()
    relationships.removeAll()
    unreadDeletions.removeAll()
    outdated.removeAll()
    metadata.removeAll()
    mutableValues = MutableValues()
    for object in objects { object.leaveContext() }
  }
}
