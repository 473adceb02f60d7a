import CopalStore

/// The lists that a merge has changed, for the listeners of a context.
extension ContextMerge {
  /// The objects of the context that have other members in a list that was read, and the position
  /// of its relationship.
  func changedLists(_ changes: NetChanges) -> [(owner: ManagedObject, ordinal: Int)] {
    if state.relationships.isEmpty, !state.hasObservedObjects { return [] }
    var places: Set<RelationshipPlace> = []
    for change in changes.rows { add(change, to: &places) }
    for (table, links) in changes.links { add(links, of: table, to: &places) }
    if state.hasObservedObjects {
      for place in places { state.noteObservedMembers(of: place) }
      for change in changes.rows { noteOrder(change) }
    }
    return places.compactMap { place in
      guard state.relationships[place] != nil,
        let owner = state.object(entity: place.entity, key: place.key),
        !owner.runtime.relationships[place.ordinal].isHidden,
        owner.flags.isDisjoint(with: [.fault, .deleted, .gone])
      else { return nil }
      return (owner, place.ordinal)
    }
  }

  /// Lists with a sort order may have another one, for those who observe them.
  private func noteOrder(_ change: NetChanges.RowChange) {
    for relationship in state.container.entities[change.entity].memberships {
      guard let slot = relationship.slot, let owner = change.after?.integer(slot),
        let place = relationship.membersPlace(of: owner),
        !state.container.entities[place.entity].relationships[place.ordinal].sortKeys.isEmpty
      else { continue }
      state.noteObservedMembers(of: place)
    }
  }

  /// The owners that an object has had and has.
  private func add(_ change: NetChanges.RowChange, to places: inout Set<RelationshipPlace>) {
    for relationship in state.container.entities[change.entity].memberships {
      guard let slot = relationship.slot else { continue }
      let former = change.formerKeys(slot)
      let owner = change.after?.integer(slot)
      if former.count == 1, former.first == owner, relationship.positionSlot == nil { continue }
      for key in former.union(owner.map { [$0] } ?? []) {
        relationship.membersPlace(of: key).map { _ = places.insert($0) }
      }
    }
  }

  private func add(
    _ links: ContiguousArray<NetChanges.LinkChange>, of table: Int,
    to places: inout Set<RelationshipPlace>
  ) {
    for end in [LinkTable.End.owner, .member] {
      guard let relationship = state.container.relationship(ofLinks: table, at: end) else {
        continue
      }
      for change in links {
        places.insert(RelationshipPlace(relationship, key: change.link.key(at: end)))
      }
    }
  }
}
