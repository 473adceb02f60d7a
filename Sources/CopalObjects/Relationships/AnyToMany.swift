import CopalModel
import CopalStore

/// What ``ToMany`` and ``OrderedToMany`` do, without the class of the objects.
struct AnyToMany {
  private let owner: ManagedObject
  private let relationship: RelationshipRuntime

  init(_ owner: ManagedObject, _ relationship: RelationshipRuntime) {
    self.owner = owner
    self.relationship = relationship
  }

  init(_ owner: ManagedObject, _ ordinal: Int) {
    self.init(owner, owner.runtime.relationships[ordinal])
  }

  /// The context's state; nil when the owner is deleted, or its context is gone.
  private var state: ContextState? {
    guard !owner.isWithoutRelated, !owner.flags.contains(.missing) else { return nil }
    guard let state = owner.core.state() else {
      owner.reportReleasedContext(relationship)
      return nil
    }
    return state
  }

  private var related: RelatedObjects? { state.map { RelatedObjects($0, owner.core) } }

  // MARK: Reading

  func load() throws { try owner.askedFor { try loadLazily() } }

  func loadLazily() throws { try related?.load(relationship, of: owner) }

  /// The objects at this moment.
  var objects: [ManagedObject] {
    reporting {
      isSorted ? try sortOrder?.objects() : try related?.members(relationship, of: owner)
    } ?? detached
  }

  /// The objects at this moment, without the sort order of the model.
  var members: [ManagedObject] {
    reporting { try related?.members(relationship, of: owner) } ?? detached
  }

  /// The objects that an owner without a context was given.
  private var detached: [ManagedObject] { owner.detachedMembers(relationship) }

  /// Whether the model has a sort order for the objects.
  private var isSorted: Bool { !relationship.sortKeys.isEmpty }

  private var sortOrder: SortOrder? { state.map { SortOrder($0, relationship, of: owner) } }

  /// The objects at this moment, as objects of their class.
  func objects<T: ManagedObject>(as type: T.Type) -> [T] {
    let objects = objects
    // Every object has the class of the entity, or a class that inherits from it, as in a fetch.
    if owner.core.container.entities[relationship.destination].objectClass == type {
      return unsafeBitCast(objects, to: [T].self)
    }
    return objects.compactMap { $0.cast() }
  }

  var count: Int { reporting { try related?.count(relationship, of: owner) } ?? detached.count }

  var loadedCount: Int {
    reporting { try related?.list(relationship, of: owner)?.count } ?? detached.count
  }

  func object(at position: Int) -> ManagedObject? {
    reporting {
      isSorted
        ? try sortOrder?.object(at: position)
        : try related?.member(at: position, relationship, of: owner)
    } ?? (detached.indices.contains(position) ? detached[position] : nil)
  }

  /// The objects at some positions.
  ///
  /// - Precondition: the positions are those of objects.
  func objects(atOffsets offsets: [Int]) -> [ManagedObject] {
    let count = loadedCount
    for offset in offsets { requireIndex(offset, count: count) }
    return offsets.compactMap { object(at: $0) }
  }

  func contains(_ object: ManagedObject) -> Bool {
    guard let related, object.core === owner.core, !object.isDeleted,
      object.isObject(of: relationship.destination)
    else { return detached.contains { $0 === object } }
    if let slot = relationship.inverseSlot {
      reporting {
        try related.readIfRefreshed(RelationshipPlace(owner, relationship), relationship)
      }
      return object.target(slot) === owner
    }
    return reporting { try related.contains(object, relationship, of: owner) } ?? false
  }

  // MARK: Changing

  /// Adds an object; in an ordered relationship at the end.
  func insert(_ object: ManagedObject) { put(object, at: nil) }

  func remove(_ object: ManagedObject) {
    if let slot = relationship.inverseSlot {
      if contains(object) { object.setTarget(slot, nil) }
      return
    }
    if owner.flags.contains(.detached) {
      return owner.setDetachedMembers(relationship, detached.filter { $0 !== object })
    }
    guard object.core === owner.core, object.isObject(of: relationship.destination), let state
    else { return }
    Links(state).unlink(owner, relationship, object)
  }

  func removeAll() {
    for object in objects { remove(object) }
  }

  func replaceAll(with new: [ManagedObject]) {
    if owner.flags.contains(.detached) {
      owner.setDetachedMembers(relationship, [])
      return new.forEach(insert)
    }
    let kept = Set(new.map(ObjectIdentifier.init))
    for object in objects where !kept.contains(ObjectIdentifier(object)) { remove(object) }
    relationship.isOrdered ? arrange(new) : new.forEach(insert)
  }

  /// Adds an object, or gives it a place in the list.
  private func put(_ object: ManagedObject, at position: Int64?) {
    require(
      object.isObject(of: relationship.destination),
      "an object of \(object.entityName) cannot be one of \(owner.entityName).\(relationship.description.name)"
    )
    object.requireSameContext(as: owner)
    if owner.flags.contains(.detached) {
      return owner.setDetachedMembers(relationship, detached + [object])
    }
    guard let state else { return owner.prepareWrite(to: 0) }
    if let slot = relationship.inverseSlot {
      return object.setTarget(slot, owner, at: position)
    }
    if !object.flags.isDisjoint(with: [.deleted, .gone]) { return object.prepareWrite(to: 0) }
    let links = Links(state)
    if let position, links.isLinked(owner, relationship, object) == true {
      return links.move(owner, relationship, object.key, to: position)
    }
    links.link(owner, relationship, object, at: position)
  }

  // MARK: The order

  /// Puts objects into the list, in their order, before the object that is at an index now. Objects
  /// of the list move.
  func put(_ new: [ManagedObject], before index: Int) {
    if owner.flags.contains(.detached) {
      let list = detached
      requireIndex(index, count: list.count + 1)
      let moved = Set(new.map(ObjectIdentifier.init))
      func rest(_ part: ArraySlice<ManagedObject>) -> [ManagedObject] {
        part.filter { !moved.contains(ObjectIdentifier($0)) }
      }
      return owner.setDetachedMembers(
        relationship, rest(list[..<index]) + new + rest(list[index...]))
    }
    guard let list = reporting({ try related?.list(relationship, of: owner) }) else {
      return new.forEach(insert)
    }
    requireIndex(index, count: list.count + 1)
    var rest = list
    var index = index
    for object in new {
      guard let entry = entry(of: object) else { continue }
      if rest.index(of: entry) < index { index -= 1 }
      rest.remove(entry)
    }
    place(new, at: index, in: rest)
  }

  /// - Precondition: the index is below the count.
  func requireIndex(_ index: Int, count: Int) {
    require(
      (0..<count).contains(index),
      "\(owner.entityName).\(relationship.description.name) has no index \(index)")
  }

  /// - Parameter list: the list without the objects.
  private func place(_ new: [ManagedObject], at index: Int, in list: MemberList) {
    let places = ListPlaces(count: new.count, at: index, in: list)
    if !places.renumbered.isEmpty { renumber(places.renumbered) }
    for (object, position) in zip(new, places.positions) { put(object, at: position) }
  }

  /// Gives members new positions.
  private func renumber(_ entries: [MemberEntry]) {
    guard let state, let related else { return }
    if relationship.links != nil {
      for entry in entries {
        Links(state).move(owner, relationship, entry.key, to: entry.position)
      }
      return
    }
    let members = reporting {
      let members = try entries.map { try related.object($0.key, of: relationship) }
      try FaultHandler(state).fill(members.compactMap(\.self))
      return members
    }
    for (entry, member) in zip(entries, members ?? []) {
      if let member { put(member, at: entry.position) }
    }
  }

  /// Gives the list an order. Objects that are in this order already keep their positions.
  private func arrange(_ new: [ManagedObject]) {
    var seen: Set<ObjectIdentifier> = []
    let order = new.filter { seen.insert(ObjectIdentifier($0)).inserted }
    guard reporting({ try related?.list(relationship, of: owner) }) != nil else {
      return order.forEach(insert)
    }
    var kept = LongestAscent.indices(of: order.map(entry(of:)))[...]
    var start = 0
    while start < order.count {
      if kept.first == start {
        kept.removeFirst()
        start += 1
        continue
      }
      // A run of objects that move to the same place.
      let end = kept.first ?? order.count
      place(run: Array(order[start..<end]), before: end < order.count ? order[end] : nil)
      start = end
    }
  }

  private func place(run: [ManagedObject], before next: ManagedObject?) {
    guard var list = reporting({ try related?.list(relationship, of: owner) }) else { return }
    for object in run { entry(of: object).map { list.remove($0) } }
    let index = next.flatMap(entry(of:)).map { list.index(of: $0) } ?? list.count
    place(run, at: index, in: list)
  }

  /// The place of an object in the list; nil when it is not there.
  private func entry(of object: ManagedObject) -> MemberEntry? {
    state?.relationships.changeKnown(RelationshipPlace(owner, relationship)) {
      $0.entry(of: object)
    }.flatMap(\.self)
  }

  @discardableResult
  private func reporting<R>(_ body: () throws -> R?) -> R? {
    do {
      return try body()
    } catch {
      owner.reportUnreadable(relationship, error)
      return nil
    }
  }
}

/// The longest ascending subsequence, by patience sorting.
///
/// Source: Fredman, "On computing the length of longest increasing subsequences", Discrete
/// Mathematics 11 (1975).
enum LongestAscent {
  /// The indices of the elements of a longest ascending subsequence. Elements without a value are
  /// not part of it.
  static func indices(of values: [MemberEntry?]) -> [Int] {
    /// For each length, the index of the least element at which an ascent of this length ends.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if let end = values[ends[middle]], end < value { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var result: [Int] = []
    var next = ends.last
    while let index = next {
      result.append(index)
      next = previous[index]
    }
    return result.reversed()
  }
}
