/// The batches so far, for contexts that do not merge: their objects become faults at the next
/// call.
struct BatchLog {
  /// The number of all batches.
  private(set) var total = 0
  /// For each entity, the number of the last batch that has changed objects of it.
  private var lastByEntity: [Int]
  /// The last batches, as long as they have few keys together.
  private var last: [WrittenObjects] = []
  private var keyCount = 0

  init(entityCount: Int) { lastByEntity = [Int](repeating: 0, count: entityCount) }

  mutating func add(_ written: WrittenObjects) {
    total += 1
    for entity in written.entities { lastByEntity[entity] = total }
    last.append(written)
    keyCount += written.keyCount
    if keyCount <= WrittenObjects.limit, last.count <= WrittenObjects.limit { return }
    // Half of them at a time, so that each batch is moved a few times only.
    let dropped = max(1, last.count / 2)
    keyCount -= last[..<dropped].reduce(0) { $0 + $1.keyCount }
    last.removeFirst(dropped)
  }

  /// What the batches have written after the one with a number.
  func written(after seen: Int) -> WrittenObjects {
    guard total - seen <= last.count else {
      return WrittenObjects(
        of: Set(lastByEntity.indices.filter { lastByEntity[$0] > seen }), keys: nil)
    }
    return last.suffix(total - seen).reduce(into: WrittenObjects()) { $0.formUnion($1) }
  }
}
