import CopalModel
import CopalStore

/// Finds the objects at the other end of relationships, and reads what is missing, for many
/// neighbors at once.
struct RelatedObjects {
  private let state: ContextState
  private let core: ContextCore

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    self.core = core
  }

  // MARK: To-one

  /// The object of a key: a fault when the context does not have it. Nil for one that the
  /// relationship cannot have.
  ///
  /// - Throws: what prevents reading it, where its class is not known.
  func object(_ key: Int64, of relationship: RelationshipRuntime) throws -> ManagedObject? {
    if let found = registered(key, of: relationship) { return found }
    let runtime = state.container.entities[relationship.destination]
    return try unregistered(key, runtime) { try NewObjects(state, core).make($0, of: runtime) }
      .flatMap { $0.isObject(of: runtime.index) ? $0 : nil }
  }

  /// The object of a key that the context does not have as one of an entity. It may be one that the
  /// relationship cannot have: another program can write any reference.
  ///
  /// - Parameter make: makes an object that the context does not have.
  private func unregistered(
    _ key: Int64, _ runtime: EntityRuntime, _ make: (Int64) throws -> ManagedObject
  ) throws -> ManagedObject? {
    let permanent = state.permanent(key, root: runtime.root)
    guard permanent > 0 else { return nil }
    if let other = state.maps[runtime.index].object(permanent) {
      // The row may have got another entity since the context has made its object.
      try FaultHandler(state).fill([other])
      if !other.flags.contains(.missing) { return other }
    }
    return try make(permanent)
  }

  /// The object of a key, if the context has it.
  func registered(_ key: Int64, of relationship: RelationshipRuntime) -> ManagedObject? {
    state.object(key, of: relationship.destination)
  }

  /// The object of a key, which is read together with those of the owner's neighbors. It may be one
  /// that the relationship cannot have.
  func object(_ key: Int64, of relationship: RelationshipRuntime, for owner: ManagedObject) throws
    -> ManagedObject?
  {
    if let found = registered(key, of: relationship) { return found }
    let runtime = state.container.entities[relationship.destination]
    return try unregistered(key, runtime) { try make($0, runtime, beside: owner, relationship) }
  }

  /// Makes a fault, with those to which the neighbors of the owner refer: the first read of one of
  /// them reads them all. Where their classes are not known, this is the first read.
  private func make(
    _ key: Int64, _ runtime: EntityRuntime, beside owner: ManagedObject,
    _ relationship: RelationshipRuntime
  ) throws -> ManagedObject {
    let map = state.maps[runtime.index]
    let slot = relationship.slot
    var keys = [key]
    if let slot, let cohort = state.cohorts.cohort(of: owner) {
      let owners = state.maps[owner.runtime.index]
      var seen: Set<Int64> = [key]
      for neighbor in cohort.neighbors(of: owner.key) {
        // A neighbor can be of an entity that has no such relationship.
        guard let neighbor = owners.object(neighbor),
          neighbor.isObject(of: relationship.declaringEntity),
          let other = neighbor.reference(slot), other > 0, map.object(other) == nil,
          seen.insert(other).inserted
        else { continue }
        keys.append(other)
      }
    }
    let objects = NewObjects(state, core)
    if runtime.hasSubentities {
      state.lazyLoads?.noteMembers(
        relationship, of: owner, state.cohorts.cohort(of: owner), count: keys.count)
      let former = state.beginLazy(.toOne, relationship, of: owner, count: keys.count)
      defer { former?.end() }
      // Held until the object itself is.
      return try withExtendedLifetime(objects.make(keys, of: runtime)) {
        try map.object(key) ?? objects.make(key, of: runtime)
      }
    }
    let cohort = state.cohort(of: keys, followedBy: slot, from: owner)
    let object = objects.fault(key, runtime, cohort)
    for key in keys.dropFirst() { objects.fault(key, runtime, cohort) }
    return object
  }

  // MARK: To-many

  /// The owner of a to-many relationship.
  ///
  /// - Throws: what prevents reading it, where its class is not known.
  func owner(_ place: RelationshipPlace) throws -> ManagedObject? {
    if let found = state.object(entity: place.entity, key: place.key) { return found }
    let runtime = state.container.entities[place.entity]
    return place.key > 0 ? try NewObjects(state, core).make(place.key, of: runtime) : nil
  }

  /// The objects of a to-many relationship, in their order.
  ///
  /// - Throws: what prevents reading them.
  func members(_ relationship: RelationshipRuntime, of owner: ManagedObject) throws
    -> [ManagedObject]
  {
    guard let list = try list(relationship, of: owner) else { return [] }
    let map = state.maps[relationship.destination]
    let isInFamily = state.container.entities[relationship.destination].isInFamily
    var missing: [Int64] = []
    var objects: [ManagedObject] = []
    objects.reserveCapacity(list.count)
    list.forEach { entry in
      if !isInFamily, map.append(entry.key, to: &objects) { return }
      if let object = registered(entry.key, of: relationship) {
        objects.append(object)
      } else {
        missing.append(entry.key)
      }
    }
    if missing.isEmpty { return objects }
    // The context has released some of the objects since they were read.
    let runtime = state.container.entities[relationship.destination]
    let origin = state.origin(relationship, of: owner.runtime, owner.key)
    let cohort = state.cohorts.add(Cohort(keys: missing, size: 100, origin: origin))
    // Another context may have moved some of them to an owner that is deleted.
    try state.readDeletions(of: runtime.index)
    let made = try NewObjects(state, core).make(
      missing.filter { $0 > 0 && map.object($0) == nil }, of: runtime, cohort: cohort)
    objects = []
    list.forEach { registered($0.key, of: relationship).map { objects.append($0) } }
    return withExtendedLifetime(made) { objects }
  }

  /// The members in their order, which are read; nil for an object that has left its context.
  ///
  /// - Throws: what prevents reading them.
  func list(_ relationship: RelationshipRuntime, of owner: ManagedObject) throws -> MemberList? {
    try load(relationship, of: owner)
    if let list = state.relationships.list(RelationshipPlace(owner, relationship)) { return list }
    return owner.flags.contains(.inserted) ? MemberList() : nil
  }

  /// The member at a position; nil when the context does not have the object, or when there are
  /// fewer members.
  ///
  /// - Throws: what prevents reading the members.
  func member(at position: Int, _ relationship: RelationshipRuntime, of owner: ManagedObject) throws
    -> ManagedObject?
  {
    try list(relationship, of: owner)?[position].flatMap { registered($0.key, of: relationship) }
  }

  /// Whether an object is one of the members. Links that are not known are read.
  ///
  /// - Throws: what prevents reading them.
  func contains(
    _ object: ManagedObject, _ relationship: RelationshipRuntime, of owner: ManagedObject
  ) throws -> Bool {
    if let known = Links(state).isLinked(owner, relationship, object) { return known }
    try load(relationship, of: owner)
    return Links(state).isLinked(owner, relationship, object) ?? false
  }

  /// The number of members. It reads no object.
  ///
  /// - Throws: what prevents counting.
  func count(_ relationship: RelationshipRuntime, of owner: ManagedObject) throws -> Int {
    let place = RelationshipPlace(owner, relationship)
    try readIfRefreshed(place, relationship)
    state.relationships.forgetOldLinks(of: place)
    let known = state.relationships.changeKnown(place, { $0.count })
    if let count = known.flatMap(\.self) { return count }
    if owner.key < 0 { return 0 }
    state.lazyLoads?.noteCount(relationship, of: owner, state.cohorts.cohort(of: owner))
    let former = state.beginLazy(.toManyCount, relationship, of: owner, count: 1)
    defer { former?.end() }
    // First, because it can make the objects that a cascade has deleted, which are changes.
    let session = try state.session(reading: relationship.destination)
    let changedKeys = state.relationships.changeKnown(place) { $0.changedKeys } ?? []
    let mayHaveDeletions = state.changed.mayHaveDeletions(
      root: state.container.entities[relationship.destination].root)
    let map = state.maps[relationship.destination]
    guard let slot = relationship.inverseSlot, changedKeys.count <= Self.greatestKeyCount,
      !mayHaveDeletions, map.count == 0
    else {
      // A change of links may add one that exists, and others may have made an object a member that
      // is deleted here, or that is in memory with another owner, so the keys must be known.
      let receiver = RelatedKeyReceiver(map, relationship.inverseSlot, of: owner.key)
      try session.fetchRelated(
        RelatedQuery(
          entity: owner.runtime.index, relationship: relationship.ordinal, owners: [owner.key],
          wantsKeysOnly: true),
        into: receiver)
      return state.relationships.changeKnown(place) { $0.count(ofKeys: receiver.keys) }
        ?? receiver.keys.count
    }
    var query = StoreQuery(
      entity: relationship.destination,
      condition: .holds(.slot(slot), .equal, .parameter(0), resultForNull: false),
      parameters: [.integer(owner.key)])
    if let condition = query.condition, !changedKeys.isEmpty {
      // Another context may have added or removed the same objects, so they are not counted in the
      // store.
      query.parameters += changedKeys.map { .integer($0) }
      query.condition = .and([
        condition,
        .isIn(
          .key, parameters: 1..<query.parameters.count, isNegated: true, resultForNull: false),
      ])
    }
    let stored = try session.count(query)
    return state.relationships.changeKnown(place) { $0.count(unchanged: stored) } ?? stored
  }

  /// Reads the members of an object that was refreshed, if they have not been read since. The
  /// members take newer rows, so that both ends agree.
  ///
  /// - Throws: what prevents reading them.
  func readIfRefreshed(_ place: RelationshipPlace, _ relationship: RelationshipRuntime) throws {
    guard state.relationships.hasRefreshedMembers,
      state.relationships[place]?.refreshed != nil,
      let owner = state.object(entity: place.entity, key: place.key)
    else { return }
    try load(relationship, of: owner)
  }

  /// The greatest number of changed objects that a count leaves out by their keys: databases limit
  /// the constants of a statement.
  private static let greatestKeyCount = 30_000

  /// Reads the members of an object and of its neighbors, if they have not been read.
  ///
  /// - Throws: what prevents reading them.
  func load(_ relationship: RelationshipRuntime, of owner: ManagedObject) throws {
    let place = RelationshipPlace(owner, relationship)
    if owner.key < 0 || state.relationships.isLoaded(place) { return }
    var keys = [owner.key]
    if let cohort = state.cohorts.cohort(of: owner) {
      let map = state.maps[owner.runtime.index]
      var other = place
      keys = cohort.neighbors(of: owner.key).filter { key in
        other.key = key
        if key == owner.key { return true }
        // A neighbor can be of an entity that has no such relationship.
        guard let neighbor = map.object(key),
          neighbor.flags.isDisjoint(with: [.deleted, .gone, .missing]),
          neighbor.isObject(of: relationship.declaringEntity)
        else { return false }
        return !state.relationships.isLoaded(other)
      }
    }
    state.lazyLoads?.noteMembers(
      relationship, of: owner, state.cohorts.cohort(of: owner), count: keys.count)
    let former = state.beginLazy(.toMany, relationship, of: owner, count: keys.count)
    defer { former?.end() }
    try load(relationship, of: owner.runtime, keys)
  }

  /// Others have linked objects that are deleted here: the links go with them.
  private func remove(
    _ members: ContiguousArray<DeletedMember>, _ relationship: RelationshipRuntime, of owner: Int64
  ) {
    if members.isEmpty { return }
    guard case .toMany(let ordinal, _) = relationship.inverse else { return }
    let inverse = state.container.entities[relationship.destination].relationships[ordinal]
    let object = state.object(entity: relationship.declaringEntity, key: owner)
    if object?.flags.contains(.deleted) == true { return }
    let place = RelationshipPlace(relationship, key: owner)
    for (member, entry) in members {
      state.relationships.changeLinks(place, isOrdered: relationship.isOrdered) {
        $0.noteStoredLink(entry.key, member, position: entry.position, isRemovedHere: true)
      }
      // The position of the link in the other list is not known, so that one is read again.
      state.relationships.changeLinks(
        RelationshipPlace(member, inverse), isOrdered: inverse.isOrdered
      ) {
        $0.noteStoredLink(owner, object, position: nil, isRemovedHere: true)
        $0.unload()
        $0.noteLinkAtDeletion(owner)
      }
    }
  }

  /// Reads the members of some saved objects, with as few statements as the store needs.
  func load(_ relationship: RelationshipRuntime, of runtime: EntityRuntime, _ owners: [Int64])
    throws
  {
    let destination = state.container.entities[relationship.destination]
    // Objects that nobody holds are released before new ones are made, not after.
    state.sweepIfDue(destination.index)
    if relationship.countLimits != nil {
      // The version of the owner stands for the number of its members, so it must not be newer than
      // they are.
      let map = state.maps[runtime.index]
      try FaultHandler(state).fill(owners.compactMap { map.object($0) })
    }
    let refreshed = refreshed(relationship, owners)
    if !refreshed.isEmpty { _ = state.noteMutations() }
    let receiver = RelatedRowReceiver(core, state, destination, of: relationship, refreshed)
    try state.session(reading: relationship.destination).fetchRelated(
      RelatedQuery(entity: runtime.index, relationship: relationship.ordinal, owners: owners),
      into: receiver)
    receiver.finishOwner()
    let areLinks = relationship.links != nil
    let time = state.relationships.readTime()
    let isAhead = state.merging.cursor != nil && state.container.log.isBehind
    for owner in owners {
      let entries = receiver.entries[owner] ?? []
      let place = RelationshipPlace(relationship, key: owner)
      if isAhead { state.merging.ahead.insert(place) }
      if areLinks {
        state.relationships.changeLinks(place, isOrdered: relationship.isOrdered) {
          $0.load(entries, areLinks: true, at: time)
        }
        remove(receiver.deleted[owner] ?? [], relationship, of: owner)
      } else {
        if refreshed.contains(owner) { forgetFormer(place, relationship, entries) }
        state.relationships.change(place, isOrdered: relationship.isOrdered) {
          $0.load(entries, at: time)
        }
      }
    }
    receiver.notifyAwake(state.origin(relationship, of: runtime, owners.first))
  }

  /// The owners, of some, that were refreshed since their members were read.
  private func refreshed(_ relationship: RelationshipRuntime, _ owners: [Int64]) -> Set<Int64> {
    if relationship.links != nil || !state.relationships.hasRefreshedMembers { return [] }
    return Set(
      owners.filter {
        state.relationships[RelationshipPlace(relationship, key: $0)]?.refreshed != nil
      })
  }

  /// The former members of an object that was refreshed, which the store does not have any more:
  /// those that still refer to it have old rows, and become faults. One with unsaved changes stays;
  /// its save finds the conflict.
  private func forgetFormer(
    _ place: RelationshipPlace, _ relationship: RelationshipRuntime,
    _ entries: ContiguousArray<MemberEntry>
  ) {
    guard let former = state.relationships[place]?.refreshed, !former.isEmpty,
      let slot = relationship.inverseSlot
    else { return }
    let keys = Set(entries.lazy.map(\.key))
    for key in former where !keys.contains(key) {
      guard let object = registered(key, of: relationship) else { continue }
      if object.storedReference(slot) == place.key { object.turnIntoFaultIfUnchanged(state) }
    }
  }

  /// The saved objects among some whose members have not been read.
  func unread(_ relationship: RelationshipRuntime, of owners: some Sequence<ManagedObject>)
    -> [Int64]
  {
    owners.compactMap { owner in
      let place = RelationshipPlace(owner, relationship)
      return owner.key < 0 || state.relationships.isLoaded(place) ? nil : owner.key
    }
  }
}

/// A member of a list of links that is deleted here and not yet in the store.
private typealias DeletedMember = (object: ManagedObject, entry: MemberEntry)

/// Collects the keys of related objects that are not deleted here, and reads no row. An object in
/// memory belongs to the owner that it says, as for ``RelatedRowReceiver``.
private final class RelatedKeyReceiver: RelatedReceiver {
  private(set) var keys: Set<Int64> = []
  private let map: IdentityMap
  private let inverseSlot: Int?
  private let owner: Int64

  init(_ map: IdentityMap, _ inverseSlot: Int?, of owner: Int64) {
    (self.map, self.inverseSlot, self.owner) = (map, inverseSlot, owner)
  }

  private func add(_ key: Int64) {
    if let object = map.object(key) {
      if object.flags.contains(.deleted) { return }
      if let inverseSlot, object.flags.contains(.fault) == false,
        object.storedReference(inverseSlot) != owner
      {
        return
      }
    }
    keys.insert(key)
  }

  func beginRow(relatedTo owner: Int64, position: Int64?) {}
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) {}
  func skip(key: Int64) { add(key) }
  func receive(key: Int64, failure: PersistenceError) { add(key) }
}

/// Turns the rows of related objects into objects, and collects their keys by owner.
private final class RelatedRowReceiver: RelatedReceiver {
  private(set) var entries: [Int64: ContiguousArray<MemberEntry>] = [:]
  /// The linked objects that are deleted here, by owner.
  private(set) var deleted: [Int64: ContiguousArray<DeletedMember>] = [:]
  private var awaking: [ManagedObject] = []
  // @exclusivity(unchecked), here and below, as in FetchReceiver: these are accessed for each row.
  // One read on one isolation uses this.
  @exclusivity(unchecked) private var owner: Int64 = 0
  @exclusivity(unchecked) private var position: Int64?
  /// The entries of the current owner.
  @exclusivity(unchecked) private var own: ContiguousArray<MemberEntry> = []
  @exclusivity(unchecked) private var current: ManagedObject?
  /// The keys of the objects that have new values.
  @exclusivity(unchecked) private var made: [Int64] = []
  /// The cohort of these objects; 0 if they need none.
  private let cohort: UInt32
  private let core: ContextCore
  private let state: ContextState
  private let runtime: EntityRuntime
  private let objectClass: ManagedObject.Type
  private let map: IdentityMap
  private let relationship: RelationshipRuntime
  private let isOrdered: Bool
  private let isInFamily: Bool
  /// Whether rows can be those of subentities.
  private let readsKinds: Bool
  /// Whether the members of other objects that were read before may lack an object.
  private let completesMembers: Bool
  private let overridesHooks: Bool
  /// The owners that were refreshed: what the context has of their members may be old.
  private let refreshed: Set<Int64>
  /// Whether the current owner is one of them.
  @exclusivity(unchecked) private var isRefreshing = false

  init(
    _ core: ContextCore, _ state: ContextState, _ runtime: EntityRuntime,
    of relationship: RelationshipRuntime, _ refreshed: Set<Int64>
  ) {
    self.refreshed = refreshed
    isOrdered = relationship.isOrdered
    let hasSubentities = runtime.hasSubentities
    isInFamily = runtime.isInFamily
    readsKinds = hasSubentities
    let ownMemberships = relationship.inverseSlot == nil ? 0 : 1
    completesMembers =
      runtime.memberships.count > ownMemberships && !state.relationships.isEmpty
    // The class of a subentity may override hooks that this one does not.
    overridesHooks = runtime.overridesHooks || hasSubentities && state.container.overridesHooks
    self.core = core
    self.state = state
    self.runtime = runtime
    self.relationship = relationship
    objectClass = runtime.objectClass
    map = state.maps[runtime.index]
    cohort = runtime.hasRelationships || hasSubentities ? state.cohorts.reserve() : 0
  }

  func beginRow(relatedTo owner: Int64, position: Int64?) {
    // The rows of one owner follow each other.
    if owner != self.owner {
      finishOwner()
      isRefreshing = !refreshed.isEmpty && refreshed.contains(owner)
    }
    self.owner = owner
    self.position = position
  }

  /// Notes the entries of the last owner.
  func finishOwner() {
    if own.isEmpty { return }
    entries[owner, default: []] += own
    own.removeAll(keepingCapacity: true)
  }

  func wantsRow(key: Int64, version: Int64) -> Bool {
    // Usually the context does not have the object. References to none are counted, too.
    if current != nil { current = nil }
    guard map.contains(key) else { return true }
    current = map.object(key)
    guard let current, !current.flags.contains(.fault) else { return true }
    if isRefreshing, !current.hasChanges, let row = current.row, row.version != version {
      return true
    }
    return isInFamily && !current.isObject(of: runtime.index)
  }

  func receive(key: Int64, row: consuming PackedRow) {
    if let current, !isInFamily || row.entity == current.runtime.index {
      if let former = current.row {
        state.collect { $0.noteRow(of: current, former: former) }
      }
      current.adoptRow(row)
      note(current, key)
    } else {
      if readsKinds || current != nil {
        return receive(key, row, of: core.container.runtime(of: row))
      }
      let object = objectClass.init(
        _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row))
      note(object, key)
      if completesMembers { return complete(object, key) }
      map.set(key, consume object)
    }
  }

  /// Adds a new object to the members of its other owners, which may have been read before.
  private func complete(_ object: ManagedObject, _ key: Int64) {
    map.set(key, object)
    state.noteRead(object)
  }

  /// Makes the object of a row that may belong to a subentity. The context may have it as an object
  /// of another entity, if another program has changed the entity of the row. That object is
  /// missing now.
  private func receive(_ key: Int64, _ row: consuming PackedRow, of runtime: EntityRuntime) {
    current?.loseRow()
    current = nil
    let object = runtime.objectClass.init(
      _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row))
    note(object, key)
    complete(object, key)
  }

  @inline(__always)
  private func note(_ object: ManagedObject, _ key: Int64) {
    if overridesHooks { awaking.append(object) }
    if object.cohort == 0 { object.cohort = cohort }
    made.append(key)
    add(key)
  }

  /// Adds a member of the current owner.
  private func add(_ key: Int64) {
    var place: Int64 = 0
    if isOrdered {
      // What an object in memory says of its position is stronger than a newer row.
      let known = relationship.positionSlot.flatMap { slot in
        current.flatMap { $0.flags.contains(.fault) ? nil : $0.heldPosition(slot) }
      }
      place = known ?? position.map(MemberEntry.position(stored:)) ?? .min
    }
    let entry = MemberEntry(position: place, key: key)
    own.append(entry)
    if let current, current.flags.contains(.deleted), relationship.links != nil {
      deleted[owner, default: []].append((current, entry))
    }
  }

  func skip(key: Int64) {
    // What an object in memory says of its owner is stronger than a newer row.
    if let slot = relationship.inverseSlot, current?.storedReference(slot) != owner { return }
    add(key)
  }

  func receive(key: Int64, failure: PersistenceError) {
    let object =
      state.object(key, of: runtime) ?? NewObjects(state, core).fault(key, runtime, 0)
    object.fail(failure)
    add(key)
  }

  /// Calls `awakeFromFetch()`, after the store is done, because a hook may read other objects.
  func notifyAwake(_ origin: CohortOrigin) {
    if cohort != 0 { state.noteCohort(cohort, of: made, in: map, origin) }
    for object in awaking where object.runtime.overridesHooks { object.awakeFromFetch() }
  }
}
