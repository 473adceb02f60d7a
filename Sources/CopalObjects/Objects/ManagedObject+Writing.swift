public import CopalModel
import CopalStore

/// Setting values and keeping track of it.
extension ManagedObject {
  @usableFromInline
  final func write(_ slot: Int, _ value: consuming Value) {
    willChange()
    // Without a reference of its own, whose counting would cost as much as the rest: the object holds
    // the cells, and `place` calls nobody.
    let place = roomyCells()._withUnsafeGuaranteedRef { $0.place(for: slot) }
    place.pointee = value
    flags.insert(.live)
    if runtime.hasDependents { discardDependents(of: slot) }
  }

  @usableFromInline
  final func writePrimitive(_ slot: Int, _ value: Value) {
    // A fault is filled first, so that the value is not lost when it is filled later.
    if flags.contains(.fault) { try? fulfillIfFault() }
    liveCells().set(slot, value)
    flags.insert(.live)
    if runtime.hasDependents { discardDependents(of: slot) }
  }

  final func writeTransformable(_ slot: Int, _ value: Any?, isPrimitive: Bool) {
    isPrimitive ? writePrimitive(slot, .null) : write(slot, .null)
    liveCells().remember(runtime.transformableOrdinal[slot], value)
  }

  /// Marks the object as changed.
  final func willChange() {
    if _fastPath(!flags.isDisjoint(with: [.inserted, .updated, .gone])) { return }
    if flags.contains(.fault) {
      // What cannot be read is recorded; a save of this object then throws it.
      do { try fulfillIfFault() } catch { record(error, -1) }
    }
    guard !flags.contains(.gone) else { return }
    flags.insert(.updated)
    guard let state = core.state() else { return }
    state.note(changed: self)
  }

  /// Discards the transients that were computed from a slot.
  private final func discardDependents(of slot: Int) {
    for transient in runtime.layout.dependents[slot] {
      discard(transient)
      // A model has no rings of dependencies.
      discardDependents(of: transient)
    }
  }

  private final func discard(_ transient: Int) {
    cells?.clear(transient)
    if let ordinal = runtime.ordinal(ofTransformable: transient) { cells?.forget(ordinal) }
  }
}

/// Forgetting values.
extension ManagedObject {
  /// Takes a row in place of what was there. Changed values stay; transients, which may come from the
  /// old row's values, do not.
  final func place(_ row: PackedRow) {
    self.row = row
    base = row.base
    flags.remove(.fault)
    forgetFailures()
    if row.isDamaged { flags.insert(.damaged) } else { flags.remove(.damaged) }
    guard let cells else { return }
    for slot in runtime.layout.storedCount..<runtime.layout.attributes.count { discard(slot) }
    if cells.isSet.isEmpty { flags.remove(.live) }
    for slot in runtime.transformableSlots where !cells.isSet.contains(slot) {
      cells.forget(runtime.transformableOrdinal[slot])
    }
  }

  /// Drops changed values and everything computed, so that the row alone counts.
  final func dropCells() {
    cells = nil
    flags.remove([.live, .updated])
  }

  /// Lets what could not be read be tried again.
  final func forgetFailures() {
    flags.remove([.failed, .missing])
    cells?.failures = [:]
    cells?.told = []
  }

  /// Turns the object into a fault.
  final func turnIntoFault() {
    dropCells()
    row = nil
    base = nil
    forgetFailures()
    flags.remove(.damaged)
    flags.insert(.fault)
    didTurnIntoFault()
  }

  /// After a save: the new row holds what the cells held; transients stay.
  final func settle(_ newRow: PackedRow?) {
    if let newRow {
      row = newRow
      base = newRow.base
      // A slot that could not be read and was not written keeps its damage, and its record.
      if flags.contains(.damaged), !newRow.isDamaged { flags.remove(.damaged) }
    }
    flags.remove([.inserted, .updated])
    guard let cells else {
      flags.remove(.live)
      return
    }
    let storedCount = runtime.layout.storedCount
    if storedCount == runtime.layout.attributes.count, cells.failures.isEmpty {
      // No transients to keep and no failures: everything is in the row now.
      flags.remove(.live)
      self.cells = nil
      return
    }
    for slot in cells.isSet where slot < storedCount {
      cells.clear(slot)
      cells.failures[slot] = nil
      cells.told.remove(slot)
      if let ordinal = runtime.ordinal(ofTransformable: slot) { cells.forget(ordinal) }
    }
    if cells.isSet.isEmpty { flags.remove(.live) }
    if cells.isSet.isEmpty, cells.failures.isEmpty { self.cells = nil }
  }
}
