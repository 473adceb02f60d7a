import CopalModel

/// Relationships of an object that fills a row of a batch, and has no context.
extension ManagedObject {
  /// Sets a to-one relationship of an object that fills a row.
  final func setDetachedTarget(_ slot: Int, _ target: ManagedObject?) {
    write(slot, target.map { .integer($0.key) } ?? .null)
  }

  /// The object of a to-one relationship of an object that fills a row, if the context has it.
  final func detachedTarget(_ slot: Int) -> ManagedObject? {
    guard let key = heldReference(slot) else { return nil }
    return core.state()?.object(key, of: runtime.relationship(ofSlot: slot).destination)
  }

  /// The objects that a to-many relationship was given.
  final func detachedMembers(_ relationship: RelationshipRuntime) -> [ManagedObject] {
    guard flags.contains(.detached) else { return [] }
    return cells?.detachedMembers[relationship.ordinal] ?? []
  }

  final func setDetachedMembers(_ relationship: RelationshipRuntime, _ members: [ManagedObject]) {
    var seen: Set<ObjectIdentifier> = []
    cellsWithSideTable().detachedMembers[relationship.ordinal] = members.filter {
      seen.insert(ObjectIdentifier($0)).inserted
    }
  }
}
