/// The objects with changes, in the order of their first change.
///
/// An object without changes stays in the list until half of the list is such objects; then the
/// list is compacted. So memory and time grow with the current changes, not with all earlier ones.
struct ChangeList {
  private(set) var objects: ContiguousArray<ManagedObject> = []
  /// How often an object has lost its changes since the last compaction.
  private var lossCount = 0
  private var newObjects = NewObjectIndex()
  /// The number of objects at the front that have no changes.
  private var idleFront = 0
  /// The roots of the entities of which objects were deleted since the list was empty or compacted.
  private var deletedRoots: Set<Int> = []
  /// The last one that was added: usually many objects of one entity are deleted together.
  private var lastDeletedRoot: Int?

  /// The number of objects without changes below which the list is not compacted.
  static let leastLoss = 64

  /// Adds an object, once.
  mutating func note(_ object: ManagedObject) {
    if object.flags.contains(.deleted) { noteDeletion(root: object.runtime.root) }
    guard !object.flags.contains(.listed) else {
      idleFront = 0
      return
    }
    object.setListed(true)
    objects.append(object)
  }

  private mutating func noteDeletion(root: Int) {
    if root == lastDeletedRoot { return }
    lastDeletedRoot = root
    deletedRoots.insert(root)
  }

  /// Whether objects of a root may be deleted. It looks at no object.
  func mayHaveDeletions(root: Int) -> Bool { deletedRoots.contains(root) }

  /// Whether any object has changes. Remembers the objects at the front that have none, so that
  /// repeated calls stay cheap.
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

  /// Removes the objects without changes; the others keep their order.
  ///
  /// - Returns: the objects that the list had before.
  // Returned, so that no object is released while the list changes: a deinit may insert objects.
  mutating func compact() -> ContiguousArray<ManagedObject> {
    let all = objects
    self = ChangeList()
    for object in all {
      guard object.hasChanges else {
        object.setListed(false)
        continue
      }
      objects.append(object)
      if object.flags.contains(.deleted) { noteDeletion(root: object.runtime.root) }
    }
    return all
  }

  /// Removes all objects.
  ///
  /// - Returns: the objects that the list had.
  mutating func removeAll() -> ContiguousArray<ManagedObject> {
    let all = objects
    self = ChangeList()
    for object in all { object.setListed(false) }
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

/// The positions of new objects in a list of changes, by temporary key. Built at the first look-up,
/// because programs insert many objects and rarely look one up by a temporary id.
private struct NewObjectIndex {
  private var positions: [Int64: Int] = [:]
  /// The number of objects of the list that have been added.
  private(set) var count = 0

  mutating func add(_ objects: ArraySlice<ManagedObject>) {
    for object in objects {
      if object.key < 0 { positions[object.key] = count }
      count += 1
    }
  }

  func position(of key: Int64) -> Int? { positions[key] }
}
