import CopalEssentials
import CopalModel
import CopalStore

/// The to-many relationships of a context: the members of those objects for which something is
/// known.
struct RelationshipState {
  /// By position of the entity that has the relationship, position of the relationship, and key of
  /// the owner.
  private var tables: [[[Int64: KnownMembers]]] = []
  /// Whether anything is known.
  private(set) var isEmpty = true
  /// Where members have changed since the last save, of relationships whose inverse is to-one. Some
  /// may have no change any more.
  private var changed: Set<RelationshipPlace> = []
  /// Where links have changed since the last save.
  private(set) var linked: Set<RelationshipPlace> = []
  /// Where members have changed since the last save, of relationships with a least or a greatest
  /// number of members.
  private(set) var counted: Set<RelationshipPlace> = []
  /// Counts what was read and what was refreshed, so that of two ends it is known which is older.
  private var clock = 0
  /// When an object at the other end was last refreshed, by the links of the entity: those that
  /// were
  /// read before may be old. The keys of these places are 0.
  private var refreshedLinks: [RelationshipPlace: Int] = [:]
  /// Whether an object with members whose inverse is to-one was refreshed.
  private(set) var hasRefreshedMembers = false

  subscript(place: RelationshipPlace) -> KnownMembers? {
    guard place.entity < tables.count, place.ordinal < tables[place.entity].count else {
      return nil
    }
    return tables[place.entity][place.ordinal][place.key]
  }

  /// Changes what is known of the members of an object, in place.
  mutating func change<R>(
    _ place: RelationshipPlace, isOrdered: Bool, _ body: (inout KnownMembers) -> R
  ) -> R {
    while place.entity >= tables.count { tables.append([]) }
    while place.ordinal >= tables[place.entity].count { tables[place.entity].append([:]) }
    isEmpty = false
    return body(
      &tables[place.entity][place.ordinal][
        place.key,
        default: KnownMembers(isNew: place.key < 0, isOrdered: isOrdered, readAt: clock)])
  }

  /// Changes what is known of the members of an object, in place, if something is known.
  @discardableResult
  mutating func changeKnown<R>(_ place: RelationshipPlace, _ body: (inout KnownMembers) -> R) -> R?
  {
    guard place.entity < tables.count, place.ordinal < tables[place.entity].count,
      let index = tables[place.entity][place.ordinal].index(forKey: place.key)
    else { return nil }
    return body(&tables[place.entity][place.ordinal].values[index])
  }

  /// Whether the members of an object have been read.
  // Asked for each object of a loop, so nothing is copied.
  mutating func isLoaded(_ place: RelationshipPlace) -> Bool {
    forgetOldLinks(of: place)
    return changeKnown(place) { $0.isLoaded } ?? false
  }

  // MARK: What was refreshed

  /// The time of what is read now.
  mutating func readTime() -> Int {
    clock += 1
    return clock
  }

  /// Objects at the other end of some links were refreshed.
  mutating func noteRefresh(ofOtherEndOf entity: Int, ordinal: Int) {
    guard entity < tables.count, ordinal < tables[entity].count, !tables[entity][ordinal].isEmpty
    else { return }
    clock += 1
    refreshedLinks[RelationshipPlace(entity: entity, ordinal: ordinal, key: 0)] = clock
  }

  /// The members of an object, whose inverse is to-one, are read again, and with them what they say
  /// of their owner.
  mutating func noteRefresh(of place: RelationshipPlace, isOrdered: Bool) {
    hasRefreshedMembers = true
    change(place, isOrdered: isOrdered) { $0.beginRefresh() }
  }

  /// Forgets the links of an object that were read before an object at the other end was refreshed.
  /// Changes stay.
  mutating func forgetOldLinks(of place: RelationshipPlace) {
    if refreshedLinks.isEmpty || place.key < 0 { return }
    let table = RelationshipPlace(entity: place.entity, ordinal: place.ordinal, key: 0)
    guard let time = refreshedLinks[table] else { return }
    changeKnown(place) { if $0.readAt < time { $0.unload() } }
  }

  /// The members of an object in their order; nil when they have not been read.
  mutating func list(_ place: RelationshipPlace) -> MemberList? {
    changeKnown(place) { $0.list }.flatMap(\.self)
  }

  /// Changes the members of an object whose inverse is to-one.
  mutating func changeMembers(
    _ place: RelationshipPlace, isOrdered: Bool, _ body: (inout KnownMembers) -> Void
  ) {
    let isFirstChange = change(place, isOrdered: isOrdered) { members in
      let hadChanges = members.hasChanges
      body(&members)
      return !hadChanges && members.hasChanges
    }
    if isFirstChange { changed.insert(place) }
  }

  /// A save has written the changes of all objects, so all members are stored ones.
  mutating func storeChanges() {
    for place in changed { changeKnown(place) { $0.storeChanges() } }
    changed = []
  }

  /// Forgets where members have no changes any more.
  mutating func forgetUnchanged() {
    changed = changed.filter { self[$0]?.hasChanges == true }
  }

  /// Changes the links of an object.
  mutating func changeLinks(
    _ place: RelationshipPlace, isOrdered: Bool, _ body: (inout KnownMembers) -> Void
  ) {
    let hasChanges = change(place, isOrdered: isOrdered) { members in
      body(&members)
      return members.hasChanges
    }
    if hasChanges { linked.insert(place) } else { linked.remove(place) }
  }

  /// Changes the links of an object, if something is known of them.
  mutating func changeKnownLinks(_ place: RelationshipPlace, _ body: (inout KnownMembers) -> Void) {
    let hasChanges = changeKnown(place) { members in
      body(&members)
      return members.hasChanges
    }
    if hasChanges == false { linked.remove(place) }
  }

  /// A save has written the changes of links, or a rollback has undone them.
  mutating func endLinks(_ body: (RelationshipPlace, inout KnownMembers) -> Void) {
    for place in linked { changeKnown(place) { body(place, &$0) } }
    linked = linked.filter { self[$0]?.hasChanges == true }
  }

  /// Removes a deleted object from the members of every object of a relationship that has links.
  mutating func dropLinks(to object: ManagedObject, entity: Int, ordinal: Int) {
    guard entity < tables.count, ordinal < tables[entity].count else { return }
    for key in tables[entity][ordinal].keys {
      changeKnown(RelationshipPlace(entity: entity, ordinal: ordinal, key: key)) {
        $0.dropLink(object)
      }
    }
  }

  /// The places of a relationship of which something is known.
  func places(entity: Int, ordinal: Int) -> [RelationshipPlace] {
    guard entity < tables.count, ordinal < tables[entity].count else { return [] }
    return tables[entity][ordinal].keys.inOrder().map {
      RelationshipPlace(entity: entity, ordinal: ordinal, key: $0)
    }
  }

  /// The members of an object have changed, and their number has limits.
  mutating func noteCounted(_ place: RelationshipPlace) { counted.insert(place) }

  /// All changes are saved or undone.
  mutating func endCounted() { counted = [] }

  /// Whether anything is known of the members of objects of an entity.
  func isKnown(_ runtime: EntityRuntime) -> Bool {
    runtime.line.contains { $0 < tables.count && tables[$0].contains { !$0.isEmpty } }
  }

  /// A new object of an entity has its permanent key.
  mutating func rename(_ runtime: EntityRuntime, from temporary: Int64, to permanent: Int64) {
    if isEmpty { return }
    for entity in runtime.line where entity < tables.count {
      for ordinal in tables[entity].indices {
        guard let members = tables[entity][ordinal].removeValue(forKey: temporary) else { continue }
        tables[entity][ordinal][permanent] = members
        let former = RelationshipPlace(entity: entity, ordinal: ordinal, key: temporary)
        let place = RelationshipPlace(entity: entity, ordinal: ordinal, key: permanent)
        if changed.remove(former) != nil { changed.insert(place) }
        if linked.remove(former) != nil { linked.insert(place) }
      }
    }
  }

  /// Forgets everything of a new object, which has become another one.
  mutating func forget(_ runtime: EntityRuntime, key: Int64) {
    if isEmpty { return }
    for entity in runtime.line where entity < tables.count {
      for ordinal in tables[entity].indices {
        guard tables[entity][ordinal].removeValue(forKey: key) != nil else { continue }
        let place = RelationshipPlace(entity: entity, ordinal: ordinal, key: key)
        changed.remove(place)
        linked.remove(place)
        counted.remove(place)
      }
    }
  }

  /// Forgets the members of the objects that the context has released, except for changes.
  mutating func sweep(_ isKept: (_ entity: Int, _ key: Int64) -> Bool) {
    if isEmpty { return }
    isEmpty = true
    for entity in tables.indices {
      for ordinal in tables[entity].indices {
        tables[entity][ordinal] = tables[entity][ordinal].filter { key, members in
          members.hasChanges || isKept(entity, key)
        }
        if !tables[entity][ordinal].isEmpty { isEmpty = false }
      }
    }
    forgetUnchanged()
  }

  mutating func removeAll() { self = RelationshipState() }

  /// Where something is known. For the checks of tests, which compare it with the objects.
  var places: [RelationshipPlace] {
    tables.indices.flatMap { entity in
      tables[entity].indices.flatMap { ordinal in
        tables[entity][ordinal].keys.map {
          RelationshipPlace(entity: entity, ordinal: ordinal, key: $0)
        }
      }
    }
  }
}
