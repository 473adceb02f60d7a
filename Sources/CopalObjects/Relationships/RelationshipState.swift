import CopalModel
import CopalStore

/// A to-many relationship of one object.
struct RelationshipPlace: Hashable {
  /// The position of the root of the owner's entity.
  let root: Int
  /// The position of the relationship among those of the owner's entity.
  let ordinal: Int
  /// The key of the owner.
  var key: Int64

  init(root: Int, ordinal: Int, key: Int64) {
    self.root = root
    self.ordinal = ordinal
    self.key = key
  }

  init(_ owner: ManagedObject, _ relationship: RelationshipRuntime) {
    self.init(root: owner.runtime.root, ordinal: relationship.ordinal, key: owner.key)
  }
}

/// The to-many relationships of a context: the members of those objects for which something is known.
struct RelationshipState {
  /// By position of the root, position of the relationship, and key of the owner.
  private var tables: [[[Int64: Members]]] = []
  /// Whether anything is known.
  private(set) var isEmpty = true
  /// Where members have changed since the last save, of relationships whose inverse is to-one. Some may have no change any
  /// more.
  private var changed: Set<RelationshipPlace> = []
  /// Where links have changed since the last save.
  private(set) var linked: Set<RelationshipPlace> = []
  /// Where members have changed since the last save, of relationships with a least or a greatest number of members.
  private(set) var counted: Set<RelationshipPlace> = []

  subscript(place: RelationshipPlace) -> Members? {
    guard place.root < tables.count, place.ordinal < tables[place.root].count else { return nil }
    return tables[place.root][place.ordinal][place.key]
  }

  /// Changes what is known of the members of an object, in place.
  mutating func change<R>(
    _ place: RelationshipPlace, isOrdered: Bool, _ body: (inout Members) -> R
  ) -> R {
    while place.root >= tables.count { tables.append([]) }
    while place.ordinal >= tables[place.root].count { tables[place.root].append([:]) }
    isEmpty = false
    return body(
      &tables[place.root][place.ordinal][
        place.key, default: Members(isNew: place.key < 0, isOrdered: isOrdered)])
  }

  /// Changes what is known of the members of an object, in place, if something is known.
  @discardableResult
  mutating func changeKnown<R>(_ place: RelationshipPlace, _ body: (inout Members) -> R) -> R? {
    guard place.root < tables.count, place.ordinal < tables[place.root].count,
      let index = tables[place.root][place.ordinal].index(forKey: place.key)
    else { return nil }
    return body(&tables[place.root][place.ordinal].values[index])
  }

  /// Whether the members of an object have been read.
  // Asked for each object of a loop, so nothing is copied.
  mutating func isLoaded(_ place: RelationshipPlace) -> Bool {
    changeKnown(place) { $0.isLoaded } ?? false
  }

  /// The members of an object in their order; nil when they have not been read.
  mutating func list(_ place: RelationshipPlace) -> MemberList? {
    changeKnown(place) { $0.list }.flatMap(\.self)
  }

  /// Changes the members of an object whose inverse is to-one.
  mutating func changeMembers(
    _ place: RelationshipPlace, isOrdered: Bool, _ body: (inout Members) -> Void
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
    _ place: RelationshipPlace, isOrdered: Bool, _ body: (inout Members) -> Void
  ) {
    let hasChanges = change(place, isOrdered: isOrdered) { members in
      body(&members)
      return members.hasChanges
    }
    if hasChanges { linked.insert(place) } else { linked.remove(place) }
  }

  /// A save has written the changes of links, or a rollback has undone them.
  mutating func endLinks(_ body: (RelationshipPlace, inout Members) -> Void) {
    for place in linked { changeKnown(place) { body(place, &$0) } }
    linked = linked.filter { self[$0]?.hasChanges == true }
  }

  /// Removes a deleted object from the members of every object of a relationship that has links.
  mutating func dropLinks(to object: ManagedObject, root: Int, ordinal: Int) {
    guard root < tables.count, ordinal < tables[root].count else { return }
    for key in tables[root][ordinal].keys {
      changeKnown(RelationshipPlace(root: root, ordinal: ordinal, key: key)) { $0.dropLink(object) }
    }
  }

  /// The members of an object have changed, and their number has limits.
  mutating func noteCounted(_ place: RelationshipPlace) { counted.insert(place) }

  /// All changes are saved or undone.
  mutating func endCounted() { counted = [] }

  /// Whether anything is known of the members of objects of a root.
  func isKnown(root: Int) -> Bool {
    root < tables.count && tables[root].contains { !$0.isEmpty }
  }

  /// A new object has its permanent key.
  mutating func rename(_ root: Int, from temporary: Int64, to permanent: Int64) {
    guard !isEmpty, root < tables.count else { return }
    for ordinal in tables[root].indices {
      guard let members = tables[root][ordinal].removeValue(forKey: temporary) else { continue }
      tables[root][ordinal][permanent] = members
      let former = RelationshipPlace(root: root, ordinal: ordinal, key: temporary)
      let place = RelationshipPlace(root: root, ordinal: ordinal, key: permanent)
      if changed.remove(former) != nil { changed.insert(place) }
      if linked.remove(former) != nil { linked.insert(place) }
    }
  }

  /// Forgets the members of the objects that the context has released, except for changes.
  mutating func sweep(_ isKept: (_ root: Int, _ key: Int64) -> Bool) {
    if isEmpty { return }
    isEmpty = true
    for root in tables.indices {
      for ordinal in tables[root].indices {
        tables[root][ordinal] = tables[root][ordinal].filter { key, members in
          members.hasChanges || isKept(root, key)
        }
        if !tables[root][ordinal].isEmpty { isEmpty = false }
      }
    }
    forgetUnchanged()
  }

  mutating func removeAll() { self = RelationshipState() }

  /// Where something is known. For the checks of tests, which compare it with the objects.
  var places: [RelationshipPlace] {
    tables.indices.flatMap { root in
      tables[root].indices.flatMap { ordinal in
        tables[root][ordinal].keys.map { RelationshipPlace(root: root, ordinal: ordinal, key: $0) }
      }
    }
  }
}
