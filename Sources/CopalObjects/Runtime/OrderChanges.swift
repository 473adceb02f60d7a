import CopalStore

/// Counts the changes that can give the objects of an entity another sort order: values are set,
/// read again or undone, or the context releases objects, which are read again later.
///
/// The objects of each order have the flag `sorted`, so a write to another object has nothing to
/// test for it.
struct OrderChanges {
  private(set) var count = 0
  /// The keys of the last changed objects, one for each count.
  private var keys: ContiguousArray<Int64> = []
  /// The slots by which objects were sorted.
  private var slots: Set<Int> = []

  /// More keys are not kept: then each order is made again.
  private static let limit = 4096

  /// Begins an order.
  ///
  /// - Returns: the count for which it will be the order.
  mutating func begin(_ keys: [BoundSortKey]) -> Int {
    for key in keys { slots.insert(key.slot) }
    return count
  }

  /// Counts a change of a value.
  ///
  /// - Parameters:
  ///   - slot: where it is; nil for all values of an object.
  ///   - key: the key of the object.
  /// - Returns: whether it can change an order.
  mutating func note(_ slot: Int?, of key: Int64) -> Bool {
    if let slot, !slots.contains(slot) { return false }
    if keys.count == Self.limit { keys = [] }
    count += 1
    keys.append(key)
    return true
  }

  /// Counts a change of any object.
  mutating func noteAll() {
    count += 1
    keys = []
  }

  /// The objects that have changed since a count; nil where they are not known.
  func keys(since former: Int) -> ArraySlice<Int64>? {
    count - former <= keys.count ? keys.suffix(count - former) : nil
  }
}
