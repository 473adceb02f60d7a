import CopalStore

/// What a save changes in its objects after the store has committed it: temporary ids become
/// permanent, and deleted objects leave the context.
extension SavePlan {
  /// Gives the objects their permanent keys and their stored rows.
  ///
  /// - Parameter released: receives the values that the objects no longer have.
  /// - Returns: the objects with values of others, whose `awakeFromFetch()` is to be called.
  func applyReceipt(_ receipt: CommitReceipt, _ released: inout [Any]) -> [ManagedObject] {
    let owners = outcomes.isEmpty ? [] : heldOwners()
    if !outcomes.isEmpty {
      noteFormerValues()
      markFollowers()
    }
    for (place, changes) in planned.enumerated() {
      if !changes.inserts.isEmpty {
        applyInserts(
          changes, receipt.insertedKeys[place], receipt.written.entities[place], released: &released
        )
      }
      if !changes.updates.isEmpty {
        applyUpdates(changes, receipt.written.entities[place], &released)
      }
      for object in changes.unchanged { object.finishSave(nil, &released) }
    }
    for changes in planned where !changes.deletes.isEmpty || !changes.forgotten.isEmpty {
      applyDeletes(changes.deletes.map(\.object) + changes.forgotten)
    }
    let awaking = outcomes.isEmpty ? [] : applyOutcomes(receipt, &released)
    for (object, relationship, owner) in owners {
      state.updateMembers(with: object, relationship, of: owner)
    }
    for changes in planned where !changes.unreadUpdates.isEmpty { unloadOwners(of: changes) }
    if !droppedLinks.isEmpty { forgetDroppedLinks() }
    state.finishUnreadDeletions()
    released += state.removeUnchanged()
    if !state.relationships.isEmpty {
      updateMembers()
      if !state.relationships.linked.isEmpty { Links(state).finish(receipt.written) }
      state.relationships.endCounted()
    }
    return awaking
  }

  /// Updates the members of the objects that the saved objects referred to before, and refer to
  /// now.
  private func updateMembers() {
    // A value that was set while the save encoded or packed others is a change for the next one. An
    // object whose `prepareForDeletion()` saves is not removed from the members of its owners yet.
    let isComplete = state.changed.objects.isEmpty && !state.isPreparingDeletion
    for changes in planned {
      for relationship in state.container.entities[changes.entity].memberships
      where !isComplete || relationship.positionSlot != nil {
        updateMembers(changes, relationship)
      }
    }
    isComplete ? state.relationships.storeChanges() : state.relationships.forgetUnchanged()
  }

  /// Compares each saved object of an entity with the members of the objects that it referred to
  /// before, and refers to now.
  private func updateMembers(_ changes: PlannedChanges, _ relationship: RelationshipRuntime) {
    guard let slot = relationship.slot else { return }
    func update(_ object: ManagedObject, _ stored: Int64?) {
      state.updateMembers(with: object, relationship, ContextState.OwnerKeys(stored: stored))
    }
    for planned in changes.inserts {
      update(planned.object, planned.object.storedReference(slot))
    }
    for planned in changes.updates { update(planned.object, planned.change.before.integer(slot)) }
    for planned in changes.deletes { update(planned.object, planned.change.before?.integer(slot)) }
    for object in changes.unchanged { update(object, object.storedReference(slot)) }
    for object in changes.forgotten { update(object, object.row?.integer(slot)) }
  }

  /// Notes the permanent key of a new object: the keys of objects that follow each other are added
  /// together.
  private func note(
    _ key: Int64, of object: ManagedObject, _ root: Int, _ run: inout TemporaryKeys.Run?
  ) {
    let temporary = object.key
    if run?.isExtended(temporary: temporary, permanent: key, root: root) == true { return }
    if let run { state.temporaryKeys.add(run) }
    run = TemporaryKeys.Run(root: root, temporary: temporary, permanent: key)
  }

  private func applyInserts(
    _ changes: PlannedChanges, _ keys: [Int64], _ written: ChangeSet.EntityChanges,
    released: inout [Any]
  ) {
    let runtime = state.container.entities[changes.entity]
    let map = state.maps[runtime.index]
    let hasPositions = runtime.memberships.contains { $0.positionSlot != nil }
    let haveMembers = state.relationships.isKnown(runtime)
    var newKeys: TemporaryKeys.Run?
    changes.forEachInsert(keys, written) { object, planned, key, row in
      if hasPositions { object.replaceEndPositions(planned, row) }
      if object.key < 0 {
        note(key, of: object, runtime.root, &newKeys)
        if haveMembers { state.relationships.rename(runtime, from: object.key, to: key) }
        object.key = key
      } else {
        // It has come back, and its links are gone.
        object.becomeReadable()
        object.noteObservedChange()
        object.unloadMembers()
        Links(state).unloadLists(of: object)
        state.collect { $0.note(object, .inserted) }
      }
      // A transformer may have reset the context while it encoded. Then the objects stay removed.
      if !object.flags.contains(.gone) { map.set(key, object) }
      object.finishSave(row, &released)
    }
    newKeys.map { state.temporaryKeys.add($0) }
  }

  private func applyUpdates(
    _ changes: PlannedChanges, _ written: ChangeSet.EntityChanges, _ released: inout [Any]
  ) {
    let hasPositions = state.container.entities[changes.entity].memberships.contains {
      $0.positionSlot != nil
    }
    changes.forEachUpdate(written) { object, planned, row in
      if hasPositions { object.replaceEndPositions(planned, row) }
      // Others have deleted it, and others have inserted it again.
      if object.flags.contains(.missing) { object.becomeReadable() }
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
      // The delete rules of an object come after its `prepareForDeletion()`. This save was called
      // in one.
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
