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
}
