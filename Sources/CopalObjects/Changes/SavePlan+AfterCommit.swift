import CopalStore

/// What a save changes in its objects after the store has committed it: temporary ids become permanent,
/// and deleted objects leave the context.
extension SavePlan {
  /// Gives the objects their permanent keys and their stored rows.
  ///
  /// - Parameter released: receives the values that the objects no longer have.
  func applyReceipt(_ receipt: CommitReceipt, _ released: inout [Any]) {
    for (builder, keys) in zip(builders, receipt.insertedKeys) {
      applyInserts(builder, keys, &released)
    }
    // Without changed stored values, nothing was committed, and the receipt has no keys.
    for builder in builders {
      applyUpdates(builder, &released)
      applyDeletes(builder)
    }
  }

  private func applyInserts(
    _ builder: ChangeBuilder, _ keys: [Int64], _ released: inout [Any]
  ) {
    let (entity, inserts) = (builder.changes.entity, builder.changes.inserts)
    let (map, root) = (state.maps[entity], state.container.entities[entity].root)
    for (position, object) in builder.inserted.enumerated() {
      object._withUnsafeGuaranteedRef { object in
        let (temporary, permanent) = (object.key, keys[position])
        object.key = permanent
        state.temporaryKeys.add(temporary: temporary, permanent: permanent, root: root)
        // A transformer may have reset the context while it encoded. Then the objects stay removed.
        if !object.flags.contains(.gone) { map.set(permanent, object) }
        object.finishSave(inserts[position].row, &released)
      }
    }
  }

  /// Removes the deleted objects from the context.
  private func applyDeletes(_ builder: ChangeBuilder) {
    let entity = builder.changes.entity
    let map = state.maps[entity]
    state.forgetTemporaryKeys(
      of: builder.deleted, root: state.container.entities[entity].root)
    for object in builder.deleted {
      object._withUnsafeGuaranteedRef { object in
        object.flags.insert(.gone)
        object.flags.remove(.sealed)
        // An object that was never saved is in no map.
        if object.key > 0 { map.remove(object.key) }
      }
    }
  }

  private func applyUpdates(_ builder: ChangeBuilder, _ released: inout [Any]) {
    for (object, row) in zip(builder.updated, builder.updatedRows) {
      object._withUnsafeGuaranteedRef { $0.finishSave(row, &released) }
    }
  }
}
