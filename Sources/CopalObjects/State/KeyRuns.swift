/// A map from keys to keys, stored as runs of consecutive keys with consecutive targets.
///
/// Runs are sorted and as long as possible. A look-up is a binary search, and memory grows with the
/// number of runs, not of keys.
struct KeyRuns {
  private struct Run {
    var first: Int64
    /// The target of the first key.
    var target: Int64
    var count: UInt64

    /// The position of a key in the run; nil when it is not in the run.
    // Wrapping arithmetic, here and below: a custom store may use any keys, and the greatest Int64
    // has no successor.
    func distance(to key: Int64) -> UInt64? {
      let distance = UInt64(bitPattern: key &- first)
      return key >= first && distance < count ? distance : nil
    }

    func isContinued(by key: Int64, _ target: Int64) -> Bool {
      key > first && UInt64(bitPattern: key &- first) == count
        && UInt64(bitPattern: target &- self.target) == count
    }

    func prefix(_ length: UInt64) -> Run { Run(first: first, target: target, count: length) }

    func dropFirst(_ length: UInt64) -> Run {
      let distance = Int64(bitPattern: length)
      return Run(first: first &+ distance, target: target &+ distance, count: count - length)
    }
  }

  // Sorted by first key, without overlaps.
  private var runs: ContiguousArray<Run> = []

  /// The number of runs, which is the memory that the map costs.
  var runCount: Int { runs.count }

  var isEmpty: Bool { runs.isEmpty }

  /// The target of a key.
  subscript(key: Int64) -> Int64? {
    let position = endOfRuns(upTo: key) - 1
    guard position >= 0, let distance = runs[position].distance(to: key) else { return nil }
    return runs[position].target &+ Int64(bitPattern: distance)
  }

  /// The number of runs that begin at the key or before it.
  private func endOfRuns(upTo key: Int64) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].first <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changing

  /// Whether a run of keys can be appended: the keys are greater than all others.
  func canAppend(_ first: Int64, count: Int) -> Bool {
    guard count > 0, first <= Int64.max - Int64(count) else { return false }
    guard let last = runs.last else { return true }
    return first > last.first && UInt64(bitPattern: first &- last.first) >= last.count
  }

  /// Appends consecutive keys with consecutive targets.
  ///
  /// - Precondition: ``canAppend(_:count:)``.
  mutating func append(_ first: Int64, _ target: Int64, count: Int) {
    if let last = runs.indices.last, runs[last].isContinued(by: first, target) {
      runs[last].count &+= UInt64(count)
    } else {
      runs.append(Run(first: first, target: target, count: UInt64(count)))
    }
  }

  /// Sets the target of a key.
  ///
  /// - Returns: the former target.
  mutating func add(_ key: Int64, _ target: Int64) -> Int64? {
    // Fast path: nearly every key follows the last one.
    guard let last = runs.indices.last, runs[last].isContinued(by: key, target) else {
      return insert(key, target)
    }
    runs[last].count &+= 1
    return nil
  }

  @inline(never)
  private mutating func insert(_ key: Int64, _ target: Int64) -> Int64? {
    let former = self[key]
    if former != nil { remove(CollectionOfOne(key)) }
    let position = endOfRuns(upTo: key)
    var new = Run(first: key, target: target, count: 1)
    var (start, end) = (position, position)
    if position > 0, runs[position - 1].isContinued(by: key, target) {
      start -= 1
      new = runs[start].prefix(runs[start].count + 1)
    }
    if end < runs.count, new.isContinued(by: runs[end].first, runs[end].target) {
      new.count += runs[end].count
      end += 1
    }
    runs.replaceSubrange(start..<end, with: CollectionOfOne(new))
    return former
  }

  /// Removes keys, which must be ascending. Unknown keys are ignored.
  ///
  /// Complexity: linear in the number of runs between the first and the last of the keys.
  mutating func remove(_ keys: some BidirectionalCollection<Int64>) {
    guard let first = keys.first, let last = keys.last else { return }
    let (start, end) = (max(0, endOfRuns(upTo: first) - 1), endOfRuns(upTo: last))
    guard start < end else { return }
    var kept: ContiguousArray<Run> = []
    var next = keys.startIndex
    for run in runs[start..<end] {
      var rest = run
      while next < keys.endIndex, rest.count > 0 {
        if let distance = rest.distance(to: keys[next]) {
          if distance > 0 { kept.append(rest.prefix(distance)) }
          rest = rest.dropFirst(distance + 1)
        } else if keys[next] > rest.first {
          break
        }
        next = keys.index(after: next)
      }
      if rest.count > 0 { kept.append(rest) }
    }
    runs.replaceSubrange(start..<end, with: kept)
  }
}
