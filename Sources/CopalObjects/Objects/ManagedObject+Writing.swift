public import CopalModel
import CopalStore

/// Setting values and tracking changes.
extension ManagedObject {
  @usableFromInline
  final func write(_ slot: Int, _ value: consuming PropertyValue) {
    if _slowPath(!flags.areChangedAndUnwatched) {
      if flags.contains(.observed) {
        let value = consume value
        return writeObserved(slot) { writePrepared(slot, value) }
      }
      prepareWrite(to: slot)
    }
    store(slot, consume value)
  }

  /// Sets the value of a slot on top of the row.
  @inline(__always)
  private final func store(_ slot: Int, _ value: consuming PropertyValue) {
    // Unretained, because counting a reference would cost as much as the rest. The object keeps the
    // cells alive, and `location` runs no other code.
    let location = writableCells()._withUnsafeGuaranteedRef { $0.location(for: slot) }
    // Without `consume`, the compiler copies the value, which counts the reference to a text twice.
    location.pointee = consume value
    noteCell()
    if runtime.hasDependents { discardDependents(of: slot) }
  }

  /// The same as a write, without notifying observers.
  private final func writePrepared(_ slot: Int, _ value: PropertyValue) {
    prepareWrite(to: slot)
    store(slot, value)
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
    writeDecoded(slot, decoded, isPrimitive: isPrimitive)
  }

  /// Sets a transformable attribute to a decoded value; nil removes its value.
  @usableFromInline
  final func writeDecoded(
    _ slot: Int, _ value: (any _CopalDecodedValue)?, isPrimitive: Bool
  ) {
    if flags.contains(.observed), !isPrimitive {
      return writeObserved(slot) {
        writePrepared(slot, .null)
        setDecoded(slot, value)
      }
    }
    isPrimitive ? writePrimitive(slot, .null) : write(slot, .null)
    setDecoded(slot, value)
  }

  private final func setDecoded(_ slot: Int, _ value: (any _CopalDecodedValue)?) {
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
    guard let state = core.state() else { return setRecorded(false) }
    state.collect { $0.noteWrite(to: self) }
    // For an event, the first write of a turn is enough.
    guard let recorder = state.recorder else { return setRecorded(false) }
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
    // It becomes a row of a batch.
    if flags.contains(.detached) { return }
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
  final func notifySortOrders(ofWriteTo slot: Int?) {
    guard flags.contains(.sorted), let state = core.state() else { return }
    // A write to another slot leaves the object in its orders.
    if state.maps[runtime.index].orderChanges.note(slot, of: key) { noteUnsorted() }
    if state.hasObservedObjects {
      for relationship in runtime.memberships {
        let owners = ContextState.OwnerKeys(of: self, relationship)
        state.noteObservedOwners(relationship, owners, owners)
      }
    }
  }

  /// Notifies the current save or the indexes that wait for a write to the object.
  final func notifySaveAndIndexes() {
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
