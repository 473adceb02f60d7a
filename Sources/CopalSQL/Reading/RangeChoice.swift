import CopalModel
public import CopalStore

/// The two ways of a fetch without an order whose condition is a range of an indexed attribute.
public enum RangePlan: Sendable {
  /// Reads the range by the index, and sorts by key what comes: cheap where little comes.
  case byIndex
  /// Reads the rows by key, and leaves out what is outside the range: cheap where much is inside, and where
  /// a limit ends it soon.
  case byKey
}

/// The choice between them.
///
/// A database chooses when it prepares a statement, and knows neither the constants nor, as a rule, how the
/// values lie; SQLite reads the whole table by key for `price > 1000`, whatever is there. So the range is
/// counted first, up to the number from which on the other way is the cheaper one. That takes a thirtieth of
/// what the fetch of so many takes.
public struct RangeChoice {
  /// What is counted: the part of the condition that the index answers.
  public let range: BoundPredicate
  /// The objects that the fetch wants, with those that it passes over.
  private let wantedCount: Int?

  /// - Returns: nil where there is no choice: with an order, without such a range, where an index gives
  ///   the objects of one value, which lie in it by key, and for ranges of several attributes, whose
  ///   indexes only the database can choose among.
  public init?(_ query: StoreQuery, _ layout: EntityLayout) {
    guard query.sortKeys.isEmpty, let predicate = query.predicate, !layout.leadingSlots.isEmpty
    else { return nil }
    let parts: [BoundPredicate] = if case .and(let parts) = predicate { parts } else { [predicate] }
    var ranges: [BoundPredicate] = []
    var rangeSlot: Int?
    for part in parts {
      switch part {
      case .compare(let slot, .equal, _, _), .isIn(let slot, _, isNegated: false, _),
        .isNull(let slot):
        if layout.leadingSlots.contains(slot) { return nil }
      case .compare(let slot, let comparison, _, let resultForNull):
        guard comparison != .notEqual, layout.leadingSlots.contains(slot),
          // A range and what is null are two places in an index, and decimals lie in it as texts.
          !(resultForNull && layout.isOptional[slot]), layout.attributes[slot].type != .decimal
        else { continue }
        if slot != rangeSlot ?? slot { return nil }
        rangeSlot = slot
        ranges.append(part)
      default: continue
      }
    }
    guard let first = ranges.first else { return nil }
    range = ranges.count == 1 ? first : .and(ranges)
    wantedCount = query.limit.map { $0 + query.offset }
  }

  /// From how many objects in the range on the table is read by key; nil where it does not matter.
  ///
  /// An object that comes by the index costs as much as sixteen that are left out; with a limit, the rows
  /// that are read until it is reached are the fewer the more are in the range. Measured: `Docs/Performance.md`.
  ///
  /// - Parameter rowCount: the rows of the table, at most.
  public func threshold(rowCount: Int64) -> Int? {
    if rowCount < 1000 { return nil }
    let rows = Double(rowCount)
    let sixteenth = rows / 16
    return Int(
      min(sixteenth, wantedCount.map { (rows * Double($0)).squareRoot() / 2 } ?? sixteenth))
  }
}
