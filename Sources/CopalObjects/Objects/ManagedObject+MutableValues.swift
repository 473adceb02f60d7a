import CopalModel
import CopalStore

extension ContextState {
  /// Makes the objects whose values have changed in place changed objects.
  ///
  /// - Returns: whether there were new ones.
  func noteMutations() -> Bool {
    if mutableValues.isEmpty { return false }
    var found = false
    for object in mutableValues.takeObjects() where object.noteMutations() { found = true }
    return found
  }
}

extension ManagedObject {
  /// Sets the values that have changed in place, so that the next save writes them.
  ///
  /// A value that cannot be encoded is set too: the save throws its error.
  ///
  /// - Returns: whether there were any.
  final func noteMutations() -> Bool {
    var found = false
    for slot in runtime.mutableSlots {
      guard let cells, runtime.transformers[slot]?.allowsEncoding == true,
        !cells.isSet.contains(slot), flags.isDisjoint(with: [.deleted, .gone]),
        let decoded = cells.decoded(runtime.ordinalBySlot[slot]),
        row.map({ cellDiffers(slot, from: $0) }) ?? (decoded.any != nil)
      else { continue }
      writeDecoded(slot, decoded.value, isPrimitive: false)
      found = true
    }
    return found
  }

  /// Removes the decoded values that can change in place, so that they are read again.
  final func forgetMutableValues() {
    guard let cells else { return }
    for slot in runtime.mutableSlots where !cells.isSet.contains(slot) {
      cells.removeDecoded(runtime.ordinalBySlot[slot])
      noteObserved(CollectionOfOne(slot))
    }
  }
}

extension ManagedObject {
  /// Whether the cell of a stored slot differs from the value of a row.
  final func cellDiffers(_ slot: Int, from row: PackedRow) -> Bool {
    guard let transformer = runtime.transformers[slot] else {
      return differs(row, slot, from: cells?.value(slot) ?? .null)
    }
    guard let decoded = cells?.decoded(runtime.ordinalBySlot[slot]),
      let encoded = try? transformer.encodedForm(decoded.value)
    else { return true }
    return differs(row, slot, from: encoded)
  }
}
