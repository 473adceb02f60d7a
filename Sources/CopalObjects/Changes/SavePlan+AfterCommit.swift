import CopalStore

/// What a save changes in its objects after the store has committed it: temporary ids become permanent,
/// and deleted objects leave the context.
extension SavePlan {
  /// Gives the objects their permanent keys and their stored rows.
  ///
  /// - Parameter released: receives the values that the objects no longer have.
  func applyReceipt(_ receipt: CommitReceipt, _ released: inout [Any]) {
    let written = receipt.written
    var newKeys: TemporaryKeys.Run?
    var deleted: ContiguousArray<ManagedObject> = []
    for change in planned {
      let object = change.object
      let place = places[object.runtime.index]
      let position = Int(change.position)
      switch change.kind {
      case .insert:
        let row = written.entities[place].inserts[position].row
        let key = receipt.insertedKeys[place][position]
        note(key, of: object, &newKeys)
        if !object.runtime.memberships.isEmpty {
          object.replaceEndPositions(changes.entities[place].inserts[position].row, row)
        }
        applyInsert(object, key, row, &released)
      case .update:
        let row = written.entities[place].updates[position].row
        if !object.runtime.memberships.isEmpty {
          object.replaceEndPositions(changes.entities[place].updates[position].row, row)
        }
        object.finishSave(row, &released)
      case .unchanged: object.finishSave(nil, &released)
      case .delete, .forget: deleted.append(object)
      }
    }
    newKeys.map { state.temporaryKeys.add($0) }
    if !deleted.isEmpty { applyDeletes(deleted) }
    state.finishUnreadDeletions()
    if !state.relationships.isEmpty {
      updateMembers(written)
      if !state.relationships.linked.isEmpty { Links(state).finish(written) }
      state.relationships.endCounted()
    }
  }

  /// Compares the saved objects with the members of the objects that they referred to before, and refer to now.
  private func updateMembers(_ written: ChangeSet) {
    for change in planned {
      let object = change.object
      for relationship in object.runtime.memberships {
        guard let slot = relationship.slot else { continue }
        let place = places[object.runtime.index]
        let position = Int(change.position)
        let before: Int64? =
          switch change.kind {
          case .update: written.entities[place].updates[position].before.integer(slot)
          case .delete: written.entities[place].deletes[position].before?.integer(slot)
          case .insert, .unchanged: object.storedReference(slot)
          case .forget: object.row?.integer(slot)
          }
        state.updateMembers(with: object, relationship, ContextState.OwnerKeys(stored: before))
      }
    }
  }

  /// Notes the permanent key of a new object: the keys of objects that follow each other are added together.
  private func note(_ key: Int64, of object: ManagedObject, _ run: inout TemporaryKeys.Run?) {
    let (root, temporary) = (object.runtime.root, object.key)
    if run?.isExtended(temporary: temporary, permanent: key, root: root) == true { return }
    if let run { state.temporaryKeys.add(run) }
    run = TemporaryKeys.Run(root: root, temporary: temporary, permanent: key)
  }

  private func applyInsert(
    _ object: ManagedObject, _ key: Int64, _ row: PackedRow, _ released: inout [Any]
  ) {
    let runtime = object.runtime
    if !state.relationships.isEmpty {
      state.relationships.rename(runtime.root, from: object.key, to: key)
    }
    object.key = key
    // A transformer may have reset the context while it encoded. Then the objects stay removed.
    if !object.flags.contains(.gone) { state.maps[runtime.index].set(key, object) }
    object.finishSave(row, &released)
  }

  /// Removes the deleted objects from the context.
  private func applyDeletes(_ objects: ContiguousArray<ManagedObject>) {
    state.forgetTemporaryKeys(of: objects)
    for object in objects {
      object.leaveContext(wasDeleted: true)
      // An object that was never saved is in no map.
      if object.key > 0 { state.maps[object.runtime.index].remove(object.key) }
    }
  }
}
