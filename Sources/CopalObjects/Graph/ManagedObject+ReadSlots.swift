import CopalStore

extension ManagedObject {
  /// Whether an unsaved change of the object can alter the result of a query that reads some slots;
  /// nil for any slots.
  final func hasChanges(in read: ReadSlots?) -> Bool {
    guard hasChanges, !isReplaced else { return false }
    guard let read, flags.isDisjoint(with: [.inserted, .deleted]) else { return true }
    return cells.map { !$0.isSet.isDisjoint(with: read.slots) } ?? false
  }

  /// Whether the context has another object for the row, because another program has changed its
  /// entity.
  private final var isReplaced: Bool {
    flags.contains(.missing)
      && core.state()?.maps[runtime.index].object(key).map { $0 !== self } ?? false
  }
}
