import CopalEssentials

/// The difference of two lists, as positions.
struct ListDifference {
  /// Positions before, in ascending order.
  var deleted: [Int] = []
  /// Positions after, in ascending order.
  var inserted: [Int] = []
  /// Positions before and after, in the order of the latter.
  var moves: [(from: Int, to: Int)] = []
  /// Positions after of objects that have kept their place among the others, in ascending order.
  var updated: [Int] = []

  init() {}

  /// What some objects have done that were taken out of a list and put in again, all others having
  /// kept their order. Only the first objects of the list are visible.
  ///
  /// The cost grows with these objects.
  ///
  /// - Parameters:
  ///   - objects: the position of each one before and after; nil where it was or is not in the
  ///     list.
  ///   - before: the number of visible objects before.
  ///   - after: the number of visible objects after.
  ///   - mustMove: whether an object that keeps its place among the others has moved all the same:
  ///     to another section.
  init(
    of objects: [(before: Int?, after: Int?)], before: Int, after: Int,
    mustMove: (Int) -> Bool = { _ in false }
  ) {
    let out = ContiguousArray(objects.compactMap(\.before).inOrder())
    let into = ContiguousArray(objects.compactMap(\.after).inOrder())
    var pairs: [(from: Int, to: Int, index: Int)] = []
    for (index, object) in objects.enumerated() {
      let from = object.before.flatMap { $0 < before ? $0 : nil }
      let to = object.after.flatMap { $0 < after ? $0 : nil }
      switch (from, to) {
      case (let from?, let to?): pairs.append((from, to, index))
      case (let from?, nil): deleted.append(from)
      case (nil, let to?): inserted.append(to)
      case (nil, nil): continue
      }
    }
    // Objects that have only become visible, or are not any more, because others have gone or come.
    let formerly = before - out.partition { $0 < before }
    let now = after - into.partition { $0 < after }
    if formerly < now {
      inserted += (formerly..<now).map { Self.position(ofRest: $0, among: into) }
    } else {
      deleted += (now..<formerly).map { Self.position(ofRest: $0, among: out) }
    }
    deleted = deleted.inOrder()
    inserted = inserted.inOrder()
    keep(pairs, out, into, mustMove)
  }

  /// The position of one of the objects that have kept their order.
  ///
  /// - Parameters:
  ///   - number: its position among these objects.
  ///   - others: the positions of the other objects, in ascending order.
  private static func position(ofRest number: Int, among others: ContiguousArray<Int>) -> Int {
    var position = number
    for other in others {
      if other > position { break }
      position += 1
    }
    return position
  }

  /// Of the objects that are in the list before and after, as many as possible have kept their
  /// place among the others. The rest has moved.
  private mutating func keep(
    _ pairs: [(from: Int, to: Int, index: Int)], _ out: ContiguousArray<Int>,
    _ into: ContiguousArray<Int>,
    _ mustMove: (Int) -> Bool
  ) {
    var candidates: [(from: Int, to: Int, index: Int)] = []
    for pair in pairs {
      let restBefore = pair.from - out.partition { $0 < pair.from }
      let restAfter = pair.to - into.partition { $0 < pair.to }
      if restBefore == restAfter, !mustMove(pair.index) {
        candidates.append(pair)
      } else {
        moves.append((pair.from, pair.to))
      }
    }
    candidates = candidates.inOrder { $0.from < $1.from }
    let kept = Self.longestIncrease(candidates.map(\.to))
    for (place, candidate) in candidates.enumerated() {
      if kept[place] {
        updated.append(candidate.to)
      } else {
        moves.append((candidate.from, candidate.to))
      }
    }
    updated = updated.inOrder()
    moves = moves.inOrder { $0.to < $1.to }
  }

  /// The difference of two lists of keys.
  ///
  /// The cost grows with both lists.
  init<Key: Hashable>(
    from before: [Key], to after: [Key], mustMove: (Int, Int) -> Bool = { _, _ in false }
  ) {
    let places = Dictionary(
      zip(after, after.indices), uniquingKeysWith: { first, _ in first })
    var pairs: [(from: Int, to: Int)] = []
    var isKnown = [Bool](repeating: false, count: after.count)
    for (from, key) in before.enumerated() {
      guard let to = places[key] else {
        deleted.append(from)
        continue
      }
      isKnown[to] = true
      pairs.append((from, to))
    }
    inserted = after.indices.filter { !isKnown[$0] }
    moves = pairs.filter { mustMove($0.from, $0.to) }
    pairs.removeAll { mustMove($0.from, $0.to) }
    let kept = Self.longestIncrease(pairs.map(\.to))
    for (place, pair) in pairs.enumerated() where !kept[place] { moves.append(pair) }
    moves = moves.inOrder { $0.to < $1.to }
  }

  /// Which elements to keep so that the rest increases, and as many as possible are kept: patience
  /// sorting, in time n log n (<https://en.wikipedia.org/wiki/Longest_increasing_subsequence>).
  static func longestIncrease(_ numbers: [Int]) -> [Bool] {
    var kept = [Bool](repeating: false, count: numbers.count)
    /// For each length, the element with which a sequence of this length ends at the least number.
    var ends: ContiguousArray<Int> = []
    var former = [Int](repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      let length = ends.partition { numbers[$0] < number }
      if length > 0 { former[place] = ends[length - 1] }
      if length == ends.count { ends.append(place) } else { ends[length] = place }
    }
    var place = ends.last ?? -1
    while place >= 0 {
      kept[place] = true
      place = former[place]
    }
    return kept
  }
}
