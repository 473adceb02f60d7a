import CopalModel
import CopalStore

/// One save: the changed objects as values for the store, and the way back from its receipt.
///
/// Whoever makes it holds the objects as long as it is in use.
struct SavePlan {
  let changes: ChangeSet
  private let state: ContextState
  /// What made each element of the change set, with its objects.
  private let builders: [ChangeBuilder]

  /// Encodes and packs every changed value.
  ///
  /// - Parameter failures: takes every transformable that cannot be encoded, and what is too big. With
  ///   failures, here or from before, the plan is not complete.
  init(
    _ state: ContextState, _ objects: ContiguousArray<ManagedObject>,
    _ failures: inout [PersistenceError]
  ) {
    let entityCount = state.container.entities.count
    var builders = [ChangeBuilder?](repeating: nil, count: entityCount)
    for (index, count) in Self.counts(objects, entityCount).enumerated() where count > 0 {
      builders[index] = ChangeBuilder(entity: index, objectCount: count)
    }
    // Plain objects last: they lose their cells when they are packed, which nobody may see, and a
    // transformer is somebody else's code.
    for isPlain in [false, true]
    where state.container.entities.contains(where: {
      $0.isPlain == isPlain && builders[$0.index] != nil && !(isPlain && !failures.isEmpty)
    }) {
      Self.gather(objects, isPlain, &builders, &failures)
    }
    self.state = state
    self.builders = builders.compactMap(\.self)
    changes = ChangeSet(self.builders.map(\.changes))
  }

  /// Whether a plan would write the same: transformers have changed objects since it was made, but each
  /// has its former values again.
  func isSame(as other: SavePlan?) -> Bool {
    guard let other, changes.entities.count == other.changes.entities.count,
      !builders.contains(where: \.cannotBeCompared)
    else { return false }
    return zip(changes.entities, other.changes.entities).allSatisfy { mine, others in
      mine.isSame(as: others, state.container.entities[mine.entity].layout)
    }
  }

  /// Takes in the objects that are plain, or that are not.
  private static func gather(
    _ objects: ContiguousArray<ManagedObject>, _ isPlain: Bool, _ builders: inout [ChangeBuilder?],
    _ failures: inout [PersistenceError]
  ) {
    var position = 0
    while position < objects.count {
      let runtime = objects[position].runtime
      // Objects of one entity come in runs; a builder is taken out for one, so that it is nobody else's.
      guard runtime.isPlain == isPlain, var builder = builders[runtime.index].take() else {
        position += 1
        continue
      }
      while position < objects.count, objects[position].runtime === runtime {
        builder.add(objects[position], &failures)
        position += 1
      }
      builders[runtime.index] = builder
    }
  }

  /// The number of objects of each entity: an array that grows is copied again and again.
  private static func counts(_ objects: ContiguousArray<ManagedObject>, _ entityCount: Int) -> [Int]
  {
    var counts = [Int](repeating: 0, count: entityCount)
    for object in objects { counts[object.runtime.index] += 1 }
    return counts
  }

  /// Gives new objects their live values back, after a save that failed.
  func restore() {
    for builder in builders {
      for (object, insert) in zip(builder.inserted, builder.changes.inserts) {
        object._withUnsafeGuaranteedRef { restore($0, insert.row) }
      }
    }
  }

  private func restore(_ object: ManagedObject, _ row: PackedRow) {
    let cells = object.cellsWithRoom()
    for slot in 0..<object.runtime.layout.storedCount where !cells.isSet.contains(slot) {
      let value = object.runtime.layout.value(row.base, slot)
      if !value.isNull { cells.set(slot, value) }
    }
  }

  /// Gives the objects what the store made of them: permanent keys and rows as they are stored now.
  ///
  /// - Parameter released: takes the values that the objects do not hold any more.
  func applyReceipt(_ receipt: CommitReceipt, _ released: inout [Any]) {
    for (builder, keys) in zip(builders, receipt.insertedKeys) {
      applyInserts(builder, keys, &released)
    }
    // A save that changes no stored value has no keys in its receipt.
    for builder in builders {
      applyUpdates(builder, &released)
      applyDeletes(builder)
    }
  }

  private func applyInserts(
    _ builder: ChangeBuilder, _ keys: [Int64], _ released: inout [Any]
  ) {
    let (entity, inserts) = (builder.changes.entity, builder.changes.inserts)
    let map = state.maps[entity]
    for (position, object) in builder.inserted.enumerated() {
      object._withUnsafeGuaranteedRef { object in
        let (temporary, permanent) = (object.key, keys[position])
        object.key = permanent
        state.aliases.add(temporary: temporary, permanent: permanent, entity: entity)
        // A transformer that resets the context while it encodes gets what it asked for.
        if !object.flags.contains(.gone) { map.set(permanent, object) }
        object.finishSave(inserts[position].row, &released)
      }
    }
  }

  /// Ends the life of what was deleted.
  private func applyDeletes(_ builder: ChangeBuilder) {
    let map = state.maps[builder.changes.entity]
    state.forgetAliases(of: builder.deleted, entity: builder.changes.entity)
    for object in builder.deleted {
      object._withUnsafeGuaranteedRef { object in
        object.flags.insert(.gone)
        object.flags.remove(.sealed)
        // One that was never saved is in no map.
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

extension ChangeSet.EntityChanges {
  fileprivate func isSame(as other: Self, _ layout: EntityLayout) -> Bool {
    func isSame(_ a: PackedRow, _ b: PackedRow) -> Bool {
      (0..<layout.storedCount).allSatisfy { !a.differs(layout, $0, from: layout.value(b.base, $0)) }
    }
    return entity == other.entity
      && deletes.elementsEqual(other.deletes) { $0.key == $1.key && $0.version == $1.version }
      && updates.elementsEqual(other.updates) {
        $0.key == $1.key && $0.version == $1.version && isSame($0.row, $1.row)
      }
      && inserts.elementsEqual(other.inserts) {
        $0.temporaryKey == $1.temporaryKey && isSame($0.row, $1.row)
      }
  }
}
