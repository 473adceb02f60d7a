import CopalStore

/// What a save changes in objects whose rows it has not simply written, because a policy has
/// resolved conflicts. It runs after the commit.
extension SavePlan {
  /// The objects to whose lists objects belong here whose references a policy has changed.
  func heldOwners() -> [(ManagedObject, RelationshipRuntime, Int64)] {
    outcomes.flatMap { outcome -> [(ManagedObject, RelationshipRuntime, Int64)] in
      let object: ManagedObject
      switch outcome {
      case .rebased(let found), .takes(let found, _): object = found
      default: return []
      }
      return object.runtime.memberships.compactMap { relationship in
        relationship.slot.flatMap { object.heldReference($0) }.map { (object, relationship, $0) }
      }
    }
  }

  /// Before the rows are applied: listeners compare what objects have now with what they had when a
  /// policy decided.
  func noteFormerValues() {
    for outcome in outcomes {
      switch outcome {
      case .rebased(let object), .takes(let object, _):
        if object.flags.contains(.gone) { continue }
        state.collect {
          $0.noteUndoing(of: object, members: [])
          $0.noteRow(of: object, former: object.row)
        }
      case .leaves, .follows, .becomes: continue
      }
    }
  }

  /// Before the links end: those that were not written are none.
  func forgetDroppedLinks() {
    for (table, link) in droppedLinks {
      let links = state.container.schema.linkTables[table]
      for row in links.rows(of: link) {
        for end in links.isSymmetric ? [.owner] : [LinkTable.End.owner, .member] {
          guard let relationship = state.container.relationship(ofLinks: table, at: end) else {
            continue
          }
          // New objects have got their keys.
          let key = state.permanent(
            row.key(at: end), root: state.container.entities[relationship.declaringEntity].root)
          let other = state.permanent(
            row.key(at: end.other),
            root: state.container.entities[relationship.destination].root)
          let place = RelationshipPlace(relationship, key: key)
          state.relationships.changeKnownLinks(place) { $0.forgetLink(ofKey: other) }
          state.noteObservedMembers(of: place)
        }
      }
    }
  }

  /// - Parameters:
  ///   - receipt: what the store has written.
  ///   - released: receives what the objects no longer have.
  /// - Returns: the objects with values of others, whose hook is to be called.
  func applyOutcomes(_ receipt: CommitReceipt, _ released: inout [Any]) -> [ManagedObject] {
    var awaking: [ManagedObject] = []
    var becoming = Becoming(state, outcomes, receipt)
    for outcome in outcomes {
      switch outcome {
      case .rebased(let object):
        object.noteObservedChange()
        // It may have belonged to any object.
        state.noteObservedMembers(of: [object.runtime.index])
        // Written later, in the save, it keeps the later value.
        if object.flags.isDisjoint(with: [.gone, .updated]) {
          if let cells = object.cells { released.append(cells) }
          object.dropCells()
          awaking.append(object)
        }
        unloadMembers(ofOwnersOf: object)
      case .takes(let object, let stored):
        if object.flags.contains(.gone) { continue }
        // A policy may have changed it after all: the reference to an object that is deleted.
        let row = becoming.lastRow(of: object) ?? stored
        if let cells = object.cells { released.append(cells) }
        object.unseal()
        object.dropCells()
        if object.row !== row { object.adoptRow(row) }
        state.noteLoss(of: object)
        awaking.append(object)
      case .leaves(let object):
        if object.flags.contains(.gone) { continue }
        object.unseal()
        state.leave(object)
        released.append(object)
      case .follows(let object): released.append(object)
      case .becomes(let object, let mine, let key, _):
        becoming.become(object, mine, key, &released)
      }
    }
    return awaking + becoming.end(&released)
  }

  /// The objects whose last hook the save calls: not those that have left without having been
  /// deleted here, but the instances that stay in their place.
  func remaining(_ objects: ContiguousArray<ManagedObject>) -> ContiguousArray<ManagedObject> {
    var left: Set<ObjectIdentifier> = []
    var staying: ContiguousArray<ManagedObject> = []
    for outcome in outcomes {
      switch outcome {
      case .leaves(let object) where !object.flags.contains(.deleted):
        left.insert(ObjectIdentifier(object))
      case .becomes(let object, _, _, _) where object.flags.contains(.gone):
        left.insert(ObjectIdentifier(object))
        let key = state.permanent(object.key, root: object.runtime.root)
        if let other = state.object(key, of: object.runtime.index) { staying.append(other) }
      case .leaves, .becomes, .takes, .rebased, .follows: continue
      }
    }
    if left.isEmpty { return objects }
    var seen: Set<ObjectIdentifier> = []
    return (objects + staying).filter {
      !left.contains(ObjectIdentifier($0)) && seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  /// Before the deletions are applied: objects that a delete rule has reached are deleted.
  func markFollowers() {
    for case .follows(let object) in outcomes where !object.flags.contains(.deleted) {
      state.updatingMembers(with: object) { object.becomeDeleted() }
      state.collect { $0.note(object, .deleted) }
    }
  }

  /// The lists to which an object has belonged, as others have saved it.
  private func unloadMembers(ofOwnersOf object: ManagedObject) {
    if state.relationships.isEmpty, !state.hasObservedObjects { return }
    object.unloadMembers()
    for changes in planned where changes.entity == object.runtime.index {
      for update in changes.updates where update.object === object {
        for relationship in object.runtime.memberships {
          guard let slot = relationship.slot, let owner = update.change.before.integer(slot),
            let place = relationship.membersPlace(of: owner)
          else { continue }
          state.unloadMembers(at: place)
        }
      }
    }
  }

  /// The lists of the owners of rows that were written without objects are read again.
  func unloadOwners(of changes: PlannedChanges) {
    for relationship in state.container.entities[changes.entity].memberships {
      guard let slot = relationship.slot else { continue }
      for update in changes.unreadUpdates {
        for owner in [update.before.integer(slot), update.row.integer(slot)] {
          guard let place = owner.flatMap({ relationship.membersPlace(of: $0) }) else { continue }
          state.unloadMembers(at: place)
        }
      }
    }
  }
}
