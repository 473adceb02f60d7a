import CopalEssentials
import CopalModel
import CopalStore

// An object that fills a row of a batch. It has the class of the entity and no context: what it is
// given becomes values of the row. Its references are keys, and no other object learns of it.
extension ManagedObjectContext {
  /// A new object for a row of a batch, with the defaults of the model.
  func detachedObject(of runtime: EntityRuntime) -> ManagedObject {
    let object = runtime.objectClass.init(
      _copal: ObjectSeed(
        core: core, runtime: runtime, key: Self.detachedKey,
        flags: [.inserted, .hasPendingValues, .gone, .detached]))
    object.setDefaults()
    return object
  }

  /// The key of every such object: no stored or new object has it.
  private static let detachedKey = Int64.min
}

extension ManagedObject {
  /// Sets the defaults of the model in a new object.
  final func setDefaults() {
    let cells = cellsWithRoom()
    if runtime.defaults.isEmpty { return }
    // All attributes of the object get the same date.
    let now = runtime.hasDateDefault ? Date() : Date(timeIntervalSinceReferenceDate: 0)
    for (slot, value) in runtime.defaults {
      switch value {
      case .value(let value): cells.set(slot, value)
      case .now: cells.set(slot, .date(now))
      case .new: cells.set(slot, .uuid(UUID()))
      }
    }
  }

  // MARK: Relationships without a context

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

  /// What the object says of relationships, as assignments of a batch.
  final func detachedReferences() -> [BatchAssignment] {
    guard let cells else { return [] }
    var all: [BatchAssignment] = []
    for relationship in runtime.relationships where !relationship.isHidden {
      let name = relationship.description.name
      if let slot = relationship.slot {
        guard case .integer(let key)? = cells.value(slot) else { continue }
        let destination = core.container.entities[relationship.destination]
        all.append(
          BatchAssignment(name, toObject: ManagedObjectID(destination.identity, key)))
      } else if let members = cells.detachedMembers[relationship.ordinal] {
        all.append(BatchAssignment(name, toObjects: members.map(\.objectID)))
      }
    }
    return all
  }
}
