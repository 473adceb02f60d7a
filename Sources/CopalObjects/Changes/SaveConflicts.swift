import CopalModel
import CopalStore

/// The errors of conflicts that a store has found in a save.
struct SaveConflicts {
  private let container: ContainerRuntime

  init(_ container: ContainerRuntime) { self.container = container }

  /// The error of a save that the store has refused.
  func error(_ conflicts: [CommitConflict]) -> PersistenceError {
    PersistenceError(.saveFailed, causes: conflicts.map(cause))
  }

  private func cause(_ conflict: CommitConflict) -> PersistenceError {
    let entity = container.entities[conflict.entity]
    func id(_ key: Int64) -> ManagedObjectID { ManagedObjectID(entity.identity, key) }
    func error(_ code: PersistenceError.Code) -> PersistenceError {
      PersistenceError(
        code, entity: entity.layout.name, objectID: id(conflict.key),
        found: conflict.stored.map { String($0.version) },
        expected: conflict.version.map { String($0) })
    }
    switch conflict.kind {
    case .changed, .keyInUse: return error(.conflict)
    case .deleted: return error(.deletedElsewhere)
    case .unique(let slots):
      return PersistenceError(
        .uniqueConflict, entity: entity.layout.name,
        property: slots.map { entity.layout.attributes[$0].name }.joined(separator: ", "),
        objectID: id(conflict.key), otherID: conflict.other.map(id))
    // A container refuses relationships, so these do not occur yet.
    case .missingObject, .stillReferenced: return error(.conflict)
    case .unreadable(let error): return error
    }
  }
}
