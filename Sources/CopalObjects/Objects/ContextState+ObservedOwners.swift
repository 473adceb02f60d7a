/// Observers of relationships.
extension ContextState {
  /// The members of the objects to which an object belongs, or has belonged.
  func noteObservedOwners(
    _ relationship: RelationshipRuntime, _ before: OwnerKeys, _ now: OwnerKeys
  ) {
    for owner in Set([before.stored, before.held, now.stored, now.held].compactMap(\.self)) {
      relationship.membersPlace(of: permanent(owner, root: relationship.destinationRoot))
        .map(noteObservedMembers)
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
}
