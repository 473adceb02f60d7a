import CopalModel
import CopalStore

/// One object of a list, with what decides its place.
struct ResultEntry {
  let object: ManagedObject
  /// For each sort key the sorted form of the object's value. In a list that is not judged in
  /// memory, only for the key of its sections.
  let forms: [PropertyValue]
  /// The value of its section; null without sections.
  let section: PropertyValue
}

/// The order of a list.
struct ResultOrder {
  let sortKeys: [BoundSortKey]

  func isBefore(_ a: ResultEntry, _ b: ResultEntry) -> Bool {
    sortKeys.order(a.forms, b.forms)
      ?? (PendingMerge.insertionOrder(a.object.key) < PendingMerge.insertionOrder(b.object.key))
  }

  /// The same for the key of the sections alone.
  func isInSectionBefore(_ a: ResultEntry, _ b: ResultEntry) -> Bool {
    sortKeys[0].isBefore(a.forms[0], b.forms[0]) ?? false
  }
}

/// The objects of a list in their order.
///
/// They are kept in chunks, so that a change moves the rest of one chunk and not the rest of the
/// list; see ``MemberList``.
struct ResultList: Sequence {
  /// Each chunk has at least one entry.
  private(set) var chunks: ContiguousArray<ContiguousArray<ResultEntry>> = []
  private(set) var count = 0

  /// A chunk that becomes longer is divided.
  static let greatestChunk = 256

  init() {}

  /// - Precondition: the entries are in their order.
  init(sorted entries: some Collection<ResultEntry>) {
    count = entries.count
    var rest = entries[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.greatestChunk / 2)
      chunks.append(ContiguousArray(part))
      rest = rest.dropFirst(part.count)
    }
  }

  func makeIterator() -> FlattenSequence<ContiguousArray<ContiguousArray<ResultEntry>>>.Iterator {
    chunks.joined().makeIterator()
  }

  /// The entry at a position of the list, which has one there.
  subscript(position: Int) -> ResultEntry {
    let (chunk, item) = place(at: position)
    return chunks[chunk][item]
  }

  /// The chunk of a position, and the place there. Behind the last entry, there is no such chunk.
  func place(at position: Int) -> (chunk: Int, item: Int) {
    var rest = position
    for chunk in chunks.indices {
      if rest < chunks[chunk].count { return (chunk, rest) }
      rest -= chunks[chunk].count
    }
    return (chunks.count, rest)
  }

  /// The number of entries before one: its position, if it is in the list.
  func position(of entry: ResultEntry, _ order: ResultOrder) -> Int {
    let (chunk, place) = place(ofListed: entry, order) ?? place(of: entry, order)
    return chunks[..<chunk].reduce(place) { $0 + $1.count }
  }

  mutating func insert(_ entry: ResultEntry, _ order: ResultOrder) {
    count += 1
    if chunks.isEmpty { return chunks.append([entry]) }
    let (chunk, place) = place(of: entry, order)
    chunks[chunk].insert(entry, at: place)
    if chunks[chunk].count <= Self.greatestChunk { return }
    let middle = chunks[chunk].count / 2
    let second = ContiguousArray(chunks[chunk][middle...])
    chunks[chunk].removeSubrange(middle...)
    chunks.insert(second, at: chunk + 1)
  }

  /// Removes an entry that is in the list.
  mutating func remove(_ entry: ResultEntry, _ order: ResultOrder) {
    guard let (chunk, place) = place(ofListed: entry, order) else { return }
    chunks[chunk].remove(at: place)
    count -= 1
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// Removes the entries behind the first ones.
  ///
  /// - Returns: what was removed.
  mutating func removeLast(from position: Int) -> [ResultEntry] {
    var removed: [ResultEntry] = []
    while count > position, let last = chunks.last {
      let kept = Swift.max(0, last.count - (count - position))
      removed = last[kept...] + removed
      count -= last.count - kept
      if kept == 0 {
        chunks.removeLast()
      } else {
        chunks[chunks.count - 1].removeSubrange(kept...)
      }
    }
    return removed
  }

  /// The last entry.
  var last: ResultEntry? { chunks.last?.last }

  /// The chunk of an entry that is in the list, and its place there.
  ///
  /// A save gives new objects their keys in their order, but for one that becomes another object
  /// and leaves: among equal objects, it is not where its key says, and it is searched for.
  private func place(ofListed entry: ResultEntry, _ order: ResultOrder) -> (chunk: Int, place: Int)?
  {
    let (chunk, place) = place(of: entry, order)
    if chunks.indices.contains(chunk), chunks[chunk].indices.contains(place),
      chunks[chunk][place].object === entry.object
    {
      return (chunk, place)
    }
    for (chunk, entries) in chunks.enumerated() {
      if let place = entries.firstIndex(where: { $0.object === entry.object }) {
        return (chunk, place)
      }
    }
    return nil
  }

  /// The chunk of an entry, and its place there.
  private func place(of entry: ResultEntry, _ order: ResultOrder) -> (chunk: Int, place: Int) {
    if chunks.isEmpty { return (0, 0) }
    let chunk = Swift.max(
      0, chunks.partition { $0.first.map { !order.isBefore(entry, $0) } ?? false } - 1)
    return (chunk, chunks[chunk].partition { order.isBefore($0, entry) })
  }
}
