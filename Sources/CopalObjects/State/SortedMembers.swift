/// The members of an object in the sort order of the model.
///
/// Keys and no references, so that objects that nobody uses are released. The keys are in chunks,
/// and each key knows its chunk, so a member that changes is moved without a look at all the
/// others.
final class SortedMembers {
  /// The count of `OrderChanges` for which this is the order; nil until it is made.
  var changeCount: Int?
  /// The keys that were added to the members or removed from them since.
  private(set) var changed: Set<Int64> = []
  private var chunks: ContiguousArray<Chunk> = []
  /// Made for the first change.
  private var chunkByKey: [Int64: Chunk]?
  private(set) var count = 0

  private final class Chunk {
    var keys: ContiguousArray<Int64>
    init(_ keys: ContiguousArray<Int64>) { self.keys = keys }
  }

  /// A chunk that becomes longer is divided.
  static let greatestChunk = 1024

  /// Takes the keys of all members in their order.
  func set(_ keys: ContiguousArray<Int64>) {
    let step = Self.greatestChunk / 2
    chunks = ContiguousArray(
      stride(from: 0, to: keys.count, by: step).map { start in
        Chunk(ContiguousArray(keys[start..<min(start + step, keys.count)]))
      })
    (count, chunkByKey, changed) = (keys.count, nil, [])
  }

  /// The keys in their order.
  var keys: ContiguousArray<Int64> {
    if chunks.count == 1 { return chunks[0].keys }
    var all: ContiguousArray<Int64> = []
    all.reserveCapacity(count)
    for chunk in chunks { all += chunk.keys }
    return all
  }

  /// The key at a position; nil outside of the list.
  func key(at position: Int) -> Int64? {
    guard position >= 0 else { return nil }
    var rest = position
    for chunk in chunks {
      if rest < chunk.keys.count { return chunk.keys[rest] }
      rest -= chunk.keys.count
    }
    return nil
  }

  /// Notes that an object was added to the members or removed from them, or has another key.
  func noteChange(of key: Int64) { changed.insert(key) }

  /// Forgets the changes, which are done.
  func endChanges() { changed = [] }

  /// Removes a key, if it is there.
  func remove(_ key: Int64) {
    makeIndex()
    guard let chunk = chunkByKey?.removeValue(forKey: key),
      let place = chunk.keys.firstIndex(of: key)
    else { return }
    chunk.keys.remove(at: place)
    count -= 1
    if chunk.keys.isEmpty { chunks.removeAll { $0 === chunk } }
  }

  /// Puts a key before the first one for which a test is false.
  ///
  /// - Parameter isBefore: whether the member of a key is before the new one. True for those at the
  ///   front, and false for the rest.
  func insert(_ key: Int64, _ isBefore: (Int64) throws -> Bool) rethrows {
    makeIndex()
    count += 1
    if chunks.isEmpty { chunks = [Chunk([])] }
    let found = try chunks.partition { chunk in try chunk.keys.last.map(isBefore) ?? false }
    let position = min(found, chunks.count - 1)
    let chunk = chunks[position]
    chunk.keys.insert(key, at: try chunk.keys.partition(isBefore))
    chunkByKey?[key] = chunk
    if chunk.keys.count > Self.greatestChunk { divide(position) }
  }

  private func makeIndex() {
    if chunkByKey != nil { return }
    var made: [Int64: Chunk] = [:]
    made.reserveCapacity(count)
    for chunk in chunks { for key in chunk.keys { made[key] = chunk } }
    chunkByKey = made
  }

  private func divide(_ position: Int) {
    let first = chunks[position]
    let middle = first.keys.count / 2
    let second = Chunk(ContiguousArray(first.keys[middle...]))
    first.keys.removeSubrange(middle...)
    for key in second.keys { chunkByKey?[key] = second }
    chunks.insert(second, at: position + 1)
  }
}

extension ContiguousArray {
  /// The number of elements at the front with a property that no later element has.
  func partition(_ isBefore: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
