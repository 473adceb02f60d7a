import CopalModel
import CopalStore

/// Relationships with limits: their members are counted again after a conflict, because others may
/// have changed them.
extension ConflictResolution {
  /// The owners of a row are counted again.
  func noteOwners(of row: PackedRow) {
    if !state.container.limitsCounts { return }
    for relationship in state.container.entities[row.entity].memberships
    where relationship.inverseHasLimits {
      guard let owner = relationship.slot.flatMap({ row.integer($0) }),
        let place = relationship.membersPlace(of: owner)
      else { continue }
      counted.insert(place)
    }
  }

  /// Does not write the links of an object that is gone. The objects at their other ends are
  /// counted again.
  ///
  /// - Returns: false when it has none, and had none before.
  @discardableResult
  func dropLinks(of key: Int64, root: Int) -> Bool {
    let count = draft.droppedLinks.count
    let hasDropped = draft.dropLinks(of: key, root: root)
    if !state.container.limitsCounts { return hasDropped }
    for (table, link) in draft.droppedLinks[count...] {
      for end in [LinkTable.End.owner, .member] {
        guard let relationship = state.container.relationship(ofLinks: table, at: end),
          relationship.countLimits != nil
        else { continue }
        counted.insert(RelationshipPlace(relationship, key: link.key(at: end)))
      }
    }
    return hasDropped
  }

  /// The members of an object are counted again.
  func noteMembers(of entity: Int, _ key: Int64) {
    for relationship in state.container.entities[entity].limitedRelationships {
      counted.insert(RelationshipPlace(relationship, key: key))
    }
  }

  /// The members of owners with limits are counted again: those of the store, and what the save
  /// makes of them now.
  func checkCounts() throws {
    if counted.isEmpty { return }
    var members: [RelationshipPlace: Set<Int64>] = [:]
    for place in counted {
      // A new object may have become another one.
      let root = schema.entities[place.entity].root
      var place = place
      place.key = draft.successor(of: place.key, root: root)
      if try exists(place.entity, place.key) {
        members[place] = place.key > 0 ? try storedMembers(place) : []
      }
    }
    var owners: [Int64: [RelationshipPlace]] = [:]
    for (place, keys) in members {
      for key in keys { owners[key, default: []].append(place) }
    }
    for case let row? in draft.rows { count(row, owners[row.key] ?? [], &members) }
    for change in draft.links { count(change, &members) }
    for (place, keys) in members {
      let runtime = state.container.entities[place.entity]
      let relationship = runtime.relationships[place.ordinal]
      guard let limits = relationship.countLimits, !limits.contains(keys.count) else { continue }
      let isTooFew = keys.count < limits.lowerBound
      failures.append(
        PersistenceError(
          isTooFew ? .tooFewObjects : .tooManyObjects, entity: runtime.layout.name,
          property: relationship.description.name,
          objectID: ManagedObjectID(runtime.identity, place.key), found: "\(keys.count)",
          expected: "\(isTooFew ? limits.lowerBound : limits.upperBound)"))
    }
  }

  /// Whether an object exists after the save.
  private func exists(_ entity: Int, _ key: Int64) throws -> Bool {
    if let row = draft[entity, key] { return row.newRow != nil }
    if key < 0 { return false }
    let root = schema.entities[entity].root
    return try storedRow(key, root: root) != nil
  }

  private func storedMembers(_ place: RelationshipPlace) throws -> Set<Int64> {
    let receiver = RelatedVersionReceiver()
    try state.session.opened().fetchRelated(
      RelatedQuery(
        entity: place.entity, relationship: place.ordinal, owners: [place.key],
        wantsKeysOnly: true), into: receiver)
    return Set(receiver.rows.map(\.key))
  }

  /// - Parameter owners: the stored places with a member of the row's key.
  private func count(
    _ row: SaveDraft.Row, _ owners: [RelationshipPlace],
    _ members: inout [RelationshipPlace: Set<Int64>]
  ) {
    for relationship in state.container.entities[row.entity].memberships
    where relationship.inverseHasLimits {
      guard let slot = relationship.slot else { continue }
      for place in owners where relationship.membersPlace(of: place.key) == place {
        members[place]?.remove(row.key)
      }
      if let owner = row.newRow?.integer(slot), let place = relationship.membersPlace(of: owner) {
        members[place]?.insert(row.key)
      }
    }
  }

  private func count(_ change: LinkChanges, _ members: inout [RelationshipPlace: Set<Int64>]) {
    let table = schema.linkTables[change.table]
    for end in table.isSymmetric ? [.owner] : [LinkTable.End.owner, .member] {
      guard let relationship = state.container.relationship(ofLinks: change.table, at: end),
        relationship.countLimits != nil
      else { continue }
      func places(_ links: [Link]) -> [(RelationshipPlace, Int64)] {
        links.flatMap { table.rows(of: $0) }.map {
          (RelationshipPlace(relationship, key: $0.key(at: end)), $0.key(at: end.other))
        }
      }
      for (place, key) in places(change.removed) { members[place]?.remove(key) }
      for (place, key) in places(change.added) { members[place]?.insert(key) }
    }
  }
}
