public import CopalModel
import CopalStore

/// Setting values and tracking changes.
extension ManagedObject {
  @usableFromInline
  final func write(_ slot: Int, _ value: consuming PropertyValue) {
    if _slowPath(!flags.areChangedAndUnwatched) { prepareWrite(to: slot) }
    // Unretained, because counting a reference would cost as much as the rest. The object keeps the
    // cells alive, and `location` runs no other code.
    let location = writableCells()._withUnsafeGuaranteedRef { $0.location(for: slot) }
    // Without `consume`, the compiler copies the value, which counts the reference to a text twice.
    location.pointee = consume value
    noteCell()
    if runtime.hasDependents { discardDependents(of: slot) }
  }

  @usableFromInline
  final func writePrimitive(_ slot: Int, _ value: PropertyValue) {
    // A fault is filled first, so that filling it later does not overwrite the value.
    if flags.contains(.fault) { try? fulfillIfFault(for: slot) }
    notifyWatchers(ofWriteTo: slot)
    cellsWithRoom().set(slot, value)
    noteCell()
    if runtime.hasDependents { discardDependents(of: slot) }
  }

  final func writeTransformable(_ slot: Int, _ value: Any?, isPrimitive: Bool) {
    let decoded = value.map {
      runtime.transformers[slot]?.decodedValue(of: $0) ?? _CopalTypedValue($0)
    }
    _copalWriteDecoded(slot, decoded, isPrimitive: isPrimitive)
  }

  /// Sets a transformable attribute to a decoded value; nil removes its value.
  public final func _copalWriteDecoded(
    _ slot: Int, _ value: (any _CopalDecodedValue)?, isPrimitive: Bool
  ) {
    isPrimitive ? writePrimitive(slot, .null) : write(slot, .null)
    cellsWithRoom().setDecoded(runtime.ordinalBySlot[slot], DecodedEntry(value: value))
  }

  /// Marks the object as changed, before a write to a slot, and notifies what waits for the write.
  // Apart, so that a write of an object that has changes saves and restores no registers for it.
  @inline(never)
  final func prepareWrite(to slot: Int) {
    // Last, because filling a fault may call hooks, which may fetch and so add the object to an
    // index again.
    defer { notifyWatchers(ofWriteTo: slot) }
    if !flags.isDisjoint(with: [.deleted, .gone]) { reportLostChange() }
    if flags.isDisjoint(with: [.inserted, .updated, .gone]) { becomeChangedFirst() }
    if flags.contains(.recorded) { recordWrite(to: slot) }
  }

  /// Makes a clean object a changed one.
  private final func becomeChangedFirst() {
    if flags.contains(.fault) {
      // A failure is recorded; a save of this object throws it.
      do { try fulfillIfFault() } catch { record(error, nil) }
    }
    guard !flags.contains(.gone) else { return }
    becomeChanged()
    guard let state = core.state() else { return reportLostChange() }
    state.note(changed: self)
  }

  private final func recordWrite(to slot: Int) {
    guard let recorder = core.state()?.recorder else { return setRecorded(false) }
    let decoded = runtime.ordinal(ofTransformable: slot).flatMap { cells?.decoded($0) }
    recorder.willWrite(
      self, slot, former: FormerValue(cell: cells?.value(slot), decoded: decoded))
  }

  /// Reports to the handler, once for the object, that no save will write a change.
  ///
  /// Hooks may change an object that is being deleted: many hooks set a date in every object of a
  /// save.
  @inline(never)
  private final func reportLostChange() {
    if let state = core.state(), state.isSaving || state.isPreparingDeletion { return }
    guard cellsWithSideTable().reportedFailures.insert(.change).inserted else { return }
    report(
      PersistenceError(
        .changeLost, entity: entityName, objectID: objectID,
        found: flags.contains(.deleted)
          ? "the object is deleted"
          : "the object was deleted before it was saved, or its context was released or reset"))
  }

  /// Notifies what waits for a write to a slot of the object.
  private final func notifyWatchers(ofWriteTo slot: Int) {
    if flags.isDisjoint(with: [.indexed, .sealed, .sorted]) { return }
    notifySaveAndIndexes()
    notifySortOrders(ofWriteTo: slot)
  }

  /// Notifies the sort orders that have the object.
  ///
  /// - Parameter slot: where a value changes; nil for all values.
  private final func notifySortOrders(ofWriteTo slot: Int?) {
    guard flags.contains(.sorted), let state = core.state() else { return }
    // A write to another slot leaves the object in its orders.
    if state.maps[runtime.index].orderChanges.note(slot, of: key) { noteUnsorted() }
  }

  /// Notifies the current save or the indexes that wait for a write to the object.
  private final func notifySaveAndIndexes() {
    if flags.isDisjoint(with: [.indexed, .sealed]) { return }
    core.state()?.noteWrite(to: self)
  }

  /// Discards the transients that were computed from a slot.
  private final func discardDependents(of slot: Int) {
    for transient in runtime.layout.dependents[slot] {
      discard(transient)
      // A model has no cycles of dependencies.
      discardDependents(of: transient)
    }
  }

  private final func discard(_ transient: Int) {
    cells?.clear(transient)
    if let ordinal = runtime.ordinal(ofTransformable: transient) { cells?.removeDecoded(ordinal) }
  }
}

/// Discarding values.
extension ManagedObject {
  /// Replaces the row. Only changes stay on top of it.
  ///
  /// Another program can change the entity of a row. Then the row is that of an object of another
  /// class, and this one is missing.
  final func adoptRow(_ row: PackedRow) {
    if row.entity != runtime.index { return loseRow() }
    if runtime.memberships.isEmpty { return adopt(row) }
    guard let state = core.state() else { return adopt(row) }
    state.updatingMembers(with: self) { adopt(row) }
  }

  /// The row is that of an object of another entity now, because another program has changed it. So
  /// this object is missing, and no member of others.
  final func loseRow() {
    becomeMissing()
    unloadMembers()
  }

  private final func adopt(_ row: PackedRow) {
    notifySaveAndIndexes()
    if cellsReference != nil || flags.contains(.updated) { keepOnlyChanges() }
    // The old values are released last: a value's deinit may call anything.
    let former = self.row
    place(row)
    forgetFailures()
    checkState()
    withExtendedLifetime(former) {}
  }

  /// Removes every value that is not a change of the current row: primitive values of an unchanged
  /// object, properties that were set to the row's value, decoded values, and transients.
  /// Transients of a changed object stay unless they depend on other attributes.
  private final func keepOnlyChanges() {
    guard let cells else { return becomeUnchanged() }
    let isChanged = flags.contains(.updated)
    for slot in cells.isSet where !(isChanged && isChange(slot)) { cells.clear(slot) }
    for slot in runtime.transformableSlots where !cells.isSet.contains(slot) {
      cells.removeDecoded(runtime.ordinalBySlot[slot])
    }
    if cells.isSet.isEmpty { becomeUnchanged() }
  }

  /// Whether the cell of a slot is a change that a new row must not take away.
  private final func isChange(_ slot: Int) -> Bool {
    if !runtime.layout.storedSlots.contains(slot) {
      return runtime.layout.attributes[slot].dependsOn.isEmpty
    }
    // A fault's values are not known, so every set value counts as a change.
    return flags.contains(.fault) || differs(slot)
  }

  /// Removes changed and computed values, so that only the row is left.
  final func dropCells() {
    if runtime.memberships.isEmpty { return dropAllCells() }
    guard let state = core.state() else { return dropAllCells() }
    state.updatingMembers(with: self) { dropAllCells() }
  }

  private final func dropAllCells() {
    // Released last: a value's deinit may call anything.
    let former = cells
    cells = nil
    becomeUnchanged()
    notifySortOrders(ofWriteTo: nil)
    withExtendedLifetime(former) {}
  }

  /// Removes recorded failures, so that the values are read again.
  final func forgetFailures() {
    becomeReadable()
    notifySortOrders(ofWriteTo: nil)
    cells?.failures = [:]
    cells?.reportedFailures = []
  }

  /// Turns the object into a fault, if this calls no code of the program and concerns no other
  /// object. Its former row stays in memory.
  ///
  /// - Returns: whether it was done.
  final func turnIntoFaultIfAlone() -> Bool {
    guard cellsReference == nil, !runtime.overridesHooks,
      flags.isDisjoint(with: [.fault, .gone, .sorted, .indexed, .sealed])
    else { return false }
    becomeReadable()
    becomeUnchanged()
    markRowAsFormer()
    return true
  }

  /// Releases what a fault has kept: its former row, recorded failures and related objects.
  final func forgetAll() {
    forgetFailures()
    unloadMembers()
    removeRow()
  }

  /// Turns the object into a fault.
  final func turnIntoFault() {
    let former = (row, cells)
    forgetFailures()
    dropCells()
    unloadMembers()
    removeRow()
    didTurnIntoFault()
    withExtendedLifetime(former) {}
  }

  /// Forgets which objects belong to the object, and those to which the object belongs: they are
  /// read again.
  final func unloadMembers() {
    guard runtime.hasRelationships, let state = core.state(), !state.relationships.isEmpty else {
      return
    }
    for relationship in runtime.relationships where relationship.slot == nil {
      state.relationships.changeKnown(RelationshipPlace(self, relationship)) { $0.unload() }
    }
    for relationship in runtime.memberships {
      guard let slot = relationship.slot, let owner = storedReference(slot),
        let place = relationship.membersPlace(of: owner)
      else { continue }
      state.relationships.changeKnown(place) { $0.unload() }
    }
  }
}
