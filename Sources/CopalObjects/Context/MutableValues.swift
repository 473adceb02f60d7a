/// The objects of a context that have decoded a value which can change in place, since the last
/// save.
///
/// The objects are held weakly: an object that nobody holds loses its decoded values.
struct MutableValues {
  private struct Reference {
    weak var object: ManagedObject?
  }

  private var references: [Reference] = []
  /// The number of references at which those of released objects are removed.
  private var limit = 64

  var isEmpty: Bool { references.isEmpty }

  mutating func note(_ object: ManagedObject) {
    if references.count >= limit {
      references = objects.map { Reference(object: $0) }
      limit = max(64, 2 * references.count)
    }
    references.append(Reference(object: object))
  }

  /// The objects that still have such a value, each once. They stay noted.
  mutating func takeObjects() -> [ManagedObject] {
    if references.isEmpty { return [] }
    let objects = objects
    references = objects.map { Reference(object: $0) }
    return objects
  }

  private var objects: [ManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return references.compactMap(\.object).filter {
      $0.hasMutableValue && seen.insert(ObjectIdentifier($0)).inserted
    }
  }
}

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
  /// Whether a decoded value of the object can change in place.
  final var hasMutableValue: Bool {
    guard let cells else { return false }
    return runtime.mutableSlots.contains {
      !cells.isSet.contains($0) && cells.decoded(runtime.ordinalBySlot[$0]) != nil
    }
  }

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
        let decoded = cells.decoded(runtime.ordinalBySlot[slot]), differs(slot)
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
