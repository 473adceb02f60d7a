import CopalModel

/// Joins the equalities of an attribute into one list: `a == 1 || a == 2` becomes `a in [1, 2]`,
/// and `a != 1 && a != 2` its negation.
///
/// A list is much better for a store: SQLite limits the number of conditions, and finds each value
/// of a list by an index.
struct EqualityLists {
  /// Whether the parts are joined by "and"; then the lists are negated.
  let isAnd: Bool

  private struct List {
    var values: [PropertyValue]
    var resultForNull: Bool
    /// The position of its first part, and the number of its parts.
    let position: Int
    var partCount = 1
  }

  /// The parts; those of one attribute are joined at the position of the first.
  func join(_ parts: [BoundPredicate]) -> [BoundPredicate] {
    // Most conditions have none that could be joined, and should not pay for the lists.
    if parts.lazy.filter(isList).prefix(2).count < 2 { return parts }
    var joined: [BoundPredicate] = []
    var lists: [Int: List] = [:]
    for part in parts {
      guard let (slot, list) = list(part, at: joined.count) else {
        joined.append(part)
        continue
      }
      if lists[slot] == nil {
        lists[slot] = list
        joined.append(part)
      } else {
        add(list, to: &lists[slot])
      }
    }
    for (slot, list) in lists where list.partCount > 1 {
      joined[list.position] = .isIn(
        slot, list.values, isNegated: isAnd, resultForNull: list.resultForNull)
    }
    return joined
  }

  private func add(_ other: List, to list: inout List?) {
    list?.values += other.values
    list?.partCount += 1
    if other.resultForNull != isAnd { list?.resultForNull = !isAnd }
  }

  private func isList(_ part: BoundPredicate) -> Bool {
    switch part {
    case .compare(_, isAnd ? .notEqual : .equal, _, _), .isIn(_, _, isAnd, _): true
    default: false
    }
  }

  /// A part as a list; nil when the part is not an equality.
  private func list(_ part: BoundPredicate, at position: Int) -> (slot: Int, list: List)? {
    switch part {
    case .compare(let slot, isAnd ? .notEqual : .equal, let value, let resultForNull):
      (slot, List(values: [value], resultForNull: resultForNull, position: position))
    case .isIn(let slot, let values, isAnd, let resultForNull):
      (slot, List(values: values, resultForNull: resultForNull, position: position))
    default: nil
    }
  }
}
