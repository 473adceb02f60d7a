import CopalStore

/// The properties whose observers are notified at the end of the turn.
struct ObservedChanges {
  private var changes: [ObjectIdentifier: (object: ManagedObject, properties: Set<Int>)] = [:]

  var isEmpty: Bool { changes.isEmpty }

  mutating func note(_ object: ManagedObject, _ properties: some Sequence<ObservedProperty>) {
    changes[ObjectIdentifier(object), default: (object, [])].properties.formUnion(properties)
  }

  /// Removes all.
  mutating func takeAll() -> [(object: ManagedObject, properties: Set<ObservedProperty>)] {
    defer { changes = [:] }
    return Array(changes.values)
  }
}
