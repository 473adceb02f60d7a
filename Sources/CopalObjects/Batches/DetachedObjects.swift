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
