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
    self.state = state
    var builders = [Builder?](repeating: nil, count: state.container.entities.count)
    for object in objects where builders[object.runtime.index] == nil {
      builders[object.runtime.index] = Builder(object.runtime.index)
    }
    var failures: [PersistenceError] = []
    var updated: [(object: ManagedObject, row: PackedRow?)] = []
    for object in objects {
      let index = object.runtime.index
      if object.flags.contains(.deleted) {
        builders[index]?.delete(object)
      } else if object.flags.contains(.inserted) {
        builders[index]?.insert(object, &failures)
      } else {
        let change = Self.update(object, &failures)
        updated.append((object, change?.row))
        if let change { builders[index]?.changes.updates.append(change) }
      }
    }
    if !failures.isEmpty {
      for builder in builders { builder?.restore() }
      throw PersistenceError(.saveFailed, causes: failures)
    }
    let ordered = builders.compactMap(\.self)
    changes = ChangeSet(ordered.map(\.changes))
    inserted = ordered.map(\.inserted)
    self.updated = updated
  }

  /// The changes of one entity while they are gathered.
  private struct Builder {
    var changes: ChangeSet.EntityChanges
    var inserted: ContiguousArray<ManagedObject> = []

    init(_ entity: Int) { changes = ChangeSet.EntityChanges(entity: entity) }

    mutating func delete(_ object: ManagedObject) {
      // A row that others have deleted needs no deletion any more.
      guard let row = object.row, !object.flags.contains(.missing) else { return }
      changes.deletes.append(ChangeSet.Delete(key: object.key, version: row.version))
    }

    mutating func insert(_ object: ManagedObject, _ failures: inout [PersistenceError]) {
      let cells = object.liveCells()
      SavePlan.encode(object, cells, object.runtime.transformableSlots, &failures)
      guard let row = PackedRow.pack(object.runtime.layout, values: cells.values, version: 1)
      else {
        failures.append(SavePlan.tooBig(object))
        return
      }
      changes.inserts.append(ChangeSet.Insert(temporaryKey: object.key, row: row))
      inserted.append(object)
      // The row has all there is, and the next row may lie where the cells were: a large import needs a
      // third less memory. `restore` brings them back when the save fails.
      if object.runtime.isPlain { object.cells = nil }
    }

    func restore() { SavePlan.restore(inserted, changes.inserts) }
  }

  /// The update of an object; nil when no stored value differs from its row.
  private static func update(_ object: ManagedObject, _ failures: inout [PersistenceError])
    -> ChangeSet.Update?
  {
    let layout = object.runtime.layout
    guard let cells = object.cells, let row = object.row else { return nil }
    let written = cells.isSet.slots.filter { $0 < layout.storedCount }
    encode(object, cells, written, &failures)
    let values = cells.values
    var changed = SlotSet(count: layout.attributes.count)
    for slot in written where row.differs(layout, slot, from: values[slot]) { changed.insert(slot) }
    if changed.isEmpty { return nil }
    let version = row.version + 1
    guard let newRow = row.repacked(layout, with: values, changed: changed, version: version) else {
      failures.append(tooBig(object))
      return nil
    }
    return ChangeSet.Update(
      key: object.key, version: row.version, row: newRow, changed: changed)
  }

  private static func tooBig(_ object: ManagedObject) -> PersistenceError {
    PersistenceError(.tooBig, entity: object.entityName, objectID: object.objectID)
  }

  /// Puts the stored form of the given transformables into their cells.
  private static func encode(
    _ object: ManagedObject, _ cells: LiveCells, _ slots: [Int],
    _ failures: inout [PersistenceError]
  ) {
    for slot in slots {
      guard let transformer = object.runtime.transformers[slot] else { continue }
      let value = cells.remembered(object.runtime.transformableOrdinal[slot])?.value
      do {
        cells.set(slot, try transformer.encodedForm(value))
      } catch {
        failures.append(
          object.error(.encodeFailed, slot, found: transformer.name.rawValue, causes: [error]))
      }
    }
  }

  /// Gives new objects their live values back, after a save that failed.
  func restore() {
    for (change, objects) in zip(changes.entities, inserted) {
      Self.restore(objects, change.inserts)
    }
  }

  private static func restore(
    _ objects: ContiguousArray<ManagedObject>, _ inserts: [ChangeSet.Insert]
  ) {
    for (object, insert) in zip(objects, inserts) where object.cells == nil {
      let cells = object.liveCells()
      for slot in 0..<object.runtime.layout.storedCount {
        let value = object.runtime.layout.value(insert.row.base, slot)
        if !value.isNull { cells.set(slot, value) }
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
        state.newObjects.set(-temporary, nil)
        // A transformer that resets the context while it encodes gets what it asked for.
        if !object.flags.contains(.gone) { map.set(object.key, object) }
        object.settle(change.inserts[position].row)
      }
    }
    for (object, row) in updated { object.settle(row) }
  }
}
