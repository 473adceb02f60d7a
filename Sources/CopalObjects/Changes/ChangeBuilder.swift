import CopalModel
import CopalStore

/// Collects the changes of one entity for a save.
struct ChangeBuilder {
  private(set) var changes: ChangeSet.EntityChanges
  // Unmanaged, here and below: the save keeps its objects alive until it ends, and further
  // reference counting would cost an import 1 %.
  /// The new objects, in the order of the inserts.
  private(set) var inserted: ContiguousArray<Unmanaged<ManagedObject>> = []
  /// The changed objects, and the new row of each; nil when no stored value has changed.
  private(set) var updated: ContiguousArray<Unmanaged<ManagedObject>> = []
  private(set) var updatedRows: ContiguousArray<PackedRow?> = []
  /// The deleted objects, including those without a row to delete.
  private(set) var deleted: ContiguousArray<Unmanaged<ManagedObject>> = []
  /// Whether a value was set after it was encoded.
  private(set) var cannotBeCompared = false
  private let objectCount: Int

  init(entity: Int, objectCount: Int) {
    changes = ChangeSet.EntityChanges(entity: entity)
    self.objectCount = objectCount
  }

  /// Adds the changes of an object. Transformables that cannot be encoded are added to the
  /// failures.
  mutating func add(_ object: ManagedObject, _ failures: inout [PersistenceError]) {
    if object.flags.contains(.deleted) {
      delete(object)
    } else if object.flags.contains(.inserted) {
      insert(object, &failures)
    } else {
      update(object, &failures)
    }
  }

  /// Checks the rules of an object again, because a transformer has written to it since the first
  /// check.
  private func checkAgain(_ object: ManagedObject, _ failures: inout [PersistenceError]) {
    if object.flags.contains(.sealed) { return }
    var validation = ObjectValidation()
    validation.checkRules(of: object)
    failures += validation.failures
  }

  private mutating func delete(_ object: ManagedObject) {
    deleted.append(.passUnretained(object))
    // A row that another context or program has deleted needs no deletion.
    guard let row = object.row, !object.flags.contains(.missing) else { return }
    changes.deletes.append(ChangeSet.Delete(key: object.key, before: row))
  }

  private mutating func insert(_ object: ManagedObject, _ failures: inout [PersistenceError]) {
    if inserted.isEmpty {
      inserted.reserveCapacity(objectCount)
      changes.inserts.reserveCapacity(objectCount)
    }
    let runtime = object.runtime
    let cells = object.cellsWithRoom()
    if !runtime.isPlain { encode(object, cells, &failures) { _ in true } }
    checkAgain(object, &failures)
    guard
      let row = PackedRow.pack(
        runtime.layout, values: cells.values, version: RowVersion.first)
    else {
      failures.append(tooBig(object))
      return
    }
    changes.inserts.append(ChangeSet.Insert(key: object.key, row: row))
    inserted.append(.passUnretained(object))
    // The row has all values, so the cells are released, and the next row can use their memory: a
    // large import needs a third less memory. `SavePlan.restore` restores them when the save fails.
    if runtime.isPlain { object.cells = nil }
  }

  private mutating func update(_ object: ManagedObject, _ failures: inout [PersistenceError]) {
    if updated.isEmpty {
      updated.reserveCapacity(objectCount)
      updatedRows.reserveCapacity(objectCount)
      changes.updates.reserveCapacity(objectCount)
    }
    let change = changed(object, &failures)
    updated.append(.passUnretained(object))
    updatedRows.append(change?.row)
    if let change { changes.updates.append(change) }
  }

  /// The update of an object; nil when no stored value differs from its row.
  private mutating func changed(_ object: ManagedObject, _ failures: inout [PersistenceError])
    -> ChangeSet.Update?
  {
    let layout = object.runtime.layout
    if !object.runtime.isPlain, object.row != nil, let cells = object.cells {
      encode(object, cells, &failures, where: cells.isSet.contains)
    }
    // After encoding, because a transformer may have written to the object or refreshed it.
    guard let cells = object.cells, cells.hasRoom, let row = object.row else { return nil }
    checkAgain(object, &failures)
    let written = cells.isSet
    let values = cells.values
    var changed = SlotSet(count: layout.attributes.count)
    for slot in written
    where layout.storedSlots.contains(slot) && row.differs(layout, slot, from: values[slot]) {
      changed.insert(slot)
    }
    if changed.isEmpty { return nil }
    let version = RowVersion.next(after: row.version)
    guard let newRow = row.repacked(layout, with: values, changed: changed, version: version) else {
      failures.append(tooBig(object))
      return nil
    }
    return ChangeSet.Update(key: object.key, before: row, row: newRow, changed: changed)
  }

  /// Puts the stored form of transformables into their cells.
  private mutating func encode(
    _ object: ManagedObject, _ cells: PendingValues, _ failures: inout [PersistenceError],
    where isWanted: (Int) -> Bool
  ) {
    var encoded: [Int] = []
    for slot in object.runtime.transformableSlots where isWanted(slot) {
      guard let transformer = object.runtime.transformers[slot] else { continue }
      let value = cells.remembered(object.runtime.transformableOrdinal[slot])?.value
      do {
        let form = try transformer.encodedForm(value)
        cells.set(slot, form)
        if !form.isNull { encoded.append(slot) }
      } catch {
        failures.append(
          object.error(.encodeFailed, slot, found: transformer.name.rawValue, causes: [error]))
      }
    }
    // A transformer may have set another transformable, which must then be encoded again.
    if encoded.contains(where: { cells.value($0)?.isNull != false }) { cannotBeCompared = true }
  }

  private func tooBig(_ object: ManagedObject) -> PersistenceError {
    PersistenceError(.tooBig, entity: object.entityName, objectID: object.objectID)
  }
}
