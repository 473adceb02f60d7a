/// The objects that are members of an owner and not stored ones, in the order in which they were added.
///
/// Objects are usually added at the end, and a save takes them away from the front. Neither needs a hash.
struct AddedMembers {
  /// An object and its place in the list of the owner.
  struct Member {
    let object: ManagedObject
    let number: Int64
    var entry: MemberEntry
  }

  /// nil for an object that was removed.
  private var places: ContiguousArray<Member?> = []
  /// No object is before this position.
  private var first = 0
  private(set) var count = 0
  /// The position of each object. Built when an object in between is looked up among many.
  private var positions: [ObjectIdentifier: Int]?

  var isEmpty: Bool { count == 0 }

  /// The members in the order in which they were added.
  var all: [Member] { places[first...].compactMap(\.self) }

  mutating func member(_ object: ManagedObject) -> Member? {
    position(of: object).flatMap { places[$0] }
  }

  /// Adds an object that is not there.
  mutating func append(_ member: Member) {
    positions?[ObjectIdentifier(member.object)] = places.count
    places.append(member)
    count += 1
  }

  /// Gives an object that is there another place in the list of the owner.
  mutating func set(_ entry: MemberEntry, of object: ManagedObject) {
    guard let position = position(of: object) else { return }
    places[position]?.entry = entry
  }

  /// Removes an object, if it is there.
  @discardableResult
  mutating func remove(_ object: ManagedObject) -> Member? {
    guard let position = position(of: object), let removed = places[position] else { return nil }
    count -= 1
    if count == 0 {
      self = AddedMembers()
      return removed
    }
    positions?[ObjectIdentifier(object)] = nil
    places[position] = nil
    while places[first] == nil { first += 1 }
    while let last = places.last, last == nil { places.removeLast() }
    if places.count > 64, count < places.count / 8 { keepOnly { _ in true } }
    return removed
  }

  /// Removes the members without a property.
  mutating func keepOnly(_ isKept: (Member) -> Bool) {
    let kept = all.filter(isKept)
    self = AddedMembers()
    places = ContiguousArray(kept)
    count = kept.count
  }

  private mutating func position(of object: ManagedObject) -> Int? {
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
