import CopalModel
import CopalStore

/// Deletes an object, and does to its related objects what the delete rules say.
///
/// It works level by level: the objects to which the objects of one level cascade are the next
/// level. So the depth of the stack does not grow with the length of a chain, and each relationship
/// of a level is read with few statements.
struct DeletePropagation {
  private let context: ManagedObjectContext
  private let state: ContextState
  private let related: RelatedObjects

  init(_ context: ManagedObjectContext, _ state: ContextState) {
    self.context = context
    self.state = state
    related = RelatedObjects(state, context.core)
  }

  func delete(_ object: ManagedObject) {
    let discardCount = state.discardCount
    var level = [object]
    while !level.isEmpty {
      var marked: [ManagedObject] = []
      for object in level {
        if context.markDeleted(object) { marked.append(object) }
        // A hook has undone the whole deletion.
        if state.discardCount != discardCount { return }
      }
      // A hook of a later object may have refreshed an earlier one.
      let deleted = marked.filter {
        $0.flags.contains($0.flags.contains(.gone) ? .inserted : .deleted)
      }
      let unread = load(deleted)
      level = deleted.flatMap { propagate($0, except: unread) }
    }
  }

  /// Reads the members of to-many relationships whose rule needs them.
  ///
  /// - Returns: where the members were deleted instead, without objects.
  private func load(_ objects: [ManagedObject]) -> Set<RelationshipPlace> {
    var unread: Set<RelationshipPlace> = []
    for (entity, objects) in Dictionary(grouping: objects, by: { $0.runtime.index }) {
      let runtime = state.container.entities[entity]
      for relationship in runtime.relationships where relationship.needsMembersAtDelete {
        var keys = related.unread(relationship, of: objects)
        if keys.isEmpty { continue }
        do {
          let places = try deleteRows(relationship, of: runtime, keys)
          if !places.isEmpty {
            unread.formUnion(places)
            let done = Set(places.map(\.key))
            keys.removeAll(where: done.contains)
          }
          if !keys.isEmpty { try related.load(relationship, of: runtime, keys) }
        } catch {
          for object in objects { object.failDeletion(relationship, error) }
        }
      }
    }
    return unread
  }

  /// Notes the rows of a relationship for deletion without making objects, where nothing could
  /// notice the difference: the objects have no hook and no other relationship, no save counts or
  /// denies them, and the context has none of them.
  ///
  /// - Returns: the owners for which this was done.
  private func deleteRows(
    _ relationship: RelationshipRuntime, of runtime: EntityRuntime, _ owners: [Int64]
  ) throws -> [RelationshipPlace] {
    let destination = state.container.entities[relationship.destination]
    guard relationship.description.deleteRule == .cascade, relationship.inverseSlot != nil,
      // A refresh can undo the deletion of the owner. Then the save checks how many members it has.
      relationship.countLimits == nil,
      destination.hasOneRelationshipOnly, state.recorder == nil,
      state.maps[destination.index].count == 0
    else { return [] }
    let places = owners.map {
      RelationshipPlace(relationship, key: $0)
    }
    .filter { state.relationships[$0] == nil }
    if places.isEmpty || places.contains(where: state.unreadDeletions.contains) { return [] }
    let receiver = RelatedVersionReceiver()
    try state.session.opened().fetchRelated(
      RelatedQuery(
        entity: runtime.index, relationship: relationship.ordinal, owners: places.map(\.key),
        wantsKeysOnly: true), into: receiver)
    if receiver.hasFailed { return [] }
    state.unreadDeletions.add(receiver.rows, of: destination.index, owners: places, context.core)
    return places
  }

  /// - Returns: the objects that are to be deleted, too.
  private func propagate(_ object: ManagedObject, except unread: Set<RelationshipPlace>)
    -> [ManagedObject]
  {
    object.runtime.relationships.flatMap { relationship -> [ManagedObject] in
      if !unread.isEmpty, unread.contains(RelationshipPlace(object, relationship)) { return [] }
      if relationship.links != nil { return unlink(relationship, of: object) }
      // Nothing can deny that an object goes which was never saved.
      let isNew = object.flags.contains(.gone)
      switch relationship.description.deleteRule {
      case .deny where !isNew, .noAction where !isNew: break
      case .cascade: return others(relationship, of: object)
      case .nullify, .deny, .noAction: nullify(relationship, of: object)
      }
      return []
    }
  }

  /// Removes the links of a deleted object, so that no other object has it. By the rule `deny`, the
  /// save asks which there were.
  ///
  /// - Returns: the objects that are to be deleted, too.
  private func unlink(_ relationship: RelationshipRuntime, of object: ManagedObject)
    -> [ManagedObject]
  {
    let others = others(relationship, of: object)
    let links = Links(state)
    for other in others { links.unlink(object, relationship, other) }
    if others.isEmpty {
      for owner in ownersOfMissing(object, relationship) {
        links.unlinkMissing(object, relationship, from: owner)
      }
    }
    // A new object is not registered any more, so it is not among the others.
    if links.isLinked(object, relationship, object) == true {
      links.unlink(object, relationship, object)
    }
    if !object.flags.contains(.gone) {
      state.relationships.changeKnown(RelationshipPlace(object, relationship)) {
        $0.linksAtDeletion = others.map(\.key)
      }
    }
    return relationship.description.deleteRule == .cascade ? others : []
  }

  /// The objects whose lists in this context still have an object that another context has deleted
  /// from the store, together with its links.
  ///
  /// The store is asked first: only for a missing row are all lists of the relationship searched.
  private func ownersOfMissing(_ object: ManagedObject, _ relationship: RelationshipRuntime)
    -> [ManagedObject]
  {
    guard object.key > 0, case .toMany(let ordinal, _) = relationship.inverse else { return [] }
    let places = state.relationships.places(
      entity: relationship.inverseEntity, ordinal: ordinal)
    if places.isEmpty || hasRow(object) { return [] }
    return places.compactMap { place in
      state.relationships.changeKnown(place) { $0.isLinked(object) } == true
        ? state.object(entity: place.entity, key: place.key) : nil
    }
  }

  private func hasRow(_ object: ManagedObject) -> Bool {
    let receiver = KnownRowReceiver()
    do {
      try state.session.opened().fetchRows(
        [object.key][...], entity: object.runtime.index, into: receiver)
    } catch {
      // The save reports what prevents reading.
      return true
    }
    return receiver.hasRow
  }

  private func nullify(_ relationship: RelationshipRuntime, of object: ManagedObject) {
    // The members of an owner no longer have a deleted object.
    guard case .slot(let back) = relationship.inverse else { return }
    let others = others(relationship, of: object)
    do {
      // Whether a fault refers to the object is in its row.
      try FaultHandler(state).fill(others)
    } catch {
      object.failDeletion(relationship, error)
    }
    // An object that is deleted itself keeps what it refers to, as its attributes.
    for other in others
    where other.flags.isDisjoint(with: [.deleted, .gone]) && other.heldReference(back) == object.key
    {
      other.setTarget(back, nil)
    }
  }

  /// The objects at the other end, also of an object that has just been deleted.
  private func others(_ relationship: RelationshipRuntime, of object: ManagedObject)
    -> [ManagedObject]
  {
    if let slot = relationship.slot {
      guard let key = object.heldReference(slot) else { return [] }
      do {
        let other = try related.object(key, of: relationship, for: object)
        return other.flatMap { $0.isObject(of: relationship.destination) ? [$0] : nil } ?? []
      } catch {
        object.failDeletion(relationship, error)
        return []
      }
    }
    return (try? related.members(relationship, of: object)) ?? []
  }
}

/// Finds out whether there is a row, and reads none.
private final class KnownRowReceiver: RowReceiver {
  private(set) var hasRow = false

  func wantsRow(key: Int64, version: Int64) -> Bool {
    hasRow = true
    return false
  }

  func skip(key: Int64) { hasRow = true }
  func receive(key: Int64, row: consuming PackedRow) { hasRow = true }
  func receive(key: Int64, failure: PersistenceError) { hasRow = true }
}

extension RelationshipRuntime {
  /// Whether a deletion needs the objects of a to-many relationship.
  fileprivate var needsMembersAtDelete: Bool {
    slot == nil
      && (links != nil || description.deleteRule == .cascade || description.deleteRule == .nullify)
  }
}

extension ManagedObject {
  /// Records that the objects of a relationship could not be read when the object was deleted. The
  /// save throws the error.
  fileprivate final func failDeletion(_ relationship: RelationshipRuntime, _ error: any Error) {
    reportUnreadable(relationship, error)
    let failure = PersistenceError(
      .incompleteObject, entity: entityName, property: relationship.description.name,
      objectID: objectID, causes: [error])
    cellsWithSideTable().failures[.relationship(relationship.ordinal)] = failure
  }
}
