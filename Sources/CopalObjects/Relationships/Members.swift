import CopalStore

/// What a context knows of the objects of one to-many relationship of one object.
///
/// The truth is in the to-one relationships of the members: in their rows, and in their changes. The members of the owner
/// are the stored ones, without those that refer to another object now, and with those that refer to the owner now.
struct Members {
  /// The keys of the saved objects whose rows refer to the owner, ascending; nil when they have not been read.
  private(set) var stored: ContiguousArray<Int64>?
  /// The objects that refer to the owner, and whose rows do not, by the order of their changes.
  private var incoming: [ObjectIdentifier: (object: ManagedObject, number: Int)] = [:]
  private var incomingCount = 0
  /// The keys of the objects whose rows refer to the owner, and which do not.
  private var outgoing: Set<Int64> = []
  /// The keys of the members in their order. Kept until the next change.
  private var ordered: ContiguousArray<Int64>?

  /// - Parameter isNew: whether the owner is new, so that the store has no members.
  init(isNew: Bool) { stored = isNew ? [] : nil }

  var isLoaded: Bool { stored != nil }

  /// Whether there are changes that no save has written.
  var hasChanges: Bool { !incoming.isEmpty || !outgoing.isEmpty }

  /// The members, if the stored ones have been read.
  var keys: ContiguousArray<Int64>? {
    mutating get {
      if let ordered { return ordered }
      guard let stored else { return nil }
      let made = made(from: stored)
      ordered = made
      return made
    }
  }

  /// By key, new objects last, in the order in which they were added.
  private func made(from stored: ContiguousArray<Int64>) -> ContiguousArray<Int64> {
    var keys = outgoing.isEmpty ? stored : stored.filter { !outgoing.contains($0) }
    if incoming.isEmpty { return keys }
    let added = incoming.values.sorted { $0.number < $1.number }.map(\.object.key)
    let saved = added.filter { $0 > 0 }
    if !saved.isEmpty {
      keys += saved
      keys.sort()
    }
    return keys + added.filter { $0 < 0 }
  }

  /// The number of members, for a number of stored ones.
  func count(stored: Int) -> Int { max(0, stored - outgoing.count) + incoming.count }

  /// The number of members, if the stored ones have been read.
  var count: Int? { stored.map { count(stored: $0.count) } }

  // MARK: Changes

  /// Notes what an object refers to: in its row, and now.
  mutating func note(_ object: ManagedObject, isStored: Bool, isMember: Bool) {
    ordered = nil
    let id = ObjectIdentifier(object)
    if isMember, !isStored {
      if incoming[id] == nil {
        incomingCount += 1
        incoming[id] = (object, incomingCount)
      }
    } else {
      incoming[id] = nil
    }
    if object.key > 0 {
      if isStored, !isMember { outgoing.insert(object.key) } else { outgoing.remove(object.key) }
      setStored(object.key, isStored)
    }
  }

  private mutating func setStored(_ key: Int64, _ isStored: Bool) {
    // Without a second reference to the list, with which each change would copy the list.
    guard let position = stored?.position(of: key), let count = stored?.count else { return }
    let isThere = position < count && stored?[position] == key
    if isStored == isThere { return }
    if isStored { stored?.insert(key, at: position) } else { stored?.remove(at: position) }
  }

  /// Takes the keys of the stored members, ascending.
  mutating func load(_ keys: ContiguousArray<Int64>) {
    stored = keys
    ordered = nil
  }

  /// Forgets the stored members, so that the next access reads them.
  mutating func unload() {
    stored = nil
    ordered = nil
  }
}

extension ContiguousArray<Int64> {
  /// The position of the first number in an ascending list that is not below a number.
  fileprivate func position(of key: Int64) -> Int {
    // Usually the key is a new one, the greatest.
    if last.map({ $0 < key }) ?? true { return count }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
