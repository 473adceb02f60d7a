import CopalModel
import CopalStore

/// The errors of conflicts that a store has found in a save.
struct SaveConflicts {
  private let state: ContextState
  private let container: ContainerRuntime

  init(_ state: ContextState) {
    self.state = state
    container = state.container
  }

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
        objectID: id(conflict.key), otherID: conflict.other.map { holder($0, of: slots, entity) },
        found: state.object(entity: entity.index, key: conflict.key)?.summaries(slots))
    case .missingObject(let name):
      return PersistenceError(
        .missingReference, entity: entity.layout.name, property: name.name,
        objectID: id(conflict.key), otherID: other(conflict, destination(of: name)))
    case .stillReferenced(let name):
      if let denying = denyingRelationship(conflict.entity, name) {
        // The store names the first of the objects.
        return PersistenceError(
          .deletionDenied, entity: entity.layout.name, property: denying,
          objectID: id(conflict.key), otherID: other(conflict, name.entity), found: "1")
      }
      return PersistenceError(
        .stillReferenced, entity: entity.layout.name, objectID: id(conflict.key),
        otherID: other(conflict, name.entity), found: name.name)
    case .unreadable(let error): return error
    }
  }

  /// The id of the object that has the values of a unique constraint already. The store says only
  /// its key. So the id has the name of the object's entity if the context has the object, and
  /// otherwise that of the entity that declares the constraint: an ancestor of both objects.
  private func holder(_ key: Int64, of slots: [Int], _ entity: EntityRuntime) -> ManagedObjectID {
    let constraint = entity.layout.uniqueConstraints.first { $0.slots == slots }
    let declaring = constraint?.declaringEntity ?? entity.index
    let runtime =
      state.object(entity: entity.index, key: key)?.runtime ?? container.entities[declaring]
    return ManagedObjectID(runtime.identity, key)
  }

  /// The name of a deleted object's own relationship that does not allow the deletion; nil when its
  /// delete rule is another one.
  private func denyingRelationship(_ entity: Int, _ name: RelationshipName) -> String? {
    let schema = container.schema
    guard let place = schema.relationship(name.name, of: name.entity)?.inverse else { return nil }
    let own = schema.relationships[entity][place].relationship
    return own.deleteRule == .deny ? own.name : nil
  }

  private func destination(of name: RelationshipName) -> Int {
    container.schema.relationship(name.name, of: name.entity)?.destination ?? name.entity
  }

  private func other(_ conflict: CommitConflict, _ entity: Int) -> ManagedObjectID? {
    conflict.other.map { ManagedObjectID(container.entities[entity].identity, $0) }
  }
}
