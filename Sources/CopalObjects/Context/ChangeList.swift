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
  // Returned, so that nothing is released while the list changes: a person's deinit may insert.
  mutating func removeAll() -> ContiguousArray<ManagedObject> {
    let all = objects
    self = ChangeList()
    for object in all { object.flags.remove(.listed) }
    return all
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
