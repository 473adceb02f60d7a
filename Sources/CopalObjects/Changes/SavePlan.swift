import CopalModel
import CopalStore

/// The plan of one save: converts changed objects into a change set, and applies the store's
/// receipt to them.
///
/// The caller keeps the objects alive as long as the plan is used.
struct SavePlan {
  let changes: ChangeSet
  let state: ContextState
  /// The builders of the change set, with their objects.
  let builders: [ChangeBuilder]

  /// Encodes and packs every changed value.
  ///
  /// - Parameter failures: receives the errors of transformables that cannot be encoded, and of
  ///   rows that are too big. With failures, new or earlier ones, the plan is not complete.
  init(
    _ state: ContextState, _ objects: ContiguousArray<ManagedObject>,
    _ failures: inout [PersistenceError]
  ) {
    let entityCount = state.container.entities.count
    var builders = [ChangeBuilder?](repeating: nil, count: entityCount)
    for (index, count) in Self.counts(objects, entityCount).enumerated() where count > 0 {
      builders[index] = ChangeBuilder(entity: index, objectCount: count)
    }
    // Plain objects last: packing releases their cells, and a transformer, which is user code, must
    // not see them without cells.
    for isPlain in [false, true]
    where state.container.entities.contains(where: {
      $0.isPlain == isPlain && builders[$0.index] != nil && !(isPlain && !failures.isEmpty)
    }) {
      Self.gather(objects, isPlain, &builders, &failures)
    }
    self.state = state
    self.builders = builders.compactMap(\.self)
    changes = ChangeSet(self.builders.map(\.changes), author: state.author)
  }

  /// Whether another plan writes the same values. Then transformers have changed objects, and have
  /// set the former values again.
  func isSame(as other: SavePlan?) -> Bool {
    guard let other, changes.entities.count == other.changes.entities.count,
      !builders.contains(where: \.cannotBeCompared)
    else { return false }
    return zip(changes.entities, other.changes.entities).allSatisfy { mine, others in
      mine.isSame(as: others, state.container.entities[mine.entity].layout)
    }
  }

  /// Adds either the plain objects or the others to their builders.
  private static func gather(
    _ objects: ContiguousArray<ManagedObject>, _ isPlain: Bool, _ builders: inout [ChangeBuilder?],
    _ failures: inout [PersistenceError]
  ) {
    var position = 0
    while position < objects.count {
      let runtime = objects[position].runtime
      // Consecutive objects often have one entity. The builder is moved out of the array for them,
      // so that its storage is not copied.
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

  /// The number of objects of each entity, to reserve memory: a growing array is copied repeatedly.
  private static func counts(_ objects: ContiguousArray<ManagedObject>, _ entityCount: Int) -> [Int]
  {
    var counts = [Int](repeating: 0, count: entityCount)
    for object in objects { counts[object.runtime.index] += 1 }
    return counts
  }

  /// Restores the cells of new objects after a failed save.
  func restore() {
    for builder in builders {
      for (object, insert) in zip(builder.inserted, builder.changes.inserts) {
        object._withUnsafeGuaranteedRef { restore($0, insert.row) }
      }
    }
  }

  private func restore(_ object: ManagedObject, _ row: PackedRow) {
    let cells = object.cellsWithRoom()
    for slot in object.runtime.layout.storedSlots where !cells.isSet.contains(slot) {
      let value = object.runtime.layout.value(row.base, slot)
      if !value.isNull { cells.set(slot, value) }
    }
  }
}

extension ChangeSet.EntityChanges {
  fileprivate func isSame(as other: Self, _ layout: EntityLayout) -> Bool {
    func isSame(_ a: PackedRow, _ b: PackedRow) -> Bool {
      layout.storedSlots.allSatisfy { !a.differs(layout, $0, from: layout.value(b.base, $0)) }
    }
    return entity == other.entity
      && deletes.elementsEqual(other.deletes) { $0.key == $1.key && $0.version == $1.version }
      && updates.elementsEqual(other.updates) {
        $0.key == $1.key && $0.version == $1.version && isSame($0.row, $1.row)
      }
      && inserts.elementsEqual(other.inserts) {
        $0.key == $1.key && isSame($0.row, $1.row)
      }
  }
}
