import CopalStore

/// The positions of objects that are put into an ordered list.
///
/// Positions are sparse, so an object usually gets a number between those of its new neighbors, and
/// no other object changes. When there is no number left between them, up to 64 neighbors get new
/// positions; more only when these have none left, either. At the end of the list, positions are
/// relative to it: see ``ListPosition``.
struct ListPlaces {
  /// The positions of the objects that are put into the list, in their order.
  private(set) var positions: [Int64] = []
  /// The members that get new positions.
  private(set) var renumbered: [MemberEntry] = []

  /// The least distance between new positions, for a number of neighbors that get new ones. The
  /// more there are, the more room they must leave, so that this is rarely necessary.
  private static func room(_ count: Int) -> Int64 {
    count == 0 ? 1 : count <= 64 ? 16 : 8 * Int64(count)
  }

  /// Positions for some objects before the member at an index.
  init(count: Int, at index: Int, in list: MemberList) {
    var window = index..<index
    while true {
      let low = list[window.lowerBound - 1]?.position
      let high = list[window.upperBound]?.position
      if let found = Self.positions(
        count + window.count, between: low, and: high, room: Self.room(window.count),
        isWhole: !list.isEmpty && window.count == list.count)
      {
        let before = index - window.lowerBound
        positions = Array(found[before..<before + count])
        renumbered = window.compactMap { place in
          let offset = place - window.lowerBound + (place < index ? 0 : count)
          return list[place].map { MemberEntry(position: found[offset], key: $0.key) }
        }
        return
      }
      let growth = max(4, window.count / 2)
      window =
        max(0, window.lowerBound - growth)..<min(list.count, window.upperBound + growth)
    }
  }

  /// Ascending positions between two others; nil when there is no room for them.
  ///
  /// - Parameters:
  ///   - low: the position before; nil at the front of the list.
  ///   - high: the position behind; nil at the end of the list.
  ///   - room: the least distance between two positions.
  private static func positions(
    _ count: Int, between low: Int64?, and high: Int64?, room: Int64, isWhole: Bool
  ) -> [Int64]? {
    // The whole list gets new positions. Other programs may have written some that are too great.
    if isWhole { return ascending(count, from: 0, by: ListPosition.step) }
    guard var high else {
      let start = max(low ?? 0, ListPosition.end)
      return ascending(count, from: start, by: ListPosition.step)
    }
    if ListPosition.isRelative(high), let low {
      return between(max(low, ListPosition.end), high, count: count, room: room)
    }
    // Before the first one of a list that has only positions at the end.
    if ListPosition.isRelative(high) { high = 0 }
    // A null, which other programs write, has no position before it.
    if high == .min { return nil }
    if let low, low != .min { return between(low, high, count: count, room: room) }
    let (start, isTooLow) = high.subtractingReportingOverflow(
      ListPosition.step * Int64(count + 1))
    return isTooLow ? nil : ascending(count, from: start, by: ListPosition.step)
  }

  private static func between(_ low: Int64, _ high: Int64, count: Int, room: Int64) -> [Int64]? {
    let (distance, isTooFar) = high.subtractingReportingOverflow(low)
    let step = (isTooFar ? .max : distance) / Int64(count + 1)
    return step < room ? nil : ascending(count, from: low, by: step)
  }

  private static func ascending(_ count: Int, from start: Int64, by step: Int64) -> [Int64]? {
    let (length, isTooLong) = step.multipliedReportingOverflow(by: Int64(count))
    if isTooLong || start.addingReportingOverflow(length).overflow { return nil }
    return (0..<count).map { start + step * Int64($0 + 1) }
  }
}
