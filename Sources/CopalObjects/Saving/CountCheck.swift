import CopalModel
import CopalStore

/// The least and the greatest number of objects of to-many relationships, which a save checks.
///
/// An owner whose members change is part of the save: its version is checked and raised. So two
/// contexts that each add one object cannot exceed the limit together.
struct CountCheck {
  private let state: ContextState
  private let related: RelatedObjects
  /// The objects that cannot be deleted. That another object would lose them is no further problem.
  var denied: [ManagedObject] = []

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    related = RelatedObjects(state, core)
  }

  /// Makes the owners with changed members a part of the save, before its hooks are called.
  ///
  /// - Returns: whether there were any that were not a part of it.
  /// - Throws: what prevents reading an owner, where its class is not known.
  func noteOwners() throws -> Bool {
    var hasNoted = false
    for place in state.relationships.counted {
      guard state.relationships[place]?.hasChanges == true else { continue }
      guard let owner = try related.owner(place) else { continue }
      if owner.flags.isDisjoint(with: [.inserted, .updated, .deleted, .gone]) {
        owner.prepareWrite(to: 0)
        hasNoted = hasNoted || owner.flags.contains(.updated)
      }
    }
    return hasNoted
  }

  /// The errors of an object that the save writes.
  func failures(of object: ManagedObject) -> [PersistenceError] {
    guard object.flags.isDisjoint(with: [.deleted, .gone, .missing]) else { return [] }
    return object.runtime.limitedRelationships.compactMap { relationship in
      let place = RelationshipPlace(object, relationship)
      guard object.flags.contains(.inserted) || state.relationships.counted.contains(place),
        let limits = relationship.countLimits
      else { return nil }
      do {
        let count = try related.count(relationship, of: object)
        if limits.contains(count) { return nil }
        if try isChangedByOthers(object) { return nil }
        let isTooFew = count < limits.lowerBound
        if isTooFew, denied.contains(where: { wasMember($0, of: place, relationship) }) {
          return nil
        }
        return PersistenceError(
          isTooFew ? .tooFewObjects : .tooManyObjects, entity: object.entityName,
          property: relationship.description.name, objectID: object.objectID, found: "\(count)",
          expected: "\(isTooFew ? limits.lowerBound : limits.upperBound)")
      } catch {
        return PersistenceError(
          .incompleteObject, entity: object.entityName, property: relationship.description.name,
          objectID: object.objectID, causes: [error])
      }
    }
  }

  /// Whether others have changed the owner, and possibly its members, since this context read it.
  /// The store then reports a conflict, and a policy counts again.
  private func isChangedByOthers(_ object: ManagedObject) throws -> Bool {
    guard !object.flags.contains(.inserted), let version = object.row?.version else { return false }
    let stored = try state.session.opened().fetchRow(object.key, entity: object.runtime.index)
    return stored.map { $0.version != version } ?? true
  }

  /// Whether an object that is deleted was a member of an owner.
  private func wasMember(
    _ object: ManagedObject, of place: RelationshipPlace, _ relationship: RelationshipRuntime
  ) -> Bool {
    guard object.isObject(of: relationship.destination) else { return false }
    if let slot = relationship.inverseSlot { return object.heldReference(slot) == place.key }
    return state.relationships[place]?.linkChanges.removed.contains(object.key) == true
  }
}

extension ContextState {
  /// The owners whose versions a save raises, because the number of their members is limited.
  var ownersWithLimits: Set<ObjectIdentifier> {
    if relationships.counted.isEmpty { return [] }
    return Set(
      relationships.counted.compactMap { place in
        guard relationships[place]?.hasChanges == true else { return nil }
        return object(entity: place.entity, key: place.key).map(ObjectIdentifier.init)
      })
  }
}
