import CopalModel
import CopalStore

/// What a save asks of an object before it writes.
extension ManagedObject {
  /// Whether the object had an owner since it was inserted, or when it was read or saved, and has
  /// none now.
  final var isOrphan: Bool {
    if runtime.ownerships.isEmpty || !flags.isDisjoint(with: [.deleted, .gone, .fault]) {
      return false
    }
    return runtime.ownerships.contains { relationship in
      guard let slot = relationship.slot, heldReference(slot) == nil else { return false }
      // The reference of a new object gets a cell with its first owner.
      return flags.contains(.inserted)
        ? cells?.hasCell(slot) == true : storedReference(slot) != nil
    }
  }

  /// Replaces the temporary keys of objects that have been saved since they were set.
  final func replaceTemporaryReferences(_ state: ContextState) {
    guard let cells, cells.hasRoom else { return }
    for relationship in runtime.relationships {
      guard let slot = relationship.slot, case .integer(let key)? = cells.value(slot), key < 0
      else { continue }
      let root = state.container.entities[relationship.destination].root
      let permanent = state.permanent(key, root: root)
      if permanent != key { cells.set(slot, .integer(permanent)) }
    }
  }

  /// Replaces the positions at the end of a list, which a save has made absolute.
  ///
  /// - Parameters:
  ///   - planned: the row as the save has packed it.
  ///   - written: the row as the store has written it.
  final func replaceEndPositions(_ planned: PackedRow, _ written: PackedRow) {
    guard let cells, cells.hasRoom, planned !== written else { return }
    for relationship in runtime.memberships {
      guard let slot = relationship.positionSlot, case .integer(let position)? = cells.value(slot),
        ListPosition.isRelative(position), planned.integer(slot) == position
      else { continue }
      cells.set(slot, written.integer(slot).map { .integer($0) } ?? .null)
    }
  }
}

/// The stored form of transformables.
extension ManagedObject {
  /// Puts the stored form of transformables into their cells.
  ///
  /// - Returns: whether the forms can be compared with others: no transformable was set after it
  ///   was encoded.
  final func encodeTransformables(
    into cells: ValueCells, where isWanted: (Int) -> Bool, _ failures: inout [PersistenceError]
  ) -> Bool {
    var encoded: [Int] = []
    for slot in runtime.transformableSlots where isWanted(slot) {
      guard let transformer = runtime.transformers[slot] else { continue }
      let value = cells.decoded(runtime.ordinalBySlot[slot])?.value
      guard transformer.allowsEncoding || leavesNull(slot, value) else {
        failures.append(error(.transformerReadOnly, slot, found: transformer.name.rawValue))
        continue
      }
      do {
        let form = try transformer.encodedForm(value)
        cells.set(slot, form)
        if let versionSlot = runtime.versionSlots[slot] {
          let version = form.isNull ? nil : transformer.version
          cells.set(versionSlot, version.map { .integer(Int64($0)) } ?? .null)
        }
        if !form.isNull { encoded.append(slot) }
      } catch let cause {
        failures.append(
          error(.encodeFailed, slot, found: transformer.name.rawValue, causes: [cause]))
      }
    }
    // A transformer may have set another transformable, which must then be encoded again.
    return !encoded.contains { cells.value($0)?.isNull != false }
  }

  /// Whether a value is nil, and the row has none either.
  private final func leavesNull(_ slot: Int, _ value: (any _CopalDecodedValue)?) -> Bool {
    guard value == nil else { return false }
    return row?.differs(runtime.layout, slot, from: .null) != true
  }
}

/// What a save changes in an object after it has written.
extension ManagedObject {
  /// Ends a save of the object: the new row has the packed values. Transients stay, and values that
  /// were written after packing are changes for the next save.
  ///
  /// - Parameters:
  ///   - newRow: the stored row; nil when no stored value has changed.
  ///   - released: receives the values that the object no longer has, because their deinit may call
  ///     anything.
  final func finishSave(_ newRow: PackedRow?, _ released: inout [Any]) {
    // The values of an object without transformables have no custom deinit.
    if !runtime.isPlain, let cells { released.append(cells) }
    // A slot that could not be read and was not written keeps its type mismatch and its recorded
    // failure: they are in the new row, too.
    // A new object usually has the row that was packed.
    if let newRow, newRow !== row { place(newRow) }
    if flags.contains(.sealed), cellsReference == nil {
      becomeSaved(hasLateChanges: false)
      return noteNoCells()
    }
    let late = flags.contains(.sealed) ? SlotSet(count: runtime.layout.slotCount) : lateSlots()
    becomeSaved(hasLateChanges: !late.isEmpty)
    guard let cells else { return noteNoCells() }
    if late.isEmpty, hasOnlySavedValues(cells) {
      noteNoCells()
      self.cells = nil
    } else {
      dropCells(cells.isSet.subtracting(late), of: cells, &released)
    }
  }

  /// Whether nothing outlives a save that has written the cells: no transient, failure, or decoded
  /// value of another slot. This is usual.
  private final func hasOnlySavedValues(_ cells: ValueCells) -> Bool {
    runtime.isPlain && !cells.hasSideTable
      || runtime.layout.transientSlots.isEmpty && cells.failures.isEmpty
        && cells.reportedFailures.isEmpty
        && runtime.transformableSlots.allSatisfy { slot in
          cells.isSet.contains(slot)
            || cells.decoded(runtime.ordinalBySlot[slot]) == nil
        }
  }

  /// The slots that were written after the row was packed.
  private final func lateSlots() -> SlotSet {
    guard let cells else { return SlotSet(count: runtime.layout.slotCount) }
    return SlotSet(cells.isSet.filter(isLate), count: runtime.layout.slotCount)
  }

  /// Whether the cell of a slot was written after its row was packed. Encodes nothing: the cell of
  /// a packed transformable has its stored form.
  private final func isLate(_ slot: Int) -> Bool {
    guard runtime.layout.storedSlots.contains(slot), let row, let cells,
      let cell = cells.value(slot)
    else {
      return false
    }
    if differs(row, slot, from: cell) { return true }
    guard cell.isNull, let ordinal = runtime.ordinal(ofTransformable: slot) else { return false }
    return cells.decoded(ordinal)?.any != nil
  }

  /// Removes the cells of stored slots and their decoded values. Those of other slots stay.
  private final func dropCells(_ slots: SlotSet, of cells: ValueCells, _ released: inout [Any]) {
    for slot in slots where runtime.layout.storedSlots.contains(slot) {
      cells.clear(slot)
      if !cells.failures.isEmpty { cells.failures[.slot(slot)] = nil }
      cells.reportedFailures.remove(.slot(slot))
      if let ordinal = runtime.ordinal(ofTransformable: slot),
        let value = cells.removeDecoded(ordinal)
      {
        released.append(value)
      }
    }
    guard cells.isSet.isEmpty else { return }
    noteNoCells()
    self.cells = cells.withoutRoom()
  }
}
