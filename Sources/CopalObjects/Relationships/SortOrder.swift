import CopalEssentials
import CopalModel
import CopalStore

/// Sorts the members of an object by the sort order of the model, and keeps the order.
///
/// So a loop over positions sorts once, and not once for each position. A member that was added,
/// removed or changed since then (`KnownMembers` and `OrderChanges` say which) gets its place by a
/// search. The order is made again where too many have changed, or where it is not known which.
struct SortOrder {
  private let state: ContextState
  private let related: RelatedObjects
  private let relationship: RelationshipRuntime
  private let owner: ManagedObject
  private let map: IdentityMap

  init(_ state: ContextState, _ relationship: RelationshipRuntime, of owner: ManagedObject) {
    self.state = state
    related = RelatedObjects(state, owner.core)
    self.relationship = relationship
    self.owner = owner
    map = state.maps[relationship.destination]
  }

  /// The members in the sort order. Members that are equal in all keys are in the order of the
  /// list.
  ///
  /// - Throws: what prevents reading the members.
  func objects() throws -> [ManagedObject] {
    if let current = current() {
      let keys = current.keys
      let objects = keys.compactMap { related.registered($0, of: relationship) }
      if objects.count == keys.count { return objects }
    }
    return try sort()
  }

  /// The member at a position in the sort order; nil when there are fewer members.
  ///
  /// - Throws: what prevents reading the members.
  func object(at position: Int) throws -> ManagedObject? {
    if let current = current() {
      guard let key = current.key(at: position) else { return nil }
      if let found = related.registered(key, of: relationship) { return found }
    }
    let objects = try sort()
    return objects.indices.contains(position) ? objects[position] : nil
  }

  // MARK: The kept order

  private var kept: SortedMembers? {
    state.relationships.changeKnown(RelationshipPlace(owner, relationship)) { $0.sorted }
      .flatMap(\.self)
  }

  /// The kept order, after all changes since it was made; nil where it must be made again.
  func current() -> SortedMembers? {
    guard let sorted = kept else { return nil }
    // A row that is read is a change, and its hook may change anything.
    for _ in 0..<3 {
      guard let keys = changedKeys(of: sorted) else { return nil }
      if keys.isEmpty { return sorted }
      let members = keys.compactMap(member)
      let faults = members.filter(\.isFault)
      if faults.isEmpty { return repair(sorted, without: keys, with: members) ? sorted : nil }
      for fault in faults { _ = values(fault) }
      guard kept === sorted else { return nil }
    }
    return nil
  }

  /// The keys of the members that may have another place now; nil where they are not known, or
  /// many.
  private func changedKeys(of sorted: SortedMembers) -> Set<Int64>? {
    guard let count = sorted.changeCount, let changed = map.orderChanges.keys(since: count) else {
      return nil
    }
    // Another order may have the objects that were written.
    let keys = changed.isEmpty ? sorted.changed : sorted.changed.union(changed)
    return keys.count <= max(8, sorted.count / 8) ? keys : nil
  }

  /// The member of a key; nil for a key that is only its former one.
  private func member(_ key: Int64) -> ManagedObject? {
    guard let object = related.registered(key, of: relationship), object.key == key,
      entry(of: object) != nil
    else { return nil }
    return object
  }

  private func entry(of object: ManagedObject) -> MemberEntry? {
    state.relationships.changeKnown(RelationshipPlace(owner, relationship)) {
      $0.entry(of: object)
    }.flatMap(\.self)
  }

  /// Gives changed members their places.
  ///
  /// - Returns: whether it was done; false when another member cannot be compared.
  private func repair(
    _ sorted: SortedMembers, without keys: Set<Int64>, with members: [ManagedObject]
  ) -> Bool {
    struct Incomparable: Error {}
    for key in keys { sorted.remove(key) }
    let changeCount = map.orderChanges.begin(relationship.sortKeys)
    do {
      for member in members {
        let new = values(member)
        try sorted.insert(member.key) { key in
          guard let other = related.registered(key, of: relationship), !other.isFault else {
            throw Incomparable()
          }
          if let isBefore = relationship.sortKeys.order(values(other), new) { return isBefore }
          guard let a = entry(of: other), let b = entry(of: member) else { throw Incomparable() }
          return a < b
        }
        member.noteSorted()
      }
    } catch {
      return false
    }
    sorted.endChanges()
    sorted.changeCount = changeCount
    return true
  }

  // MARK: A new order

  private func values(_ object: ManagedObject) -> [PropertyValue] {
    relationship.sortKeys.sortedForms(object.queryValue)
  }

  private func sort() throws -> [ManagedObject] {
    try related.load(relationship, of: owner)
    // Before everything that may call a hook: when a hook changes the members, this order is
    // dropped.
    let sorted = SortedMembers()
    state.relationships.changeKnown(RelationshipPlace(owner, relationship)) { $0.sorted = sorted }
    let objects = try related.members(relationship, of: owner)
    let keys = relationship.sortKeys
    // Before the changes are counted, because a row that is read is such a change.
    for object in objects where object.isFault { _ = values(object) }
    let changeCount = map.orderChanges.begin(keys)
    for object in objects { object.noteSorted() }
    let all = objects.map(values)
    let order = objects.indices.inOrder { keys.order(all[$0], all[$1]) ?? ($0 < $1) }
    let result = order.map { objects[$0] }
    // What a hook has changed in the meantime is still noted.
    let changed = sorted.changed
    sorted.set(ContiguousArray(result.lazy.map(\.key)))
    for key in changed { sorted.noteChange(of: key) }
    sorted.changeCount = changeCount
    return result
  }
}
