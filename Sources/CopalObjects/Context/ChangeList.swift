/// The objects with changes, in the order in which they were first changed.
///
/// An object that loses its changes stays in the list until the list is compacted, which happens when
/// half of it has lost theirs. So memory and the cost of looking through the list grow with the changes
/// that there are, not with those that there have been.
struct ChangeList {
  private(set) var objects: ContiguousArray<ManagedObject> = []
  /// How often an object has lost its changes since the list was last compacted.
  private var lossCount = 0
  private var newObjects = NewObjectIndex()
  /// How many objects at the front are known to have no changes.
  private var idleFront = 0

  /// How many objects must have lost their changes before the list is compacted.
  static let leastLoss = 64

  /// Adds an object, once.
  @inline(__always)
  mutating func note(_ object: ManagedObject) {
    guard !object.flags.contains(.listed) else {
      idleFront = 0
      return
    }
    object.flags.insert(.listed)
    objects.append(object)
  }

  /// Whether an object has changes. Who asks again does not look again at those that have lost theirs.
  var hasChanges: Bool {
    mutating get {
      while idleFront < objects.count, !objects[idleFront].hasChanges { idleFront += 1 }
      return idleFront < objects.count
    }
  }

  /// Notes that an object has lost its changes.
  mutating func noteLoss() { lossCount += 1 }

  /// Whether half of the objects have lost their changes.
  var isCompactionDue: Bool { lossCount >= Self.leastLoss && lossCount > objects.count / 2 }

  /// Removes the objects that have no changes any more; the others keep their order.
  ///
  /// - Returns: what the list had before.
  // Returned, so that nothing is released while the list changes: a user's deinit may insert.
  mutating func compact() -> ContiguousArray<ManagedObject> {
    let all = removeAll()
    for object in all where object.hasChanges { note(object) }
    return all
  }

  /// Removes all objects.
  ///
  /// - Returns: what the list had.
  mutating func removeAll() -> ContiguousArray<ManagedObject> {
    let all = objects
    self = ChangeList()
    for object in all { object.flags.remove(.listed) }
    return all
  }

  /// The new object of a temporary key.
  mutating func newObject(_ key: Int64) -> ManagedObject? {
    newObjects.add(objects[newObjects.count...])
    guard let position = newObjects.position(of: key) else { return nil }
    let object = objects[position]
    return object.key == key && !object.flags.contains(.gone) ? object : nil
  }
}

/// Where the new objects of a list of changes are, by temporary key: made when somebody looks, since
/// programs insert many objects and hardly ever look one up by a temporary id.
private struct NewObjectIndex {
  private var positions: [Int64: Int] = [:]
  /// How many objects of the list have been added.
  private(set) var count = 0

  mutating func add(_ objects: ArraySlice<ManagedObject>) {
    for object in objects {
      if object.key < 0 { positions[object.key] = count }
      count += 1
    }
  }

  func position(of key: Int64) -> Int? { positions[key] }
}
