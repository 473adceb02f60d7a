import CopalModel
import CopalStore

/// Sorts the members of an object by the sort order of the model, and keeps the order.
///
/// So a loop over positions sorts once, and not once for each position. The order is made again after a change of the
/// members (`Members` drops it), and after a change that `OrderChanges` counts.
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

  /// The members in the sort order. Members that are equal in all keys are in the order of the list.
  ///
  /// - Throws: what prevents reading the members.
  func objects() throws -> [ManagedObject] {
    if let keys {
      let objects = keys.compactMap { related.registered($0, of: relationship) }
      if objects.count == keys.count { return objects }
    }
    return try sort()
  }

  /// The member at a position in the sort order; nil when there are fewer members.
  ///
  /// - Throws: what prevents reading the members.
  func object(at position: Int) throws -> ManagedObject? {
    if let keys {
      guard keys.indices.contains(position) else { return nil }
      if let found = related.registered(keys[position], of: relationship) { return found }
    }
    let objects = try sort()
    return objects.indices.contains(position) ? objects[position] : nil
  }

  /// The keys of the members in the sort order; nil when there was a change since the order was made.
  var keys: ContiguousArray<Int64>? {
    let kept = state.relationships.changeKnown(RelationshipPlace(owner, relationship)) { $0.sorted }
    guard let sorted = kept.flatMap(\.self), sorted.changeCount == map.orderChanges.count else {
      return nil
    }
    return sorted.keys
  }

  private func sort() throws -> [ManagedObject] {
    try related.load(relationship, of: owner)
    // Before everything that may call a hook: when a hook changes the members, this order is dropped.
    let sorted = SortedMembers()
    state.relationships.changeKnown(RelationshipPlace(owner, relationship)) { $0.sorted = sorted }
    let objects = try related.members(relationship, of: owner)
    let keys = relationship.sortKeys
    func values(_ object: ManagedObject) -> [PropertyValue] {
      keys.sortedForms(object.queryValue)
    }
    // Before the changes are counted, because a row that is read is such a change.
    for object in objects where object.isFault { _ = values(object) }
    let changeCount = map.orderChanges.begin(keys)
    for object in objects { object.noteSorted() }
    let all = objects.map(values)
    let order = objects.indices.sorted { keys.order(all[$0], all[$1]) ?? ($0 < $1) }
    let result = order.map { objects[$0] }
    sorted.keys = ContiguousArray(result.lazy.map(\.key))
    sorted.changeCount = changeCount
    return result
  }
}

/// The members of an object in the sort order of the model.
///
/// Keys and no references, so that objects that nobody uses are released.
final class SortedMembers {
  fileprivate(set) var keys: ContiguousArray<Int64> = []
  /// The count of `OrderChanges` for which this is the order; nil until it is made.
  fileprivate(set) var changeCount: Int?
}

/// Counts the changes that can give the objects of an entity another sort order: values are set, read again or undone, or
/// the context releases objects, which are read again later.
///
/// The objects of each order have the flag `sorted`, so a write to another object has nothing to test for it.
struct OrderChanges {
  private(set) var count = 0
  /// The slots by which objects were sorted.
  private var slots: Set<Int> = []

  /// Begins an order.
  ///
  /// - Returns: the count for which it will be the order.
  mutating func begin(_ keys: [BoundSortKey]) -> Int {
    for key in keys { slots.insert(key.slot) }
    return count
  }

  /// Counts a change of a value.
  ///
  /// - Parameter slot: where it is; nil for all values of an object.
  /// - Returns: whether it can change an order.
  mutating func note(_ slot: Int?) -> Bool {
    if let slot, !slots.contains(slot) { return false }
    noteAll()
    return true
  }

  /// Counts a change of any object.
  mutating func noteAll() { count += 1 }
}
