/// The objects with changes, in the order in which they were first changed.
///
/// Objects that have lost their changes since are still in it; their flags tell. It holds new objects
/// until they are saved. They are found by temporary key through an index that is made when somebody
/// looks: programs insert many objects and hardly ever look one up by a temporary id.
struct ChangeList {
  private(set) var objects: ContiguousArray<ManagedObject> = []
  private var positions: [Int64: Int] = [:]
  private var indexedCount = 0

  /// Takes an object in, once.
  @inline(__always)
  mutating func note(_ object: ManagedObject) {
    guard !object.flags.contains(.listed) else { return }
    object.flags.insert(.listed)
    objects.append(object)
  }

  /// Lets go of all objects.
  ///
  /// - Returns: what the list had.
  mutating func removeAll() -> ContiguousArray<ManagedObject> {
    let all = take()
    for object in all { object.flags.remove(.listed) }
    return all
  }

  /// Lets go of the objects that have no changes any more, and keeps the others in their order.
  mutating func removeUnchanged() {
    // As a rule nothing is kept.
    for object in take() {
      object.flags.remove(.listed)
      if object.hasChanges { note(object) }
    }
  }

  private mutating func take() -> ContiguousArray<ManagedObject> {
    defer { self = ChangeList() }
    return objects
  }

  /// The new object of a temporary key.
  mutating func newObject(_ key: Int64) -> ManagedObject? {
    for position in indexedCount..<objects.count where objects[position].key < 0 {
      positions[objects[position].key] = position
    }
    indexedCount = objects.count
    guard let position = positions[key] else { return nil }
    let object = objects[position]
    return object.key == key && !object.flags.contains(.gone) ? object : nil
  }
}
