import CopalModel

/// How deeply the parts of a condition are nested, in the units of a SQL parser that has a stack of
/// 100 places: https://www.sqlite.org/compile.html#yystackdepth
///
/// A parenthesis takes 3 places, a function or a choice 6, and a selection 11. They were measured with SQLite 3.40. The rest of
/// the stack is for what stores and contexts add: the keys of objects with unsaved changes, for example.
enum QueryNesting {
  /// The greatest nesting of a condition or a calculation.
  static let limit = 75

  private static let parenthesis = 3
  private static let function = 6
  private static let selection = 11

  static func of(_ condition: QueryCondition) -> Int {
    switch condition {
    case .constant: 0
    case .isNull(let term, _), .isIn(let term, _, _, _): of(term)
    case .holds(let a, _, let b, _): max(of(a), of(b))
    case .text(let a, _, let b, _): function + max(of(a), of(b))
    case .related(_, _, let inner, _): selection + of(inner)
    case .exists(let collection, _): of(collection)
    case .ofKind(_, let first, let second): 2 * parenthesis + max(of(first), of(second))
    // The parts are joined as a balanced tree.
    case .and(let parts), .or(let parts):
      (Int.bitWidth - max(0, parts.count - 1).leadingZeroBitCount) * parenthesis
        + (parts.lazy.map(of).max() ?? 0)
    }
  }

  private static func of(_ term: QueryTerm) -> Int {
    if case .calculated(let calculation) = term { return of(calculation) }
    return 0
  }

  static func of(_ calculation: QueryCalculation) -> Int {
    switch calculation.operation {
    case .slot, .key, .parameter, .null, .group, .aggregated: 0
    case .outer(_, let inner): of(inner)
    case .related(_, _, let inner): selection + of(inner)
    case .ofKind(_, let inner): function + of(inner)
    case .call(_, let arguments): function + (arguments.lazy.map(of).max() ?? 0)
    case .aggregate(_, let collection, let value):
      max(of(collection), selection + (value.map(of) ?? 0))
    case .conditional(let condition, let first, let second):
      function + max(of(condition), max(of(first), of(second)))
    }
  }

  private static func of(_ collection: QueryCollection) -> Int {
    selection + (collection.condition.map(of) ?? 0)
  }
}

extension ConditionBinder {
  /// Refuses a condition that a database could not read.
  func requireNesting(_ nesting: Int) throws {
    if nesting <= QueryNesting.limit { return }
    throw PersistenceError(
      .tooComplex, entity: layout.name,
      found: "collections, calculations and lists of conditions are nested too deeply")
  }
}
