import CopalStore

/// To-one relationships as keys: what an object refers to, without the other object.
extension ManagedObject {
  /// Whether the object has no related objects, because it is deleted. In its
  /// `prepareForDeletion()`, it still has them.
  final var isWithoutRelated: Bool {
    if flags.isDisjoint(with: [.deleted, .gone]) { return false }
    return flags.contains(.gone) || core.state()?.preparing !== self
  }

  /// The key of the object of a to-one relationship, which may be a temporary one. Nil for a fault
  /// and for an object that is deleted.
  final func reference(_ slot: Int) -> Int64? {
    if !flags.isDisjoint(with: [.deleted, .gone]) { return nil }
    return heldReference(slot)
  }

  /// The same, also for an object that is deleted.
  final func heldReference(_ slot: Int) -> Int64? { heldInteger(slot) }

  private final func heldInteger(_ slot: Int) -> Int64? {
    // Unretained, because counting references would cost more than the rest.
    if let cellsReference, cellsReference._withUnsafeGuaranteedRef({ $0.hasCell(slot) }) {
      return cellsReference._withUnsafeGuaranteedRef { $0.integer(slot) }
    }
    guard let base, !PackedRowValues.isNull(base, slot) else { return nil }
    return PackedRowValues.integer(base, slot)
  }

  /// The key that the store has, as far as the object knows.
  final func storedReference(_ slot: Int) -> Int64? {
    guard let base, flags.isDisjoint(with: [.inserted, .gone]),
      !PackedRowValues.isNull(base, slot)
    else { return nil }
    return PackedRowValues.integer(base, slot)
  }

  /// The position of the object in the list to which a slot belongs; nil for none. Also for an
  /// object that is deleted.
  final func heldPosition(_ slot: Int) -> Int64? {
    // A new object has a row when a save has packed it and was refused. Its position is not one of
    // the store.
    if flags.contains(.inserted) || cells?.hasCell(slot) == true { return heldInteger(slot) }
    return heldInteger(slot).map(MemberEntry.position(stored:))
  }
}
