import CopalEssentials
import CopalModel
import CopalStore

/// Plans the changes of a save, object by object.
struct ChangePlanner {
  /// The changes of each entity that has changed objects.
  private(set) var planned: ContiguousArray<PlannedChanges> = []
  /// The position of each entity's changes in `planned`; -1 for the other entities.
  private var places: [Int]
  /// The large values, which the store keeps in files.
  private(set) var externalValues: [ExternalFileName: Data] = [:]
  /// Whether a value was set after it was encoded.
  private(set) var cannotBeCompared = false
  private(set) var failures: [PersistenceError]
  /// The objects whose versions are raised, also when no value of theirs has changed.
  private let raised: Set<ObjectIdentifier>
  /// The number of objects of each entity, to reserve memory: a growing array is copied repeatedly.
  private var counts: [Int]

  /// - Parameters:
  ///   - raised: the objects whose versions are raised, also when no value of theirs has changed.
  ///   - failures: those of the checks before. The planner adds transformables that cannot be
  ///     encoded, and rows that are too big.
  init(
    _ objects: ContiguousArray<ManagedObject>, entityCount: Int, raised: Set<ObjectIdentifier>,
    failures: [PersistenceError]
  ) {
    self.failures = failures
    self.raised = raised
    counts = [Int](repeating: 0, count: entityCount)
    for object in objects { counts[object.runtime.index] += 1 }
    places = [Int](repeating: -1, count: entityCount)
    for entity in 0..<entityCount where counts[entity] > 0 {
      addEntity(entity)
    }
  }

  private mutating func addEntity(_ entity: Int) {
    places[entity] = planned.count
    planned.append(PlannedChanges(entity: entity))
  }

  /// Plans the change of an object.
  mutating func add(_ object: ManagedObject) {
    let place = places[object.runtime.index]
    switch object.objectState {
    case .deleted: delete(object, place)
    case .new: insert(object, place)
    case .changed, .clean: update(object, place)
    // It has left the context meanwhile.
    case .gone: break
    }
  }

  /// Plans the deletion of rows that have no objects.
  mutating func add(_ deletions: UnreadDeletions) {
    for entity in deletions.rows.keys.inOrder() {
      if places[entity] < 0 { addEntity(entity) }
      planned[places[entity]].unreadDeletes += deletions.distinctRows(of: entity).map {
        ChangeSet.Delete(key: $0.key, version: $0.version)
      }
    }
  }

  private mutating func delete(_ object: ManagedObject, _ place: Int) {
    // A row that another context or program has deleted needs no deletion.
    guard let row = object.row, !object.flags.contains(.missing) else {
      return planned[place].forgotten.append(object)
    }
    planned[place].deletes.append(
      PlannedChange(object, ChangeSet.Delete(key: object.key, before: row)))
  }

  private mutating func insert(_ object: ManagedObject, _ place: Int) {
    if planned[place].inserts.isEmpty {
      planned[place].inserts.reserveCapacity(counts[object.runtime.index])
    }
    let isPlain = object.runtime.isPlain
    if !isPlain { encode(object, object.cellsWithRoom()) { _ in true } }
    guard passesAgain(object) else { return }
    let files = files(of: object) { _ in true }
    guard let row = packed(object, files) else { return failures.append(tooBig(object)) }
    // The row has all values, so the cells are released, and the next object can use their memory:
    // a large import needs a third less. A later write puts a cell on top of the row. The rules are
    // not checked again for values of the row, so they must have passed. Large values are not in
    // the row.
    if isPlain, failures.isEmpty, files.isEmpty { object.placePacked(row) }
    planned[place].inserts.append(PlannedChange(object, row))
  }

  /// The row of a new object.
  private func packed(_ object: ManagedObject, _ files: [Int: ExternalFileName]) -> PackedRow? {
    let layout = object.runtime.layout
    // An earlier save has packed the object, and was refused.
    guard let row = object.row else {
      return PackedRow.pack(
        layout, values: object.cellsWithRoom().values, version: RowVersion.first, files: files)
    }
    guard let cells = object.cells, cells.hasRoom, !cells.isSet.isEmpty else { return row }
    return row.repacked(
      layout, with: cells.values, changed: cells.isSet, version: RowVersion.first, files: files)
  }

  /// Gives each large value of an object a file, by its slot.
  private mutating func files(of object: ManagedObject, where isWanted: (Int) -> Bool)
    -> [Int: ExternalFileName]
  {
    if object.runtime.externalSlots.isEmpty { return [:] }
    guard let cells = object.cells, cells.hasRoom else { return [:] }
    var files: [Int: ExternalFileName] = [:]
    for (slot, threshold) in object.runtime.externalSlots
    where cells.isBinary(slot, largerThan: threshold) && isWanted(slot) {
      guard case .binary(let data)? = cells.value(slot) else { continue }
      let name = ExternalFileName(byteCount: data.count)
      files[slot] = name
      externalValues[name] = data
    }
    return files
  }

  private mutating func update(_ object: ManagedObject, _ place: Int) {
    guard let change = changed(object) else { return planned[place].unchanged.append(object) }
    if planned[place].updates.isEmpty {
      planned[place].updates.reserveCapacity(counts[object.runtime.index])
    }
    planned[place].updates.append(PlannedChange(object, change))
  }

  /// The update of an object; nil when no stored value differs from its row.
  private mutating func changed(_ object: ManagedObject) -> ChangeSet.Update? {
    let layout = object.runtime.layout
    if !object.runtime.isPlain, object.row != nil, let cells = object.cells {
      encode(object, cells, where: cells.isSet.contains)
    }
    let isRaised = !raised.isEmpty && raised.contains(ObjectIdentifier(object))
    if isRaised, object.row != nil { _ = object.cellsWithRoom() }
    // After encoding, because a transformer may have written to the object or refreshed it.
    guard let cells = object.cells, cells.hasRoom, let row = object.row, passesAgain(object) else {
      return nil
    }
    let values = cells.values
    var changed = SlotSet(count: layout.slotCount)
    for slot in cells.isSet
    where layout.storedSlots.contains(slot) && object.differs(row, slot, from: values[slot]) {
      changed.insert(slot)
    }
    if changed.isEmpty, !isRaised { return nil }
    let version = RowVersion.next(after: row.version)
    let files = files(of: object, where: changed.contains)
    guard
      let newRow = row.repacked(
        layout, with: values, changed: changed, version: version, files: files)
    else {
      failures.append(tooBig(object))
      return nil
    }
    return ChangeSet.Update(key: object.key, before: row, row: newRow, changed: changed)
  }

  /// Checks the rules of an object again when a transformer has written to it since the first
  /// check.
  private mutating func passesAgain(_ object: ManagedObject) -> Bool {
    if object.flags.contains(.sealed) { return true }
    var validation = ObjectValidation()
    validation.checkRules(of: object)
    failures += validation.failures
    return validation.failures.isEmpty
  }

  private mutating func encode(
    _ object: ManagedObject, _ cells: ValueCells, where isWanted: (Int) -> Bool
  ) {
    if !object.encodeTransformables(into: cells, where: isWanted, &failures) {
      cannotBeCompared = true
    }
  }

  private func tooBig(_ object: ManagedObject) -> PersistenceError {
    PersistenceError(.tooBig, entity: object.entityName, objectID: object.objectID)
  }
}
