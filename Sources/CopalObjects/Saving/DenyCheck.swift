import CopalModel
import CopalStore

/// The rule `deny`, which is judged when the deletion is saved: an object cannot be deleted while a
/// relationship with this rule has an object.
struct DenyCheck {
  private let state: ContextState
  private let related: RelatedObjects

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    related = RelatedObjects(state, core)
  }

  /// The errors of a deleted object.
  func failures(of object: ManagedObject) -> [PersistenceError] {
    guard object.flags.contains(.deleted), !object.flags.contains(.missing) else { return [] }
    return object.runtime.relationships.compactMap { relationship in
      if let failure = object.cells?.failures[.relationship(relationship.ordinal)] {
        return failure
      }
      guard relationship.description.deleteRule == .deny else { return nil }
      do {
        let count = try count(relationship, of: object)
        if count == 0 { return nil }
        return PersistenceError(
          .deletionDenied, entity: object.entityName, property: relationship.description.name,
          objectID: object.objectID, found: "\(count)")
      } catch {
        return PersistenceError(
          .incompleteObject, entity: object.entityName, property: relationship.description.name,
          objectID: object.objectID, causes: [error])
      }
    }
  }

  /// The number of objects that are not deleted themselves.
  private func count(_ relationship: RelationshipRuntime, of object: ManagedObject) throws -> Int {
    guard let slot = relationship.slot else {
      return try relationship.links == nil
        ? state.askedFor { try related.count(relationship, of: object) }
        : linkCount(relationship, of: object)
    }
    guard let key = object.heldReference(slot) else { return 0 }
    return related.registered(key, of: relationship)?.isDeleted == true ? 0 : 1
  }

  /// The number of objects that were linked when the object was deleted, and are not deleted
  /// themselves.
  private func linkCount(_ relationship: RelationshipRuntime, of object: ManagedObject) -> Int {
    let members = state.relationships[RelationshipPlace(object, relationship)]
    return members?.linksAtDeletion.count { key in
      // A new object that was deleted has left the context.
      related.registered(key, of: relationship).map { !$0.isDeleted } ?? (key > 0)
    } ?? 0
  }
}
