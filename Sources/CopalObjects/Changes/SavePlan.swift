import CopalModel
import CopalStore

/// One save: the changed objects as values for the store, and the way back from its receipt.
struct SavePlan {
  let changes: ChangeSet
  private let state: ContextState
  /// The new objects of each element of the change set, in the order of its inserts.
  private let inserted: [ContiguousArray<ManagedObject>]
  private let updated: [(object: ManagedObject, row: PackedRow?)]

  /// Encodes every changed value.
  ///
  /// - Throws: `save.failed` with every transformable that could not be encoded.
  init(_ state: ContextState, _ objects: ContiguousArray<ManagedObject>) throws {
    let entityCount = state.container.entities.count
    var builders = [ChangeBuilder?](repeating: nil, count: entityCount)
    for (index, count) in Self.counts(objects, entityCount).enumerated() where count > 0 {
      builders[index] = ChangeBuilder(entity: index, objectCount: count)
    }
    var failures: [PersistenceError] = []
    // Objects of one entity come in runs; a builder is taken out for one, so that it is nobody else's.
    var position = 0
    while position < objects.count {
      let runtime = objects[position].runtime
      guard var builder = builders[runtime.index].take() else { break }
      while position < objects.count, objects[position].runtime === runtime {
        builder.add(objects[position], &failures)
        position += 1
      }
      builders[runtime.index] = builder
    }
    let ordered = builders.compactMap(\.self)
    self.state = state
    changes = ChangeSet(ordered.map(\.changes))
    inserted = ordered.map(\.inserted)
    updated = ordered.flatMap(\.updated)
    if !failures.isEmpty {
      restore()
      throw PersistenceError(.saveFailed, causes: failures)
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
    for (change, objects) in zip(changes.entities, inserted) {
      for (object, insert) in zip(objects, change.inserts) where object.cells == nil {
        let cells = object.liveCells()
        for slot in 0..<object.runtime.layout.storedCount {
          let value = object.runtime.layout.value(insert.row.base, slot)
          if !value.isNull { cells.set(slot, value) }
        }
      }
    }
  }

  /// Takes over what the store made of it: permanent keys and rows as they are stored now.
  func absorb(_ receipt: CommitReceipt) {
    for (change, (objects, keys)) in zip(changes.entities, zip(inserted, receipt.insertedKeys)) {
      let map = state.maps[change.entity]
      for (position, object) in objects.enumerated() {
        let temporary = object.key
        object.key = keys[position]
        state.aliases.add(temporary: temporary, permanent: object.key, entity: change.entity)
        // A transformer that resets the context while it encodes gets what it asked for.
        if !object.flags.contains(.gone) { map.set(object.key, object) }
        object.settle(change.inserts[position].row)
      }
    }
    for (object, row) in updated { object.settle(row) }
  }
}
