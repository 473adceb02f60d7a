import CopalStore

/// One object in the list of a to-many relationship.
///
/// Members are in the order of their positions, and by key where the positions are equal. In an
/// unordered relationship, the position of a saved object is 0, and that of a new one is the number
/// of the change that has added it. So new objects come last.
struct MemberEntry: Comparable {
  var position: Int64
  var key: Int64

  /// The position in a list for one that is stored. Other programs may write a number that would
  /// mean the end of a list.
  static func position(stored: Int64) -> Int64 { min(stored, ListPosition.end - 1) }

  static func < (a: MemberEntry, b: MemberEntry) -> Bool {
    a.position == b.position ? a.key < b.key : a.position < b.position
  }
}

/// The members of an owner in their order.
///
/// A long list is kept in chunks, so that a change in its middle moves the rest of one chunk and
/// not the rest of the list: emptying a list of 100,000 members from its front costs ten times as
/// much as one of 10,000.
struct MemberList {
  /// Each chunk has at least one entry.
  private var chunks: ContiguousArray<ContiguousArray<MemberEntry>> = []
  private(set) var count = 0

  /// A chunk that becomes longer is divided.
  static let greatestChunk = 2048

  init() {}

  /// - Precondition: the entries are in their order.
  init(sorted entries: ContiguousArray<MemberEntry>) {
    count = entries.count
    if count <= Self.greatestChunk {
      if count > 0 { chunks = [entries] }
      return
    }
    let step = Self.greatestChunk / 2
    for start in stride(from: 0, to: count, by: step) {
      chunks.append(ContiguousArray(entries[start..<min(start + step, count)]))
    }
  }

  /// - Parameter entries: in any order.
  init(sorting entries: ContiguousArray<MemberEntry>) {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0 < $1 }
    self.init(sorted: isSorted ? entries : ContiguousArray(entries.sorted()))
  }

  var isEmpty: Bool { count == 0 }

  var first: MemberEntry? { chunks.first?.first }
  var last: MemberEntry? { chunks.last?.last }

  /// The entry at a position; nil outside of the list.
  subscript(index: Int) -> MemberEntry? {
    guard index >= 0, index < count else { return nil }
    var rest = index
    for chunk in chunks {
      if rest < chunk.count { return chunk[rest] }
      rest -= chunk.count
    }
    return nil
  }

  func forEach(_ body: (MemberEntry) -> Void) {
    for chunk in chunks { for entry in chunk { body(entry) } }
  }

  func contains(_ entry: MemberEntry) -> Bool {
    if chunks.isEmpty { return false }
    let (chunk, place) = place(of: entry)
    return place < chunks[chunk].count && chunks[chunk][place] == entry
  }

  /// The number of entries before an entry.
  func index(of entry: MemberEntry) -> Int {
    if chunks.isEmpty { return 0 }
    let (chunk, place) = place(of: entry)
    return chunks[..<chunk].reduce(place) { $0 + $1.count }
  }

  /// Adds an entry, once.
  mutating func insert(_ entry: MemberEntry) {
    if chunks.isEmpty {
      chunks.append([entry])
      count = 1
      return
    }
    let (chunk, place) = place(of: entry)
    if place == chunks[chunk].count {
      // Usually a new member.
      chunks[chunk].append(entry)
    } else if chunks[chunk][place] == entry {
      return
    } else {
      chunks[chunk].insert(entry, at: place)
    }
    count += 1
    if chunks[chunk].count > Self.greatestChunk { divide(chunk) }
  }

  /// Removes an entry, if it is in the list.
  mutating func remove(_ entry: MemberEntry) {
    if chunks.isEmpty { return }
    let (chunk, place) = place(of: entry)
    guard place < chunks[chunk].count, chunks[chunk][place] == entry else { return }
    chunks[chunk].remove(at: place)
    count -= 1
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// Replaces an entry by another one of the same object.
  mutating func replace(_ old: MemberEntry, by new: MemberEntry) {
    if old == new, contains(old) { return }
    if !chunks.isEmpty {
      let (chunk, place) = place(of: old)
      // Usually a save gives an entry a greater key, and its place stays the same.
      if place > 0, place < chunks[chunk].count - 1, chunks[chunk][place] == old,
        chunks[chunk][place - 1] < new, new < chunks[chunk][place + 1]
      {
        chunks[chunk][place] = new
        return
      }
    }
    remove(old)
    insert(new)
  }

  /// Replaces the last entries by as many that are in their order, and behind the rest.
  ///
  /// - Returns: whether it is done; false when these entries are not the last ones, or the others
  ///   not in this order.
  mutating func replaceLast(
    _ old: ContiguousArray<MemberEntry>, by new: ContiguousArray<MemberEntry>
  ) -> Bool {
    let start = count - old.count
    guard start >= 0, old.count == new.count, let first = new.first,
      self[start - 1].map({ $0 < first }) ?? true,
      zip(new, new.dropFirst()).allSatisfy({ $0 < $1 })
    else { return false }
    // The chunk where they begin, and the number of entries before it.
    var (begin, before) = (0, 0)
    while begin < chunks.count, before + chunks[begin].count <= start {
      before += chunks[begin].count
      begin += 1
    }
    guard chunks[begin...].joined().dropFirst(start - before).elementsEqual(old) else {
      return false
    }
    var position = before - start
    for chunk in begin..<chunks.count {
      for place in chunks[chunk].indices {
        if position >= 0 { chunks[chunk][place] = new[position] }
        position += 1
      }
    }
    return true
  }

  private mutating func divide(_ chunk: Int) {
    let middle = chunks[chunk].count / 2
    let second = ContiguousArray(chunks[chunk][middle...])
    chunks[chunk].removeSubrange(middle...)
    chunks.insert(second, at: chunk + 1)
  }

  /// The chunk of an entry, and its place there.
  ///
  /// - Precondition: the list is not empty.
  private func place(of entry: MemberEntry) -> (chunk: Int, place: Int) {
    let last = chunks.count - 1
    // Usually the entry is the last one.
    if let end = chunks[last].last, end < entry { return (last, chunks[last].count) }
    let chunk = max(0, chunks.partition { $0.first.map { !(entry < $0) } ?? false } - 1)
    return (chunk, chunks[chunk].partition { $0 < entry })
  }
}
