import CopalEssentials

/// The temporary keys of saved objects, each with its permanent key, so that an id from before the
/// first save still finds its object.
///
/// Stored as runs, because a save turns consecutive temporary keys of a root into consecutive
/// permanent ones: a hundred thousand inserts are a few runs. Keys of deleted objects are removed.
struct TemporaryKeys {
  private struct Root {
    /// From temporary keys, without their sign, to permanent ones, and back.
    var permanent = KeyRuns()
    var temporary = KeyRuns()
  }

  /// By position of the root entity; only as long as needed.
  private var roots: ContiguousArray<Root> = []
  /// The unused keys of each root's last block, without their sign.
  private var free: ContiguousArray<Range<Int64>>

  /// - Parameter entityCount: the number of entities of the model.
  init(entityCount: Int) { free = ContiguousArray(repeating: 0..<0, count: entityCount) }

  /// The key of a new object of a root's entities.
  ///
  /// Each root takes its keys in blocks, so that they are consecutive even when objects of several
  /// entities are inserted alternately.
  ///
  /// - Parameter reserve: reserves a block of keys.
  mutating func makeKey(root: Int, reserving reserve: () -> Range<Int64>) -> Int64 {
    free.withUnsafeMutableBufferPointer { keys in
      if keys[root].isEmpty { keys[root] = reserve() }
      let first = keys[root].lowerBound
      keys[root] = first &+ 1..<keys[root].upperBound
      return 0 &- first
    }
  }

  var isEmpty: Bool { roots.allSatisfy { $0.permanent.isEmpty } }

  /// The number of stored runs, which is the memory that they cost.
  var runCount: Int {
    roots.reduce(0) { $0 + $1.permanent.runCount + $1.temporary.runCount }
  }

  /// Adds the permanent key of a temporary one.
  mutating func add(temporary: Int64, permanent: Int64, root: Int) {
    while root >= roots.count { roots.append(Root()) }
    let magnitude = 0 &- temporary
    // Each key has one partner. A custom store may return a key twice.
    if let former = roots[root].permanent.add(magnitude, permanent) {
      roots[root].temporary.remove(CollectionOfOne(former))
    }
    if let former = roots[root].temporary.add(permanent, magnitude) {
      roots[root].permanent.remove(CollectionOfOne(former))
    }
  }

  /// Adds another temporary key of an object: of one that has become it.
  mutating func addAlias(temporary: Int64, permanent: Int64, root: Int) {
    guard temporaryKey(of: permanent, root: root) != nil else {
      return add(temporary: temporary, permanent: permanent, root: root)
    }
    _ = roots[root].permanent.add(0 &- temporary, permanent)
  }

  /// Adds the permanent keys of some objects, whose keys are consecutive before and after their
  /// first save, as those of an import are. It costs the same for any number of them.
  mutating func add(_ run: Run) {
    while run.root >= roots.count { roots.append(Root()) }
    let magnitude = 0 &- run.temporary
    if roots[run.root].permanent.canAppend(magnitude, count: run.count),
      roots[run.root].temporary.canAppend(run.permanent, count: run.count)
    {
      roots[run.root].permanent.append(magnitude, run.permanent, count: run.count)
      roots[run.root].temporary.append(run.permanent, magnitude, count: run.count)
      return
    }
    for offset in 0..<Int64(run.count) {
      add(
        temporary: run.temporary &- offset, permanent: run.permanent &+ offset, root: run.root)
    }
  }

  /// Objects of one root whose temporary keys and whose permanent keys are consecutive.
  struct Run {
    let root: Int
    /// The keys of the first object.
    let temporary: Int64
    let permanent: Int64
    private(set) var count = 1

    /// Adds an object, if its keys follow.
    mutating func isExtended(temporary next: Int64, permanent key: Int64, root: Int) -> Bool {
      let length = Int64(count)
      guard next == temporary &- length, key == permanent &+ length, root == self.root else {
        return false
      }
      count += 1
      return true
    }
  }

  /// The permanent key of a temporary one; nil when this context has not saved the object, or has
  /// saved its deletion since.
  func permanentKey(of temporary: Int64, root: Int) -> Int64? {
    guard root < roots.count else { return nil }
    return roots[root].permanent[0 &- temporary]
  }

  /// The temporary key of an object before its first save in this context; nil when it had none, or
  /// when its deletion was saved.
  func temporaryKey(of permanent: Int64, root: Int) -> Int64? {
    guard root < roots.count else { return nil }
    return roots[root].temporary[permanent].map { 0 &- $0 }
  }

  /// Removes objects by their permanent keys, in any order.
  mutating func remove(permanent keys: [Int64], root: Int) {
    guard root < roots.count, !roots[root].temporary.isEmpty else { return }
    let temporaries = keys.compactMap { roots[root].temporary[$0] }
    roots[root].permanent.remove(temporaries.inOrder())
    roots[root].temporary.remove(keys.inOrder())
  }
}
