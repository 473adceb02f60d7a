import CopalStore

/// What the parts of a context note in an object.
extension ManagedObject {
  /// The row with the values of the object; nil for a fault, and for a new object that has not been
  /// packed.
  final var row: PackedRow? { flags.contains(.fault) ? nil : placedRow }

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
