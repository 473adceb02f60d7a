import CopalStore

/// A link that others have changed, as the object at one end has it.
struct LinkSide {
  private let state: ContextState
  private let place: RelationshipPlace
  private let isOrdered: Bool
  private let owner: ManagedObject?
  private let other: Int64
  private let object: ManagedObject?
  private let position: Int64?

  init?(_ state: ContextState, _ link: Link, at end: LinkTable.End, of table: Int) {
    guard let relationship = state.container.relationship(ofLinks: table, at: end) else {
      return nil
    }
    self.state = state
    isOrdered = relationship.isOrdered
    place = RelationshipPlace(relationship, key: link.key(at: end))
    owner = state.object(entity: relationship.declaringEntity, key: place.key)
    other = link.key(at: end.other)
    object = state.object(entity: relationship.destination, key: other)
    position = (end == .owner ? link.position : link.inversePosition)
      .map(MemberEntry.position(stored:))
  }

  /// Whether the list may be newer than the change. Then it is read again, with the other one.
  var isAhead: Bool { state.merging.ahead.contains(place) }

  func unload() { state.relationships.changeKnown(place) { $0.unload() } }

  /// Whether the next save adds the link.
  var isAdded: Bool {
    guard let object else { return false }
    return state.relationships.changeKnown(place) { $0.isAdded(object) } ?? false
  }

  /// Whether the next save removes the link: by itself, or with one of the objects.
  var isRemoved: Bool {
    isOwnerDeleted || object?.flags.contains(.deleted) == true
      || state.relationships.changeKnown(place) { $0.isRemoved(other) } ?? false
  }

  /// Whether the next save changes the link: by itself, or with one of the objects.
  var isChanged: Bool {
    isRemoved || state.relationships.changeKnown(place) { $0.isChanged(other, object) } ?? false
  }

  private var isOwnerDeleted: Bool { owner?.flags.contains(.deleted) == true }

  /// Others have added the link, or have moved it.
  func noteLink(isRemovedHere: Bool) {
    func note(_ members: inout KnownMembers) {
      let known = isOrdered ? members.storedPosition(ofLink: other) : nil
      members.noteStoredLink(
        other, object, position: position ?? known, isRemovedHere: isRemovedHere)
      // By the rule `deny`, the save asks which links there are.
      if isOwnerDeleted { members.noteLinkAtDeletion(other) }
    }
    if isRemovedHere {
      state.relationships.changeLinks(place, isOrdered: isOrdered, note)
    } else {
      state.relationships.changeKnownLinks(place, note)
    }
  }

  /// Others have removed the link.
  func noteRemoval(isAddedHere: Bool) {
    func note(_ members: inout KnownMembers) {
      members.linksAtDeletion.removeAll { $0 == other }
      members.noteStoredRemoval(other, object, isAddedHere: isAddedHere)
    }
    if isAddedHere {
      state.relationships.changeLinks(place, isOrdered: isOrdered, note)
    } else {
      state.relationships.changeKnownLinks(place, note)
    }
  }

  /// Ends the change of the object of this list, if a change of the link was the only one.
  func endChange() { owner?.endChangeOfMembers(state) }
}

extension ManagedObject {
  /// The objects whose members have changed with an unsaved reference of this one, or with its
  /// deletion.
  final func changedOwners(_ state: ContextState) -> [ManagedObject] {
    func isChanged(_ slot: Int?) -> Bool { slot.flatMap { cells?.hasCell($0) } ?? false }
    var owners: [ManagedObject] = []
    for relationship in runtime.memberships {
      guard let slot = relationship.slot,
        flags.contains(.deleted) || isChanged(slot) || isChanged(relationship.positionSlot)
      else { continue }
      for key in [heldReference(slot), storedReference(slot)] {
        key.flatMap { state.object($0, of: relationship.destination) }.map { owners.append($0) }
      }
    }
    return owners
  }

  /// Changes of members may be none any more, because others have made the same ones. An object
  /// with no other change has none then.
  final func endChangeOfMembers(_ state: ContextState) {
    guard flags.contains(.updated), flags.isDisjoint(with: [.deleted, .gone, .missing]) else {
      return
    }
    _ = noteMutations()
    guard cells?.isSet.isEmpty ?? true, !hasChangedMembers(state) else { return }
    becomeUnchanged()
    state.noteLoss(of: self)
  }
}
