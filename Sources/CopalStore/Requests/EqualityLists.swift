import CopalModel

/// Joins the equalities of an attribute into one list: `a == 1 || a == 2` becomes `a in [1, 2]`,
/// and `a != 1 && a != 2` its negation.
///
/// A list is much better for a store: a database limits the number of conditions, and finds each
/// value of a list by an index.
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

  /// The parts; those of one term are joined at the position of the first.
  func join(_ parts: [BoundPart]) -> [BoundPart] {
    var joined: [BoundPart] = []
    var lists: [QueryTerm: List] = [:]
    for part in parts {
      guard let (term, list) = list(part, at: joined.count) else {
        joined.append(part)
        continue
      }
      if lists[term] == nil {
        lists[term] = list
        joined.append(part)
      } else {
        add(list, to: &lists[term])
      }
    }
    for (term, list) in lists where list.partCount > 1 {
      joined[list.position] = .list(
        term, list.values, isNegated: isAnd, resultForNull: list.resultForNull)
    }
    return joined
  }

  private func add(_ other: List, to list: inout List?) {
    list?.values += other.values
    list?.partCount += 1
    if other.resultForNull != isAnd { list?.resultForNull = !isAnd }
  }

  /// Whether a part is an equality, which can be joined with others.
  func isList(_ part: BoundPart) -> Bool {
    switch part {
    case .comparison(_, isAnd ? .notEqual : .equal, _, _), .list(_, _, isAnd, _): true
    default: false
    }
  }

  /// A part as a list; nil when the part is not an equality.
  private func list(_ part: BoundPart, at position: Int) -> (term: QueryTerm, list: List)? {
    switch part {
    case .comparison(let term, isAnd ? .notEqual : .equal, let value, let resultForNull):
      (term, List(values: [value], resultForNull: resultForNull, position: position))
    case .list(let term, let values, isAnd, let resultForNull):
      (term, List(values: values, resultForNull: resultForNull, position: position))
    default: nil
    }
  }
}

/// A part of a condition before its constants become parameters.
enum BoundPart {
  /// A part without constants of its own.
  case condition(QueryCondition)
  /// A comparison of a term with a constant, which is not null.
  case comparison(QueryTerm, FetchPredicate.Operator, PropertyValue, resultForNull: Bool)
  /// Whether the value of the term is in the list. The list contains no null and is not empty.
  case list(QueryTerm, [PropertyValue], isNegated: Bool, resultForNull: Bool)
}
