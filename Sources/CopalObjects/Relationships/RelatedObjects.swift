import CopalModel
import CopalStore

/// Finds the objects at the other end of relationships, and reads what is missing, for many neighbors at once.
struct RelatedObjects {
  private let state: ContextState
  private let core: ContextCore

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    self.core = core
  }

  // MARK: To-one

  /// The object of a key: a fault when the context does not have it.
  func object(_ key: Int64, of relationship: RelationshipRuntime) -> ManagedObject? {
    if let found = registered(key, of: relationship) { return found }
    let runtime = state.container.entities[relationship.destination]
    let permanent = state.permanent(key, root: runtime.root)
    return permanent > 0 ? makeFault(permanent, runtime, 0) : nil
  }

  /// The object of a key, if the context has it.
  func registered(_ key: Int64, of relationship: RelationshipRuntime) -> ManagedObject? {
    state.object(entity: relationship.destination, key: key)
  }

  /// The same; a fault is read together with those of the owner's neighbors.
  func object(_ key: Int64, of relationship: RelationshipRuntime, for owner: ManagedObject)
    -> ManagedObject?
  {
    if let found = registered(key, of: relationship) { return found }
    let runtime = state.container.entities[relationship.destination]
    let permanent = state.permanent(key, root: runtime.root)
    guard permanent > 0 else { return nil }
    return fault(permanent, runtime, beside: owner, relationship.slot)
  }

  /// A fault, with those to which the neighbors of the owner refer: the first read of one of them reads them all.
  private func fault(
    _ key: Int64, _ runtime: EntityRuntime, beside owner: ManagedObject, _ slot: Int?
  ) -> ManagedObject {
    let map = state.maps[runtime.index]
    var keys = [key]
    if let slot, let cohort = state.cohorts.cohort(of: owner) {
      let owners = state.maps[owner.runtime.index]
      var seen: Set<Int64> = [key]
      for neighbor in cohort.neighbors(of: owner.key) {
        guard let other = owners.object(neighbor)?.reference(slot), other > 0,
          map.object(other) == nil, seen.insert(other).inserted
        else { continue }
        keys.append(other)
      }
    }
    let cohort = keys.count > 1 ? state.cohorts.add(Cohort(keys: keys, size: keys.count)) : 0
    var made: ManagedObject?
    for key in keys {
      let object = makeFault(key, runtime, cohort)
      if made == nil { made = object }
    }
    // The first key is that of the fault itself.
    return made ?? makeFault(key, runtime, cohort)
  }

  private func makeFault(_ key: Int64, _ runtime: EntityRuntime, _ cohort: UInt32) -> ManagedObject
  {
    let object = runtime.objectClass.init(
      _copal: ObjectSeed(core: core, runtime: runtime, key: key, flags: .fault))
    object.cohort = cohort
    state.maps[runtime.index].set(key, object)
    return object
  }

  // MARK: To-many

  /// The objects of a to-many relationship, in their order.
  ///
  /// - Throws: what prevents reading them.
  func members(_ ordinal: Int, of owner: ManagedObject) throws -> [ManagedObject] {
    let relationship = owner.runtime.relationships[ordinal]
    try load(ordinal, of: owner)
    let map = state.maps[relationship.destination]
    guard let keys = keys(ordinal, of: owner) else { return [] }
    var missing: [Int64] = []
    var objects: [ManagedObject] = []
    objects.reserveCapacity(keys.count)
    for key in keys {
      if let object = key > 0 ? map.object(key) : registered(key, of: relationship) {
        objects.append(object)
      } else {
        missing.append(key)
      }
    }
    if missing.isEmpty { return objects }
    // The context has released some of the objects since they were read.
    let runtime = state.container.entities[relationship.destination]
    let cohort = state.cohorts.add(Cohort(keys: missing, size: 100))
    for key in missing where key > 0 { _ = makeFault(key, runtime, cohort) }
    return keys.compactMap { registered($0, of: relationship) }
  }

  /// The number of members, which are read.
  ///
  /// - Throws: what prevents reading them.
  func loadedCount(_ ordinal: Int, of owner: ManagedObject) throws -> Int {
    try load(ordinal, of: owner)
    return keys(ordinal, of: owner)?.count ?? 0
  }

  /// The member at a position; nil when the context does not have the object, or when there are fewer members.
  ///
  /// - Throws: what prevents reading the members.
  func member(at position: Int, _ ordinal: Int, of owner: ManagedObject) throws -> ManagedObject? {
    try load(ordinal, of: owner)
    guard let keys = keys(ordinal, of: owner), keys.indices.contains(position) else { return nil }
    return registered(keys[position], of: owner.runtime.relationships[ordinal])
  }

  /// The keys of the members; nil when they have not been read.
  private func keys(_ ordinal: Int, of owner: ManagedObject) -> ContiguousArray<Int64>? {
    let root = owner.runtime.root
    guard state.relationships[root, ordinal, owner.key] != nil else {
      return owner.flags.contains(.inserted) ? [] : nil
    }
    var keys: ContiguousArray<Int64>?
    state.relationships.change(root, ordinal, owner.key) { keys = $0.keys }
    return keys
  }

  /// The number of members. It reads no object.
  ///
  /// - Throws: what prevents counting.
  func count(_ ordinal: Int, of owner: ManagedObject) throws -> Int {
    let known = state.relationships[owner.runtime.root, ordinal, owner.key]
    if let count = known?.count { return count }
    if owner.key < 0 { return 0 }
    let relationship = owner.runtime.relationships[ordinal]
    guard let slot = relationship.inverseSlot else { return 0 }
    let stored = try state.session().count(
      StoreQuery(
        entity: relationship.destination,
        condition: .holds(.slot(slot), .equal, .parameter(0), resultForNull: false),
        parameters: [.integer(owner.key)]))
    return known?.count(stored: stored) ?? stored
  }

  /// Reads the members of an object and of its neighbors, if they have not been read.
  ///
  /// - Throws: what prevents reading them.
  func load(_ ordinal: Int, of owner: ManagedObject) throws {
    let root = owner.runtime.root
    if owner.key < 0 || state.relationships[root, ordinal, owner.key]?.isLoaded == true { return }
    var keys = [owner.key]
    if let cohort = state.cohorts.cohort(of: owner) {
      let map = state.maps[owner.runtime.index]
      keys = cohort.neighbors(of: owner.key).filter { key in
        key == owner.key
          || map.object(key).map { $0.flags.isDisjoint(with: [.deleted, .gone, .missing]) } == true
            && state.relationships[root, ordinal, key]?.isLoaded != true
      }
    }
    try load(ordinal, of: owner.runtime, keys)
  }

  /// Reads the members of some saved objects, with as few statements as the store needs.
  func load(_ ordinal: Int, of runtime: EntityRuntime, _ owners: [Int64]) throws {
    let relationship = runtime.relationships[ordinal]
    guard let slot = relationship.inverseSlot else { return }
    let destination = state.container.entities[relationship.destination]
    // Objects that nobody holds are released before new ones are made, not after.
    state.sweepIfDue(destination.index)
    let receiver = RelatedRowReceiver(core, state, destination, slot)
    try state.session().fetchRelated(
      RelatedQuery(entity: runtime.index, relationship: ordinal, owners: owners), into: receiver)
    for owner in owners {
      let keys = receiver.keys[owner] ?? []
      state.relationships.change(runtime.root, ordinal, owner) { $0.load(keys) }
    }
    receiver.notifyAwake()
  }
}

/// Turns the rows of related objects into objects, and collects their keys by owner.
private final class RelatedRowReceiver: RelatedReceiver {
  private(set) var keys: [Int64: ContiguousArray<Int64>] = [:]
  private var awaking: [ManagedObject] = []
  private var made: [ManagedObject] = []
  private var owner: Int64 = 0
  private var own: ContiguousArray<Int64> = []
  private var current: ManagedObject?
  private let core: ContextCore
  private let state: ContextState
  private let runtime: EntityRuntime
  private let map: IdentityMap
  private let slot: Int

  init(_ core: ContextCore, _ state: ContextState, _ runtime: EntityRuntime, _ slot: Int) {
    self.core = core
    self.state = state
    self.runtime = runtime
    self.slot = slot
    map = state.maps[runtime.index]
  }

  func beginRow(relatedTo owner: Int64, position: Int64?) { self.owner = owner }

  func wantsRow(key: Int64, version: Int64) -> Bool {
    current = map.object(key)
    return current?.flags.contains(.fault) ?? true
  }

  func receive(key: Int64, row: consuming PackedRow) {
    if let current {
      current.adoptRow(row)
      note(current)
    } else {
      let object = runtime.objectClass.init(
        _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row))
      map.set(key, object)
      note(object)
    }
  }

  private func note(_ object: ManagedObject) {
    if object.runtime.overridesHooks { awaking.append(object) }
    made.append(object)
    keys[owner, default: []].append(object.key)
  }

  func skip(key: Int64) {
    // What an object in memory says of its owner is stronger than a newer row.
    guard let current, current.storedReference(slot) == owner else { return }
    keys[owner, default: []].append(key)
  }

  func receive(key: Int64, failure: PersistenceError) {
    let object =
      map.object(key)
      ?? runtime.objectClass.init(
        _copal: ObjectSeed(core: core, runtime: runtime, key: key, flags: .fault))
    map.set(key, object)
    object.fail(failure)
    keys[owner, default: []].append(key)
  }

  /// Calls `awakeFromFetch()`, after the store is done, because a hook may read other objects.
  func notifyAwake() {
    let number = made.count > 1 ? state.cohorts.add(Cohort(keys: made.map(\.key), size: 100)) : 0
    if number != 0, runtime.hasRelationships {
      for object in made where object.cohort == 0 { object.cohort = number }
    }
    for object in awaking { object.awakeFromFetch() }
  }
}
