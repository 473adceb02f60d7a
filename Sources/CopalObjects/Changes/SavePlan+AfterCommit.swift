import CopalStore

/// What a save changes in its objects after the store has committed it: temporary ids become permanent,
/// and deleted objects leave the context.
extension SavePlan {
  /// Gives the objects their permanent keys and their stored rows.
  ///
  /// - Parameter released: receives the values that the objects no longer have.
  func applyReceipt(_ receipt: CommitReceipt, _ released: inout [Any]) {
    var deleted: ContiguousArray<ManagedObject> = []
    for change in planned {
      let object = change.object
      let place = places[object.runtime.index]
      let position = Int(change.position)
      switch change.kind {
      case .insert:
        let row = changes.entities[place].inserts[position].row
        applyInsert(object, receipt.insertedKeys[place][position], row, &released)
      case .update:
        object.finishSave(changes.entities[place].updates[position].row, &released)
      case .unchanged: object.finishSave(nil, &released)
      case .delete, .forget: deleted.append(object)
      }
    }
    if !deleted.isEmpty { applyDeletes(deleted) }
  }

  private func applyInsert(
    _ object: ManagedObject, _ key: Int64, _ row: PackedRow, _ released: inout [Any]
  ) {
    let runtime = object.runtime
    state.temporaryKeys.add(temporary: object.key, permanent: key, root: runtime.root)
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
