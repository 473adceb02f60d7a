/// The objects that are members of an owner and not stored ones, in the order in which they were
/// added.
///
/// Objects are usually added at the end. A save takes all of them away at once, or one by one from
/// the front where they have an order. Neither needs a hash.
struct AddedMembers {
  /// An object and its place in the list of the owner.
  struct Member {
    let object: ManagedObject
    var entry: MemberEntry
  }

  /// nil for an object that was removed.
  private var places: ContiguousArray<Member?> = []
  /// No object is before this position.
  private var first = 0
  private(set) var count = 0
  /// Whether an object that the store has was added since there was none.
  private(set) var haveStored = false
  /// The position of each object. Built when an object in between is looked up among many.
  private var positions: [ObjectIdentifier: Int]?

  var isEmpty: Bool { count == 0 }

  /// The members in the order in which they were added.
  var all: [Member] { places[first...].compactMap(\.self) }

  /// The entries of the objects in the list of the owner, and those that they have when they are
  /// stored, where the members have no order.
  var entries: (now: ContiguousArray<MemberEntry>, stored: ContiguousArray<MemberEntry>) {
    var now: ContiguousArray<MemberEntry> = []
    var stored: ContiguousArray<MemberEntry> = []
    now.reserveCapacity(count)
    stored.reserveCapacity(count)
    // Pointers, because references to each object would be counted.
    places.withUnsafeBufferPointer { places in
      for position in first..<places.count {
        guard let entry = places[position]?.entry, let key = places[position]?.object.key else {
          continue
        }
        now.append(entry)
        stored.append(MemberEntry(position: 0, key: key))
      }
    }
    return (now, stored)
  }

  /// The entry of an object in the list of the owner; nil when the object was not added.
  mutating func entry(of object: ManagedObject) -> MemberEntry? {
    position(of: object).flatMap { places[$0]?.entry }
  }

  /// The entry of an added object.
  func entry(at position: Int) -> MemberEntry? { places[position]?.entry }

  /// Adds an object that is not there.
  mutating func append(_ member: Member) {
    positions?[ObjectIdentifier(member.object)] = places.count
    places.append(member)
    count += 1
    if member.object.key > 0 { haveStored = true }
  }

  /// Gives an added object another place in the list of the owner.
  mutating func set(_ entry: MemberEntry, at position: Int) { places[position]?.entry = entry }

  /// Removes an object, if it is there.
  ///
  /// - Returns: its entry in the list of the owner.
  @discardableResult
  mutating func remove(_ object: ManagedObject) -> MemberEntry? {
    guard let position = position(of: object), let entry = places[position]?.entry else {
      return nil
    }
    remove(object, at: position)
    return entry
  }

  /// Removes the object at a position.
  mutating func remove(_ object: ManagedObject, at position: Int) {
    count -= 1
    if count == 0 {
      self = AddedMembers()
      return
    }
    positions?[ObjectIdentifier(object)] = nil
    places[position] = nil
    while places[first] == nil { first += 1 }
    while let last = places.last, last == nil { places.removeLast() }
    if places.count > 64, count < places.count / 8 { keepOnly { _ in true } }
  }

  /// Removes the members without a property.
  mutating func keepOnly(_ isKept: (Member) -> Bool) {
    let kept = all.filter(isKept)
    let haveStored = haveStored
    self = AddedMembers()
    places = ContiguousArray(kept)
    count = kept.count
    self.haveStored = haveStored
  }

  /// The position of an object among the added ones; nil when it is not there.
  mutating func position(of object: ManagedObject) -> Int? {
    guard count > 0 else { return nil }
    if places[first]?.object === object { return first }
    if places[places.count - 1]?.object === object { return places.count - 1 }
    if places.count - first <= 8 {
      return places[first...].firstIndex { $0?.object === object }
    }
    if positions == nil { positions = madePositions() }
    return positions?[ObjectIdentifier(object)]
  }

  private func madePositions() -> [ObjectIdentifier: Int] {
    var made: [ObjectIdentifier: Int] = [:]
    made.reserveCapacity(count)
    for position in first..<places.count {
      if let member = places[position] { made[ObjectIdentifier(member.object)] = position }
    }
    return made
  }
}
