import CopalStore

/// What an object is to its context.
///
///     new ──────── save ────────▶ clean ◀──── save, rollback ──── changed
///      │                          │  └─────────── write ──────────▶  │
///      │ delete, rollback         └──── delete ────▶ deleted ◀───────┘
///      ▼                                                │ save
///     gone ◀────────────────────────────────────────────┘
///
/// A reset of the context makes every object `gone`. A rollback or refresh makes a deleted object
/// clean.
enum ObjectState {
  /// Inserted, and not saved yet.
  case new
  /// As the store has it, as far as the context knows.
  case clean
  /// Written to since it was read or saved.
  case changed
  /// The next save deletes it.
  case deleted
  /// The context no longer has it.
  case gone
}

// Each change of an object's state is a function here, and ends with a check of the state in debug
// builds. The other files ask for the state, and do not set flags.
extension ManagedObject {
  final var objectState: ObjectState {
    if flags.contains(.gone) { return .gone }
    if flags.contains(.deleted) { return .deleted }
    if flags.contains(.inserted) { return .new }
    return flags.contains(.updated) ? .changed : .clean
  }

  // MARK: Changes

  /// A clean object has changes for the next save.
  final func becomeChanged() {
    flags.insert(.updated)
    checkState()
  }

  /// A changed object has lost its changes. Its pending values are gone, or only primitive ones.
  final func becomeUnchanged(hasPendingValues: Bool = false) {
    flags.remove(hasPendingValues ? .updated : [.updated, .hasPendingValues])
    checkState()
  }

  /// A value is on top of the row.
  final func noteCell() { flags.insert(.hasPendingValues) }

  /// No value is on top of the row any more.
  final func noteNoCells() { flags.remove(.hasPendingValues) }

  /// The next save deletes the object. It calls the validation hook for deletion.
  final func becomeDeleted() {
    flags.remove(.validated)
    flags.insert(.deleted)
    noteObservedChange()
    checkState()
  }

  /// A deletion has been undone.
  final func becomeUndeleted() {
    flags.remove(.deleted)
    noteObservedChange()
    checkState()
  }

  /// The context no longer has the object.
  ///
  /// - Parameter wasDeleted: whether a save has deleted it.
  final func leaveContext(wasDeleted: Bool = false) {
    if !wasDeleted, flags.contains(.inserted) { flags.remove(.deleted) }
    flags.insert(.gone)
    flags.remove(.sealed)
    noteObservedChange()
    checkState()
  }

  /// A save has written the object.
  ///
  /// - Parameter hasLateChanges: whether a value was written after the save had packed the object.
  final func becomeSaved(hasLateChanges: Bool) {
    flags.remove(hasLateChanges ? [.inserted, .sealed] : [.inserted, .updated, .sealed])
    if hasLateChanges { flags.insert(.updated) }
    checkState()
  }

  // MARK: The row

  /// The row with the values of the object; nil for a fault, and for a new object that has not been
  /// packed.
  final var row: PackedRow? { flags.contains(.fault) ? nil : placedRow }

  /// The object has this row: it was read, or a save has packed it.
  final func place(_ newRow: PackedRow) {
    placedRow = newRow
    base = newRow.base
    flags.remove([.fault, .hasTypeMismatch])
    if newRow.hasTypeMismatch { flags.insert(.hasTypeMismatch) }
  }

  /// The row of a new object has all its values, and the cells are released.
  final func placePacked(_ newRow: PackedRow) {
    place(newRow)
    flags.remove(.hasPendingValues)
    cells = nil
    checkState()
  }

  /// The object has no row, and the next read of a property reads one.
  final func removeRow() {
    placedRow = nil
    markRowAsFormer()
  }

  /// Like ``removeRow()``, but the memory of the row is released later: with the object, or when it
  /// gets another row.
  // For many objects: releasing a row costs as much as the rest.
  final func markRowAsFormer() {
    base = nil
    flags.remove(.hasTypeMismatch)
    flags.insert(.fault)
    noteObservedChange()
  }

  /// The store has no row of the object.
  final func becomeMissing() {
    if flags.contains(.fault) { placedRow = nil }
    flags.insert(.missing)
    noteObservedChange()
    checkState()
  }

  /// The row of a fault cannot be read.
  final func becomeUnreadable() {
    flags.insert(.failed)
    checkState()
  }

  /// The next read of a fault tries again.
  final func becomeReadable() { flags.remove([.failed, .missing]) }

  /// The next read of an unreadable fault tries again.
  final func forgetUnreadable() { flags.remove(.failed) }

  // MARK: Marks of the context

  /// The object is in the list of changed objects, or is not.
  final func setListed(_ isListed: Bool) {
    if isListed { flags.insert(.listed) } else { flags.remove(.listed) }
  }

  /// The current save has checked the object.
  final func seal() { flags.insert(.sealed) }

  /// The current save has not checked the object, or it has ended.
  final func unseal() { flags.remove(.sealed) }

  /// An index of changed objects has the object.
  final func noteIndexed() { flags.insert(.indexed) }

  /// Nothing waits for the next write any more, except a recorder and a sort order.
  final func endWaiting() { flags.remove([.sealed, .indexed]) }

  /// A sort order that a relationship keeps has the object.
  final func noteSorted() { flags.insert(.sorted) }

  /// No sort order that is up to date has the object.
  final func noteUnsorted() { flags.remove(.sorted) }

  /// The context's recorder is notified of each write.
  final func setRecorded(_ isRecorded: Bool) {
    if isRecorded { flags.insert(.recorded) } else { flags.remove(.recorded) }
  }

  /// Changes of the object notify from now on.
  final func noteObserver() { flags.insert(.observed) }

  /// A hook of the current save has been called: `notified` or `validated`.
  final func noteHook(_ mark: ObjectFlags) { flags.insert(mark) }

  /// The save has ended.
  final func forgetHooks() { flags.remove([.notified, .validated]) }

  // MARK: Observers

  /// Every property may have another value.
  final func noteObservedChange() {
    if flags.contains(.observed) { core.listener()?.noteObservedChange(of: self) }
  }

  // MARK: The legal combinations

  /// Checks, in debug builds, that the flags and the row agree.
  final func checkState() {
    assert(stateProblem == nil, "an object has an impossible state: \(stateProblem ?? "")")
  }

  /// What is wrong with the object's state; nil for a legal one.
  final var stateProblem: String? {
    if flags.contains(.inserted) {
      if flags.contains(.updated) { return "a new object is not changed" }
      if !flags.isDisjoint(with: [.fault, .missing, .failed]) { return "a new object is no fault" }
    } else if row == nil, !flags.contains(.fault) {
      return "an object without a row is new or a fault"
    }
    if base != nil, flags.contains(.fault) { return "a fault has no values" }
    if base != row?.base { return "the address belongs to another row" }
    if flags.contains(.hasTypeMismatch) != (row?.hasTypeMismatch ?? false) {
      return "the row and the object disagree about type mismatches"
    }
    if flags.contains(.failed), !flags.contains(.fault) { return "only a fault is unreadable" }
    if cells?.isSet.isEmpty == false, !flags.contains(.hasPendingValues) {
      return "a cell is set, and reads do not look for it"
    }
    return nil
  }
}
