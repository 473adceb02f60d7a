import CopalModel
import CopalStore

/// Keeps the members of to-many relationships in agreement with what objects refer to.
extension ContextState {
  /// Runs a change of an object, and updates the members of the objects that it refers to before
  /// and after.
  func updatingMembers(with object: ManagedObject, _ change: () throws -> Void) rethrows {
    let memberships = object.runtime.memberships
    if memberships.isEmpty { return try change() }
    // Most entities have one. Without an array, for this is called for each change of an object.
    if memberships.count == 1 {
      let before = OwnerKeys(of: object, memberships[0])
      defer { updateMembers(with: object, memberships[0], before) }
      return try change()
    }
    let before = memberships.map { OwnerKeys(of: object, $0) }
    defer {
      for (relationship, before) in zip(memberships, before) {
        updateMembers(with: object, relationship, before)
      }
    }
    try change()
  }

  /// The objects to which a to-one relationship of an object refers: in the row, and now.
  struct OwnerKeys {
    let stored: Int64?
    let held: Int64?

    init(of object: ManagedObject, _ relationship: RelationshipRuntime) {
      stored = relationship.slot.flatMap { object.storedReference($0) }
      held = relationship.slot.flatMap { object.heldReference($0) }
    }

    init(stored: Int64?) { (self.stored, held) = (stored, nil) }
  }

  /// Compares an object with the members of those to which it referred before, and refers to now.
  func updateMembers(
    with object: ManagedObject, _ relationship: RelationshipRuntime, _ before: OwnerKeys
  ) {
    let now = OwnerKeys(of: object, relationship)
    if hasObservedObjects { noteObservedOwners(relationship, before, now) }
    func update(_ key: Int64?) {
      if let key { updateMembers(with: object, relationship, of: key) }
    }
    update(before.stored)
    if before.held != before.stored { update(before.held) }
    if now.stored != before.stored, now.stored != before.held { update(now.stored) }
    if now.held != before.stored, now.held != before.held, now.held != now.stored {
      update(now.held)
    }
  }

  /// Compares an object with the members of an owner.
  ///
  /// - Parameter isNew: whether it is known that the object was not a member before.
  func updateMembers(
    with object: ManagedObject, _ relationship: RelationshipRuntime, of key: Int64,
    isNew: Bool = false
  ) {
    guard let slot = relationship.slot,
      case .toMany(let ordinal, let isOrdered) = relationship.inverse
    else { return }
    let root = relationship.destinationRoot
    let owner = permanent(key, root: root)
    let isStored = object.storedReference(slot) == owner
    let isMember = object.reference(slot).map { permanent($0, root: root) } == owner
    let place = RelationshipPlace(
      entity: relationship.inverseEntity, ordinal: ordinal, key: owner)
    let position = relationship.positionSlot.flatMap { object.heldPosition($0) }
    func note(_ members: inout KnownMembers) {
      members.note(
        object, isStored: isStored, isMember: isMember, position: position, isNew: isNew)
    }
    if isStored == isMember {
      relationships.changeKnown(place, note)
    } else {
      if relationship.inverseHasLimits { relationships.noteCounted(place) }
      relationships.changeMembers(place, isOrdered: isOrdered, note)
    }
  }

  /// The members of a relationship are read again.
  func unloadMembers(at place: RelationshipPlace) {
    relationships.changeKnown(place) { $0.unload() }
    noteObservedMembers(of: place)
  }

  /// An object is refreshed: both ends of its to-many relationships are read again when they are
  /// used.
  func noteRefresh(of object: ManagedObject) {
    for relationship in object.runtime.relationships where relationship.slot == nil {
      guard case .toMany(let ordinal, _) = relationship.inverse else {
        relationships.noteRefresh(
          of: RelationshipPlace(object, relationship), isOrdered: relationship.isOrdered)
        continue
      }
      relationships.noteRefresh(ofOtherEndOf: relationship.inverseEntity, ordinal: ordinal)
      if !hasObservedObjects { continue }
      for place in relationships.places(entity: relationship.inverseEntity, ordinal: ordinal) {
        noteObservedMembers(of: place)
      }
    }
  }

  /// A row of an object has been read: the members of its owner may have been read before.
  func noteRead(_ object: ManagedObject) {
    for relationship in object.runtime.memberships {
      guard let slot = relationship.slot, let owner = object.storedReference(slot),
        let place = relationship.membersPlace(of: owner)
      else { continue }
      if relationships.isLoaded(place) {
        updateMembers(with: object, relationship, of: owner)
      }
    }
  }

  /// The permanent key of an object, if it has one.
  func permanent(_ key: Int64, root: Int) -> Int64 {
    key > 0 ? key : temporaryKeys.permanentKey(of: key, root: root) ?? key
  }
}
