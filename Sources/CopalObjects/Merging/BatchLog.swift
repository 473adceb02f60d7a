/// The batches so far, for contexts that do not merge: their objects become faults at the next
/// call.
struct BatchLog {
  /// What a context has noticed.
  struct Seen {
    fileprivate(set) var total = 0
    fileprivate var counts: [Int] = []
  }

  /// The number of all batches.
  private(set) var total = 0
  /// The number of those that have changed objects of each entity.
  private var counts: [Int]
  /// The last batches, as long as they have few keys together.
  private var last: [WrittenObjects] = []
  private var keyCount = 0

  init(entityCount: Int) { counts = [Int](repeating: 0, count: entityCount) }

  var seen: Seen { Seen(total: total, counts: counts) }

  mutating func add(_ written: WrittenObjects) {
    total += 1
    for entity in written.entities { counts[entity] += 1 }
    last.append(written)
    keyCount += written.keyCount
    if keyCount <= WrittenObjects.limit, last.count <= WrittenObjects.limit { return }
    // Half of them at a time, so that each batch is moved a few times only.
    let dropped = max(1, last.count / 2)
    keyCount -= last[..<dropped].reduce(0) { $0 + $1.keyCount }
    last.removeFirst(dropped)
  }

  /// What the batches after some have written.
  func written(after seen: Seen) -> WrittenObjects {
    guard total - seen.total <= last.count else {
      return WrittenObjects(
        of: Set(counts.indices.filter { counts[$0] != seen.counts[$0] }), keys: nil)
    }
    return last.suffix(total - seen.total).reduce(into: WrittenObjects()) { $0.formUnion($1) }
  }
}
