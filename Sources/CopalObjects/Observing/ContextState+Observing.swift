extension ContextState {
  /// The members of a to-many relationship may be others, or have another order.
  func noteObservedMembers(of place: RelationshipPlace) {
    guard hasObservedObjects, let owner = object(entity: place.entity, key: place.key) else {
      return
    }
    noteObserved(owner, CollectionOfOne(-1 - place.ordinal))
  }

  /// The members of relationships from or to some entities may be others.
  func noteObservedMembers(of entities: Set<Int>) {
    guard hasObservedObjects else { return }
    forEachRegistered { object in
      guard object.flags.contains(.observed) else { return }
      let isOwner = entities.contains(object.runtime.index)
      let changed = object.runtime.relationships.filter { relationship in
        relationship.slot == nil
          && (isOwner
            || !entities.isDisjoint(with: container.entities[relationship.destination].entities))
      }
      noteObserved(object, changed.map { -1 - $0.ordinal })
    }
  }

  /// Runs a sweep. It releases members of lists, which are read again later: a write to them does
  /// not say any more that it changes the order of a list.
  func noteObservedOrders(_ sweep: () -> Void) {
    if !hasObservedObjects { return sweep() }
    let count = registeredCount
    sweep()
    if registeredCount == count { return }
    forEachRegistered { object in
      guard object.flags.contains(.observed) else { return }
      let sorted = object.runtime.relationships.filter { !$0.sortKeys.isEmpty }
      noteObserved(object, sorted.map { -1 - $0.ordinal })
    }
  }

  /// Notifies the observers of what has changed in the turn. What they change is noted for the next
  /// turn.
  func notifyObservers(_ events: ContextEvents) {
    if events.observed.isEmpty { return }
    for change in events.observed.takeAll() {
      change.object.notifyObservers(.changed, of: change.properties)
    }
  }
}
