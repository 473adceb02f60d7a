import CopalEssentials
import CopalStore

/// What a context knows of the objects of one to-many relationship of one object.
///
/// Where the inverse is to-one, the truth is in the to-one relationships of the members: in their
/// rows, and in their changes. The members of the owner are the stored ones, without those that
/// refer to another object now, and with those that refer to the owner now. Where the members are
/// linked, the changes are the links that the next save adds, removes and moves, and both ends have
/// them.
///
/// Keys and no references, so that objects that nobody uses are released. Only added objects are
/// held.
struct KnownMembers {
  /// The members in their order; nil when the stored ones have not been read, and while
  /// `isUnlisted`.
  // Whatever changes it calls `noteSortChange(_:)` or `dropSortOrder()`.
  private var listed: MemberList?
  /// Whether all members were added, and nothing has asked for their list. Most programs that
  /// insert objects never do.
  private var isUnlisted: Bool
  /// The members in the sort order of the model, and the changes since it was made; nil when
  /// nothing is kept.
  var sorted: SortedMembers?
  /// The objects that are members, and not stored ones.
  private var added = AddedMembers()
  /// The keys of the stored members that do not belong to the owner any more, with their stored
  /// positions.
  private var removed: [Int64: Int64] = [:]
  /// The links that have moved, by the key of the member.
  private var moved: [Int64: Move] = [:]
  /// The keys of the added objects that were removed before, while it was not known whether the
  /// store has their links. If it has, nothing has changed.
  private var returned: Set<Int64> = []
  /// In an ordered relationship, the position of each member in the list. Made at the first change.
  private var positions: [Int64: Int64]?
  /// The number of the last addition.
  private var number: Int64 = 0
  /// The last position at the end of the list that was given to a member; 0 for none.
  private var lastEnd: Int64 = 0
  /// The keys of the objects that were linked when the owner was deleted.
  var linksAtDeletion: [Int64] = []
  private let isOrdered: Bool
  /// When the stored members were read, in the time of the context's relationships.
  private(set) var readAt: Int
  /// The keys of the members when the owner was refreshed, until they are read again; nil when it
  /// was not.
  private(set) var refreshed: [Int64]?

  private struct Move {
    var stored: Int64
    var now: Int64
  }

  /// - Parameters:
  ///   - isNew: whether the owner is new, so that the store has no members.
  ///   - isOrdered: whether the members have an order of their own.
  ///   - readAt: the time of the context's relationships.
  init(isNew: Bool, isOrdered: Bool, readAt: Int = 0) {
    self.readAt = readAt
    isUnlisted = isNew && !isOrdered
    listed = isNew && isOrdered ? MemberList() : nil
    self.isOrdered = isOrdered
  }

  var isLoaded: Bool { isUnlisted || listed != nil }

  /// The members in their order; nil when the stored ones have not been read.
  var list: MemberList? {
    mutating get {
      makeList()
      return listed
    }
  }

  private mutating func makeList() {
    guard isUnlisted else { return }
    isUnlisted = false
    listed = MemberList(sorted: added.entries.now)
  }

  /// Whether there are changes that no save has written.
  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || !moved.isEmpty }

  /// The number of members, for the number of those stored ones that were not changed here.
  func count(unchanged stored: Int) -> Int { stored + added.count }

  /// The keys of the stored objects that were added or removed here. Another context may have done
  /// the same.
  var changedKeys: [Int64] {
    removed.keys + (added.haveStored ? added.all.map(\.object.key).filter { $0 > 0 } : [])
  }

  /// The number of linked objects, for the keys of those that are linked in the store.
  func count(ofKeys stored: Set<Int64>) -> Int {
    stored.count { removed[$0] == nil } + added.all.count { !stored.contains($0.object.key) }
  }

  /// The number of members, if the stored ones have been read.
  var count: Int? { isUnlisted ? added.count : listed?.count }

  // MARK: Where the inverse is to-one

  /// Notes what an object refers to: in its row, and now.
  ///
  /// - Parameters:
  ///   - position: the position in an ordered relationship, in the row of the object or changed.
  ///   - isNew: whether it is known that the object was not a member before.
  mutating func note(
    _ object: ManagedObject, isStored: Bool, isMember: Bool, position: Int64? = nil,
    isNew: Bool = false
  ) {
    makeList()
    let key = object.key
    let place = isNew || added.isEmpty ? nil : added.position(of: object)
    let former = place.flatMap { added.entry(at: $0) }
    // In no list yet.
    let isAbsent = isNew && removed.isEmpty && key < 0
    let old =
      former ?? MemberEntry(position: isAbsent ? 0 : knownPosition(of: key), key: key)
    if isMember {
      let new = MemberEntry(
        position: isOrdered
          ? position ?? .min : key > 0 ? 0 : former?.position ?? makeNumber(),
        key: key)
      if isAbsent {
        insert(new)
      } else {
        self.place(new, insteadOf: old)
      }
      if isStored {
        if let place { added.remove(object, at: place) }
      } else if let place {
        added.set(new, at: place)
      } else {
        added.append(AddedMembers.Member(object: object, entry: new))
      }
      if isOrdered { noteEnd(new.position) }
    } else {
      if let place { added.remove(object, at: place) }
      removeFromList(old)
      positions?[key] = nil
    }
    if key > 0 {
      if isStored, !isMember { removed[key] = 0 } else if !removed.isEmpty { removed[key] = nil }
    }
    if isOrdered, added.isEmpty,
      listed?.last.map({ !ListPosition.isRelative($0.position) }) ?? true
    {
      lastEnd = 0
    }
  }

  /// Adds a new object that was not a member before, where the members have no order.
  mutating func addNew(_ object: ManagedObject) {
    let entry = MemberEntry(position: makeNumber(), key: object.key)
    added.append(AddedMembers.Member(object: object, entry: entry))
    if !isUnlisted { insert(entry) }
  }

  /// No object has changes any more: the members are the stored ones. For members without an order.
  mutating func storeChanges() {
    if isOrdered { return }
    removed = [:]
    if added.isEmpty { return }
    let (old, new) = added.entries
    added = AddedMembers()
    if isUnlisted {
      isUnlisted = false
      listed = MemberList(sorting: new)
    } else if old != new {
      // Usually all of them are new, and behind the others.
      if listed?.replaceLast(old, by: new) == true {
        for entry in [old, new].joined() { noteSortChange(entry.key) }
        return
      }
      for (old, new) in zip(old, new) { place(new, insteadOf: old) }
    }
  }

  private mutating func makeNumber() -> Int64 {
    number += 1
    return number
  }

  /// The position of a member in the list.
  private mutating func knownPosition(of key: Int64) -> Int64 {
    guard isOrdered, listed != nil else { return 0 }
    return allPositions[key] ?? 0
  }

  private var allPositions: [Int64: Int64] {
    mutating get {
      if let positions { return positions }
      var made: [Int64: Int64] = [:]
      made.reserveCapacity(listed?.count ?? 0)
      listed?.forEach { made[$0.key] = $0.position }
      positions = made
      return made
    }
  }

  private mutating func place(_ new: MemberEntry, insteadOf old: MemberEntry) {
    // A save notes members that stay the same.
    if sorted != nil, old != new || listed?.contains(new) != true {
      noteSortChange(old.key)
      noteSortChange(new.key)
    }
    listed?.replace(old, by: new)
    guard isOrdered, positions != nil else { return }
    if old.key != new.key { positions?[old.key] = nil }
    positions?[new.key] = new.position
  }

  private mutating func removeFromList(_ entry: MemberEntry) {
    noteSortChange(entry.key)
    listed?.remove(entry)
  }

  // Usually there is none, and nothing is written.
  private mutating func dropSortOrder() { if sorted != nil { sorted = nil } }
  private func noteSortChange(_ key: Int64) { sorted?.noteChange(of: key) }

  // MARK: Order

  /// The entry of an object that is a member; nil when the members have not been read.
  mutating func entry(of object: ManagedObject) -> MemberEntry? {
    makeList()
    if let entry = added.entry(of: object) { return entry }
    let entry = MemberEntry(position: knownPosition(of: object.key), key: object.key)
    return listed?.contains(entry) == true ? entry : nil
  }

  /// The position of an object that is appended: behind those that this context knows, and behind
  /// those that another context has appended in the meantime.
  mutating func makeEndPosition() -> Int64 {
    let last = max(lastEnd, listed?.last?.position ?? 0, ListPosition.end)
    // Other programs may write any number.
    let (next, isTooGreat) = last.addingReportingOverflow(ListPosition.step)
    lastEnd = isTooGreat ? .max : next
    return lastEnd
  }

  private mutating func noteEnd(_ position: Int64) {
    if ListPosition.isRelative(position) { lastEnd = max(lastEnd, position) }
  }

  /// Whether the members have been read, and an object is none of them.
  mutating func lacks(_ object: ManagedObject) -> Bool {
    makeList()
    return listed != nil && entry(of: object) == nil
  }

  // MARK: Links

  /// The links that the next save adds, removes and moves: the other objects and their positions.
  var linkChanges: LinkChanges {
    LinkChanges(
      added: added.all.map { ($0.object, $0.entry.position) },
      removed: removed.keys.inOrder(),
      moved: moved.inOrder { $0.key < $1.key }.map { ($0.key, $0.value.now) })
  }

  struct LinkChanges {
    let added: [(object: ManagedObject, position: Int64)]
    let removed: [Int64]
    let moved: [(key: Int64, position: Int64)]
  }

  /// Whether an object is linked; nil when that is not known.
  mutating func isLinked(_ object: ManagedObject) -> Bool? {
    makeList()
    if added.position(of: object) != nil { return true }
    if removed[object.key] != nil || object.key < 0 { return false }
    guard let listed else { return nil }
    if isOrdered { return allPositions[object.key] != nil }
    return listed.contains(MemberEntry(position: 0, key: object.key))
  }

  /// Whether the store has the link of an object, without the changes of this context; nil when the
  /// stored members have not been read.
  mutating func isStoredLink(_ object: ManagedObject) -> Bool? {
    if listed == nil { return nil }
    if added.position(of: object) != nil { return false }
    return removed[object.key] != nil ? true : isLinked(object)
  }

  /// Links an object. Where the stored members have not been read, the link is added in any case:
  /// adding one that exists changes nothing.
  ///
  /// - Parameters:
  ///   - position: the position in an ordered relationship; nil to append the object.
  ///   - isStored: whether the store has the link, if an end of it knows that.
  mutating func link(_ object: ManagedObject, at position: Int64? = nil, isStored: Bool? = nil) {
    if isLinked(object) == true { return }
    let key = object.key
    let stored = removed.removeValue(forKey: key)
    // The removal of a link is taken back. In a list with an order it gets another position.
    if let stored, listed != nil || isStored == true {
      let new = position ?? (isOrdered ? makeEndPosition() : 0)
      insert(MemberEntry(position: new, key: key))
      if isOrdered { moved[key] = Move(stored: stored, now: new) }
      return
    }
    if stored != nil, isStored == nil { returned.insert(key) }
    let entry = MemberEntry(
      position: isOrdered ? position ?? makeEndPosition() : key > 0 ? 0 : makeNumber(), key: key)
    added.append(AddedMembers.Member(object: object, entry: entry))
    insert(entry)
  }

  private mutating func insert(_ entry: MemberEntry) {
    noteSortChange(entry.key)
    listed?.insert(entry)
    positions?[entry.key] = entry.position
    if isOrdered { noteEnd(entry.position) }
  }

  /// Removes the link of an object.
  ///
  /// - Parameter isStored: whether the store has the link, if an end of it knows that.
  mutating func unlink(_ object: ManagedObject, isStored: Bool? = nil) {
    let key = object.key
    if isLinked(object) == false {
      // The other end was read later. This one must not show the link when it is read again.
      if isStored == true, key > 0, removed[key] == nil { removed[key] = 0 }
      return
    }
    let former = added.remove(object)
    returned.remove(key)
    let position = former?.position ?? knownPosition(of: key)
    removeFromList(MemberEntry(position: position, key: key))
    positions?[key] = nil
    if key > 0, isStored ?? (former == nil || listed == nil) {
      removed[key] = moved.removeValue(forKey: key)?.stored ?? position
    }
  }

  /// Gives a member another position.
  mutating func move(_ key: Int64, _ object: ManagedObject?, to position: Int64) {
    makeList()
    if let object, let place = added.position(of: object),
      let former = added.entry(at: place)
    {
      let entry = MemberEntry(position: position, key: key)
      added.set(entry, at: place)
      self.place(entry, insteadOf: former)
    } else {
      let former = knownPosition(of: key)
      moved[key] = Move(stored: moved[key]?.stored ?? former, now: position)
      place(
        MemberEntry(position: position, key: key),
        insteadOf: MemberEntry(position: former, key: key))
    }
    noteEnd(position)
  }

  /// A save has written the changes of links.
  ///
  /// - Parameter written: the position of a link in the store, if the save has written it.
  mutating func finishLinks(_ written: (_ member: Int64) -> Int64?) {
    // A new object that is being deleted is in no store.
    let unsaved = added.all.filter { $0.object.key < 0 }
    for former in added.all {
      let key = former.object.key
      if key < 0 { continue }
      let position = isOrdered ? written(key) ?? former.entry.position : 0
      place(MemberEntry(position: position, key: key), insteadOf: former.entry)
    }
    for (key, move) in moved {
      let entry = MemberEntry(position: move.now, key: key)
      if let position = written(key) {
        place(MemberEntry(position: position, key: key), insteadOf: entry)
      } else {
        // Others have removed the link.
        removeFromList(entry)
        positions?[key] = nil
      }
    }
    endChanges()
    for member in unsaved { added.append(member) }
  }

  // MARK: What others have saved

  /// Others have made an object, which the context does not have or has not read, a member, or have
  /// removed it. For members whose inverse is to-one.
  mutating func noteStored(_ key: Int64, isMember: Bool, position: Int64?) {
    makeList()
    guard listed != nil else { return }
    let old = MemberEntry(position: knownPosition(of: key), key: key)
    guard isMember else {
      removeFromList(old)
      positions?[key] = nil
      return
    }
    // An object that has not been read has no place in it.
    dropSortOrder()
    place(MemberEntry(position: isOrdered ? position ?? .min : 0, key: key), insteadOf: old)
  }

  /// Others have linked an object, or have moved its link. Unsaved changes stay, except an addition
  /// of the same link.
  ///
  /// - Parameters:
  ///   - position: nil in a relationship without an order.
  ///   - isRemovedHere: whether the link is removed here: at the other end, or because one of the
  ///     objects is deleted.
  mutating func noteStoredLink(
    _ key: Int64, _ object: ManagedObject?, position: Int64?, isRemovedHere: Bool
  ) {
    makeList()
    if object == nil { dropSortOrder() }
    if let object { dropAddition(of: object) }
    let stored = isOrdered ? position ?? .min : 0
    if removed[key] != nil {
      removed[key] = stored
    } else if isRemovedHere {
      removeFromList(MemberEntry(position: knownPosition(of: key), key: key))
      positions?[key] = nil
      moved[key] = nil
      removed[key] = stored
    } else if moved[key] != nil {
      moved[key]?.stored = stored
    } else if listed != nil {
      place(
        MemberEntry(position: stored, key: key),
        insteadOf: MemberEntry(position: knownPosition(of: key), key: key))
    }
  }

  /// The object is deleted, and others have linked it since.
  mutating func noteLinkAtDeletion(_ key: Int64) {
    if !linksAtDeletion.contains(key) { linksAtDeletion.append(key) }
  }

  private mutating func dropAddition(of object: ManagedObject) {
    guard let former = added.remove(object) else { return }
    returned.remove(object.key)
    removeFromList(former)
    positions?[object.key] = nil
  }

  /// Others have removed a link. An unsaved addition stays; a move or a removal of the same link
  /// has no meaning any more.
  ///
  /// - Parameter isAddedHere: whether the link is added at the other end.
  mutating func noteStoredRemoval(_ key: Int64, _ object: ManagedObject?, isAddedHere: Bool) {
    makeList()
    if let object {
      if isAdded(object) { return }
      dropAddition(of: object)
    }
    moved[key] = nil
    if removed.removeValue(forKey: key) == nil {
      removeFromList(MemberEntry(position: knownPosition(of: key), key: key))
      positions?[key] = nil
    }
    if isAddedHere, let object { link(object) }
  }

  /// Whether the next save removes the link of an object.
  func isRemoved(_ key: Int64) -> Bool { removed[key] != nil }

  /// Whether the next save adds the link of an object, which the store does not have.
  mutating func isAdded(_ object: ManagedObject) -> Bool {
    added.position(of: object) != nil && !returned.contains(object.key)
  }

  /// Whether the link of an object has an unsaved change.
  mutating func isChanged(_ key: Int64, _ object: ManagedObject?) -> Bool {
    removed[key] != nil || moved[key] != nil
      || object.map { added.position(of: $0) != nil } ?? false
  }

  /// The position of a stored link; nil when the stored ones have not been read.
  mutating func storedPosition(ofLink key: Int64) -> Int64? {
    if let stored = removed[key] ?? moved[key]?.stored { return stored }
    return listed == nil ? nil : knownPosition(of: key)
  }

  /// An object was deleted in the store, and its links with it.
  mutating func dropLink(_ object: ManagedObject) {
    guard isLinked(object) == true else { return }
    let key = object.key
    let position = added.remove(object)?.position ?? knownPosition(of: key)
    removeFromList(MemberEntry(position: position, key: key))
    positions?[key] = nil
    moved[key] = nil
  }

  /// The changes of links are undone.
  mutating func forgetLinks() {
    for former in added.all {
      removeFromList(former.entry)
      positions?[former.entry.key] = nil
    }
    for (key, position) in removed { insert(MemberEntry(position: position, key: key)) }
    for (key, move) in moved { undo(move, of: key) }
    endChanges()
  }

  /// The change of one link is undone.
  mutating func forgetLink(_ object: ManagedObject) {
    let key = object.key
    if added.position(of: object) != nil {
      dropAddition(of: object)
    } else if let position = removed.removeValue(forKey: key) {
      insert(MemberEntry(position: position, key: key))
    } else if let move = moved.removeValue(forKey: key) {
      undo(move, of: key)
    }
  }

  /// The change of the link of an object is undone.
  mutating func forgetLink(ofKey key: Int64) {
    if let member = added.all.first(where: { $0.object.key == key }) {
      forgetLink(member.object)
    } else if let position = removed.removeValue(forKey: key) {
      insert(MemberEntry(position: position, key: key))
    } else if let move = moved.removeValue(forKey: key) {
      undo(move, of: key)
    }
  }

  private mutating func undo(_ move: Move, of key: Int64) {
    place(
      MemberEntry(position: move.stored, key: key),
      insteadOf: MemberEntry(position: move.now, key: key))
  }

  private mutating func endChanges() {
    (added, removed, moved, linksAtDeletion) = (AddedMembers(), [:], [:], [])
    returned = []
    lastEnd = 0
  }

  // MARK: The stored members

  /// Takes the stored members.
  ///
  /// - Parameters:
  ///   - areLinks: whether the changes are those of links, which were made without a look at the
  ///     stored ones.
  ///   - time: that of the context's relationships.
  mutating func load(
    _ stored: ContiguousArray<MemberEntry>, areLinks: Bool = false, at time: Int = 0
  ) {
    (readAt, refreshed) = (time, nil)
    let hasChanges = hasChanges
    var entries = stored
    if hasChanges {
      if areLinks { dropRedundantLinks(stored) }
      entries.removeAll { removed[$0.key] != nil }
      for index in entries.indices {
        if let move = moved[entries[index].key] { entries[index].position = move.now }
      }
      entries += added.all.map(\.entry)
    }
    dropSortOrder()
    isUnlisted = false
    listed = MemberList(sorting: entries)
    positions = nil
  }

  /// Forgets additions of links that exist, and removals of links that do not.
  private mutating func dropRedundantLinks(_ stored: ContiguousArray<MemberEntry>) {
    var positions: [Int64: Int64] = [:]
    for entry in stored { positions[entry.key] = entry.position }
    added.keepOnly { positions[$0.object.key] == nil }
    returned = []
    removed = removed.reduce(into: [:]) { result, old in
      if let position = positions[old.key] { result[old.key] = position }
    }
    moved = moved.reduce(into: [:]) { result, old in
      guard let position = positions[old.key] else { return }
      result[old.key] = Move(stored: position, now: old.value.now)
    }
  }

  /// The owner is refreshed: the next access reads the stored members. Changes stay.
  mutating func beginRefresh() {
    if refreshed == nil {
      var keys: [Int64] = []
      list?.forEach { keys.append($0.key) }
      refreshed = keys
    }
    unload()
  }

  /// Forgets the stored members, so that the next access reads them. Changes stay.
  mutating func unload() {
    dropSortOrder()
    isUnlisted = false
    listed = nil
    positions = nil
  }
}
