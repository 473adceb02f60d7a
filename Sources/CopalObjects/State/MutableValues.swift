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

extension ManagedObject {
  /// Whether a decoded value of the object can change in place.
  final var hasMutableValue: Bool {
    guard let cells else { return false }
    return runtime.mutableSlots.contains {
      !cells.isSet.contains($0) && cells.decoded(runtime.ordinalBySlot[$0]) != nil
    }
  }
}
