import CopalStore

/// A property of an observed object: the slot of an attribute or of a to-one relationship, or -1
/// minus the position of a to-many relationship.
typealias ObservedProperty = Int

/// The properties whose observers are notified at the end of the turn.
struct ObservedChanges {
  private var changes: [ObjectIdentifier: (object: ManagedObject, properties: Set<Int>)] = [:]

  var isEmpty: Bool { changes.isEmpty }

  mutating func note(_ object: ManagedObject, _ properties: some Sequence<ObservedProperty>) {
    changes[ObjectIdentifier(object), default: (object, [])].properties.formUnion(properties)
  }

  /// Removes all.
  mutating func takeAll() -> [(object: ManagedObject, properties: Set<ObservedProperty>)] {
    defer { changes = [:] }
    return Array(changes.values)
  }
}

extension ContextState {
  /// Whether somebody has read a property of an observable object of the context.
  var hasObservedObjects: Bool { events?.hasObservedObjects == true }

  func noteObserved(_ object: ManagedObject, _ properties: some Sequence<ObservedProperty>) {
    guard let events, object.flags.contains(.observed) else { return }
    let wasEmpty = events.observed.isEmpty
    events.observed.note(object, properties)
    if wasEmpty, merging.isOfMainActor { container.mainContexts.beginTurn() }
  }

  /// The members of a to-many relationship may be others, or have another order.
  func noteObservedMembers(of place: RelationshipPlace) {
    guard hasObservedObjects, let owner = object(entity: place.entity, key: place.key) else {
      return
    }
    noteObserved(owner, CollectionOfOne(-1 - place.ordinal))
  }

  /// The members of the objects to which an object belongs, or has belonged.
  func noteObservedOwners(
    _ relationship: RelationshipRuntime, _ before: OwnerKeys, _ now: OwnerKeys
  ) {
    for owner in Set([before.stored, before.held, now.stored, now.held].compactMap(\.self)) {
      relationship.membersPlace(of: permanent(owner, root: relationship.destinationRoot))
        .map(noteObservedMembers)
    }
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

  /// The to-one relationships of some objects that lead to objects which are deleted now, or are
  /// not deleted any more.
  func noteObservedReferences(
    to targets: some Collection<ManagedObject>, of objects: some Sequence<ManagedObject>
  ) {
    if !hasObservedObjects || targets.isEmpty { return }
    var keys: [Int: Set<Int64>] = [:]
    for target in targets { keys[target.runtime.root, default: []].insert(target.key) }
    for object in objects where object.flags.contains(.observed) {
      object.noteObserved(
        object.runtime.relationships.compactMap { relationship in
          guard let slot = relationship.slot, let key = object.heldReference(slot) else {
            return nil
          }
          let root = relationship.destinationRoot
          return keys[root]?.contains(permanent(key, root: root)) == true ? slot : nil
        })
    }
  }

  /// Objects are not deleted any more: those that refer to them, or are linked to them, show them
  /// again.
  func noteObservedReferences(toUndeleted targets: some Collection<ManagedObject>) {
    if !hasObservedObjects || targets.isEmpty { return }
    var objects: [ManagedObject] = []
    forEachRegistered { if $0.flags.contains(.observed) { objects.append($0) } }
    noteObservedReferences(to: targets, of: objects)
    let roots = Set(targets.map(\.runtime.root))
    for object in objects {
      let links = object.runtime.relationships.filter {
        $0.links != nil && roots.contains($0.destinationRoot)
      }
      noteObserved(object, links.map { -1 - $0.ordinal })
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
