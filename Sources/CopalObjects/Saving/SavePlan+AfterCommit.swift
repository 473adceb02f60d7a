import CopalStore

/// What a save changes in its objects after the store has committed it: temporary ids become permanent,
/// and deleted objects leave the context.
extension SavePlan {
  /// Gives the objects their permanent keys and their stored rows.
  ///
  /// - Parameter released: receives the values that the objects no longer have.
  func applyReceipt(_ receipt: CommitReceipt, _ released: inout [Any]) {
    let written = receipt.written
    for (place, objects) in planned.enumerated() {
      if !objects.inserted.isEmpty {
        applyInserts(place, receipt.insertedKeys[place], written, &released)
      }
      if !objects.updated.isEmpty { applyUpdates(place, written, &released) }
      for object in objects.unchanged { object.finishSave(nil, &released) }
    }
    for objects in planned where !objects.deleted.isEmpty || !objects.forgotten.isEmpty {
      applyDeletes(objects.deleted + objects.forgotten)
    }
    state.finishUnreadDeletions()
    released += state.removeUnchanged()
    if !state.relationships.isEmpty {
      updateMembers(written)
      if !state.relationships.linked.isEmpty { Links(state).finish(written) }
      state.relationships.endCounted()
    }
  }

  /// Updates the members of the objects that the saved objects referred to before, and refer to now.
  private func updateMembers(_ written: ChangeSet) {
    // A value that was set while the save encoded or packed others is a change for the next one. An object whose
    // `prepareForDeletion()` saves is not removed from the members of its owners yet.
    let isComplete = state.changed.objects.isEmpty && !state.isPreparingDeletion
    for (objects, changes) in zip(planned, written.entities) {
      for relationship in state.container.entities[changes.entity].memberships
      where !isComplete || relationship.positionSlot != nil {
        updateMembers(objects, changes, relationship)
      }
    }
    isComplete ? state.relationships.storeChanges() : state.relationships.forgetUnchanged()
  }

  /// Compares each saved object of an entity with the members of the objects that it referred to before, and refers to now.
  private func updateMembers(
    _ objects: PlannedObjects, _ changes: ChangeSet.EntityChanges,
    _ relationship: RelationshipRuntime
  ) {
    guard let slot = relationship.slot else { return }
    func update(_ object: ManagedObject, _ stored: Int64?) {
      state.updateMembers(with: object, relationship, ContextState.OwnerKeys(stored: stored))
    }
    for object in objects.inserted { update(object, object.storedReference(slot)) }
    for (object, change) in zip(objects.updated, changes.updates) {
      update(object, change.before.integer(slot))
    }
    for (object, change) in zip(objects.deleted, changes.deletes) {
      update(object, change.before?.integer(slot))
    }
    for object in objects.unchanged { update(object, object.storedReference(slot)) }
    for object in objects.forgotten { update(object, object.row?.integer(slot)) }
  }

  /// Notes the permanent key of a new object: the keys of objects that follow each other are added together.
  private func note(
    _ key: Int64, of object: ManagedObject, _ root: Int, _ run: inout TemporaryKeys.Run?
  ) {
    let temporary = object.key
    if run?.isExtended(temporary: temporary, permanent: key, root: root) == true { return }
    if let run { state.temporaryKeys.add(run) }
    run = TemporaryKeys.Run(root: root, temporary: temporary, permanent: key)
  }

  private func applyInserts(
    _ place: Int, _ keys: [Int64], _ written: ChangeSet, _ released: inout [Any]
  ) {
    let (former, now) = (changes.entities[place], written.entities[place])
    let runtime = state.container.entities[now.entity]
    let map = state.maps[runtime.index]
    let hasPositions = runtime.memberships.contains { $0.positionSlot != nil }
    let haveMembers = state.relationships.isKnown(runtime)
    var newKeys: TemporaryKeys.Run?
    for (position, object) in planned[place].inserted.enumerated() {
      let (key, row) = (keys[position], now.inserts[position].row)
      note(key, of: object, runtime.root, &newKeys)
      if hasPositions { object.replaceEndPositions(former.inserts[position].row, row) }
      if haveMembers { state.relationships.rename(runtime, from: object.key, to: key) }
      object.key = key
      // A transformer may have reset the context while it encoded. Then the objects stay removed.
      if !object.flags.contains(.gone) { map.set(key, object) }
      object.finishSave(row, &released)
    }
    newKeys.map { state.temporaryKeys.add($0) }
  }

  private func applyUpdates(_ place: Int, _ written: ChangeSet, _ released: inout [Any]) {
    let (former, now) = (changes.entities[place], written.entities[place])
    let hasPositions = state.container.entities[now.entity].memberships.contains {
      $0.positionSlot != nil
    }
    for (position, object) in planned[place].updated.enumerated() {
      let row = now.updates[position].row
      if hasPositions { object.replaceEndPositions(former.updates[position].row, row) }
      object.finishSave(row, &released)
    }
  }

  /// Removes the deleted objects from the context.
  private func applyDeletes(_ objects: ContiguousArray<ManagedObject>) {
    state.forgetTemporaryKeys(of: objects)
    for object in objects {
      object.leaveContext(wasDeleted: true)
      // An object that was never saved is in no map.
      if object.key > 0 { state.maps[object.runtime.index].remove(object.key) }
      // The delete rules of an object come after its `prepareForDeletion()`. This save was called in one.
      if state.isPreparingDeletion { removeLinks(of: object) }
    }
  }

  /// Removes a deleted object from the members of the objects that it was linked to.
  private func removeLinks(of object: ManagedObject) {
    for relationship in object.runtime.relationships where relationship.links != nil {
      guard case .toMany(let ordinal, _) = relationship.inverse else { continue }
      state.relationships.dropLinks(
        to: object, entity: relationship.inverseEntity, ordinal: ordinal)
    }
  }
}
