import CopalModel
import CopalStore

/// Discarding values: a new row from the store, a fault in place of values.
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

  /// Replaces the row by that of others. A change that they have made, too, is none any more.
  final func mergeRow(_ row: PackedRow) {
    let hadChanges = flags.contains(.updated)
    if cellsReference != nil { dropAppending(to: row) }
    adoptRow(row)
    guard hadChanges, flags.isDisjoint(with: [.missing, .gone]) else { return }
    guard let state = core.state() else { return }
    // Now the changes are compared with the new row.
    if flags.contains(.updated) { state.updatingMembers(with: self) { keepOnlyChanges() } }
    guard !flags.contains(.updated) else { return }
    // Then its hooks are still to be called.
    if hasChangedMembers(state) { becomeChanged() } else { state.noteLoss(of: self) }
  }

  /// Whether members of the object were added, removed or moved.
  final func hasChangedMembers(_ state: ContextState) -> Bool {
    runtime.relationships.contains { hasChangedMembers($0, state) }
  }

  /// The positions of the relationships whose members were added, removed or moved.
  final func changedMembers(_ state: ContextState) -> [Int] {
    runtime.relationships.filter { hasChangedMembers($0, state) }.map(\.ordinal)
  }

  private final func hasChangedMembers(
    _ relationship: RelationshipRuntime, _ state: ContextState
  ) -> Bool {
    relationship.slot == nil && !relationship.isHidden
      && state.relationships[RelationshipPlace(self, relationship)]?.hasChanges == true
  }

  /// Others have appended the object to the same list. Then its place there is theirs.
  private final func dropAppending(to newRow: PackedRow) {
    guard let cells, newRow.entity == runtime.index else { return }
    for relationship in runtime.memberships {
      if let slot = relationship.positionSlot, isAppended(relationship, like: newRow) {
        cells.clear(slot)
      }
    }
  }

  /// Whether the object was appended to the list to which it belongs by a row.
  final func isAppended(_ relationship: RelationshipRuntime, like newRow: PackedRow) -> Bool {
    guard let slot = relationship.slot, let position = relationship.positionSlot,
      case .integer(let place)? = cells?.value(position), ListPosition.isRelative(place)
    else { return false }
    return heldReference(slot) == newRow.integer(slot)
  }

  /// The row is that of an object of another entity now, because another program has changed it. So
  /// this object is missing, and no member of others.
  final func loseRow() {
    becomeMissing()
    unloadMembers()
  }

  private final func adopt(_ row: PackedRow) {
    notifySaveAndIndexes()
    if flags.contains(.observed) { noteObserved(ofAdopting: row) }
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
    // A fault's values are not known, so every set value counts as a change. A new object gets no
    // row in place of its values.
    return row.map { cellDiffers(slot, from: $0) } ?? true
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
    if let former { noteObserved(former.isSet) }
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
      flags.isDisjoint(with: [.fault, .gone, .sorted, .indexed, .sealed, .observed])
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

  /// Turns an object without changes into a fault, because its row is known to be old.
  ///
  /// - Returns: whether it is one now.
  @discardableResult
  final func turnIntoFaultIfUnchanged(_ state: ContextState) -> Bool {
    if flags.contains(.fault) { return true }
    _ = noteMutations()
    if hasChanges || !flags.isDisjoint(with: [.inserted, .gone]) { return false }
    state.collect { $0.note(self, .invalidated) }
    turnIntoFault()
    return flags.contains(.fault)
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
    noteObservedMembers()
    guard runtime.hasRelationships, let state = core.state(),
      !state.relationships.isEmpty || state.hasObservedObjects
    else { return }
    for relationship in runtime.relationships where relationship.slot == nil {
      state.relationships.changeKnown(RelationshipPlace(self, relationship)) { $0.unload() }
    }
    for relationship in runtime.memberships {
      guard let slot = relationship.slot, let owner = storedReference(slot),
        let place = relationship.membersPlace(of: owner)
      else { continue }
      state.unloadMembers(at: place)
    }
  }
}
