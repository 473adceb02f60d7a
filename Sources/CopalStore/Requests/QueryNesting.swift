import CopalModel

/// How deeply the parts of a condition are nested in SQL, in the units of a parser that has a stack
/// of 100 places: https://www.sqlite.org/compile.html#yystackdepth
///
/// A parenthesis takes 3 places, and 1 where nothing is before it; a function or a choice 6, and a
/// selection 11. They were measured with SQLite 3.40. The rest of the stack is for what stores and
/// contexts add: the keys of objects with unsaved changes, for example.
package struct QueryNesting {
  /// The two forms of SQL for one condition. They mean the same.
  package enum Form: Sendable {
    /// Each part is inside the part that has it. This is the form of nearly all conditions.
    case nested
    /// A calculation is one ``CalculationProgram``, a path is one selection of joined tables, and
    /// the deepest part of a list is the first one. A condition with many levels has this form.
    case flat
  }

  /// The greatest nesting of a condition or a calculation.
  package static let limit = 75

  private static let leadingParenthesis = 1
  private static let parenthesis = 3
  private static let function = 6
  private static let selection = 11

  private let form: Form

  package init(form: Form) { self.form = form }

  /// The form in which a database can read something, whose nesting a function gives.
  package static func form(_ nesting: (QueryNesting) -> Int) -> Form {
    nesting(QueryNesting(form: .nested)) <= limit ? .nested : .flat
  }

  package func of(_ condition: QueryCondition) -> Int {
    switch condition {
    case .constant: return 0
    case .isNull(let term, _), .isIn(let term, _, _, _): return of(term)
    case .holds(let a, _, let b, _): return max(of(a), of(b))
    case .text(let a, _, let b, _): return Self.function + max(of(a), of(b))
    case .related(let slot, let entity, let inner, _):
      let end = form == .flat ? inner.path(after: [Hop(slot: slot, entity: entity)]).end : inner
      return Self.selection + of(end)
    case .exists(let collection, _): return of(collection)
    case .ofKind(_, let first, let second): return 2 * Self.parenthesis + max(of(first), of(second))
    case .and(let parts), .or(let parts): return of(list: parts)
    }
  }

  /// The parts are joined as a balanced tree.
  private func of(list parts: [QueryCondition]) -> Int {
    let levels = Int.bitWidth - max(0, parts.count - 1).leadingZeroBitCount
    let depths = parts.map(of)
    let deepest = depths.max() ?? 0
    guard form == .flat, let first = depths.firstIndex(of: deepest) else {
      return levels * Self.parenthesis + deepest
    }
    let others = (depths[..<first] + depths[(first + 1)...]).max() ?? 0
    return max(levels * Self.leadingParenthesis + deepest, levels * Self.parenthesis + others)
  }

  /// The position of the part that comes first in the flat form.
  package func deepest(_ parts: [QueryCondition]) -> Int {
    let depths = parts.map(of)
    return depths.firstIndex(of: depths.max() ?? 0) ?? 0
  }

  private func of(_ term: QueryTerm) -> Int {
    if case .calculated(let calculation) = term { return of(calculation) }
    return 0
  }

  package func of(_ calculation: QueryCalculation) -> Int {
    if form == .flat, let program = CalculationProgram(calculation) {
      return Self.function + (program.inputs.lazy.map(of).max() ?? 0)
    }
    switch calculation.operation {
    case .slot, .key, .parameter, .null, .group, .aggregated: return 0
    case .outer(_, let inner): return of(inner)
    case .related(let slot, let entity, let inner):
      let end = form == .flat ? inner.path(after: [Hop(slot: slot, entity: entity)]).end : inner
      return Self.selection + of(end)
    case .ofKind(_, let inner): return Self.function + of(inner)
    case .call(_, let arguments): return Self.function + (arguments.lazy.map(of).max() ?? 0)
    case .aggregate(_, let collection, let value):
      return max(of(collection), Self.selection + (value.map(of) ?? 0))
    case .conditional(let condition, let first, let second):
      return Self.function + max(of(condition), max(of(first), of(second)))
    }
  }

  private func of(_ input: CalculationProgram.Input) -> Int {
    switch input {
    case .value(let calculation): of(calculation)
    case .condition(let condition): of(condition)
    }
  }

  private func of(_ collection: QueryCollection) -> Int {
    Self.selection + (collection.condition.map(of) ?? 0)
  }
}

// MARK: Paths

extension QueryNesting {
  /// A to-one relationship of a path.
  package struct Hop: Sendable {
    /// The slot of the relationship.
    package let slot: Int
    /// The position of the entity of its object.
    package let entity: Int

    package init(slot: Int, entity: Int) { (self.slot, self.entity) = (slot, entity) }
  }
}

extension QueryCondition {
  /// The path that ends with the object that this condition is about: some relationships, those
  /// that follow them, and the condition on the last object. A path has only relationships whose
  /// objects must exist.
  package func path(after hops: [QueryNesting.Hop]) -> (hops: [QueryNesting.Hop], end: Self) {
    var (hops, end) = (hops, self)
    while case .related(let slot, let entity, let inner, isNegated: false) = end {
      hops.append(QueryNesting.Hop(slot: slot, entity: entity))
      end = inner
    }
    return (hops, end)
  }
}

extension QueryCalculation {
  /// The path that ends with the object that has this value.
  package func path(after hops: [QueryNesting.Hop]) -> (hops: [QueryNesting.Hop], end: Self) {
    var (hops, end) = (hops, self)
    while case .related(let slot, let entity, let inner) = end.operation {
      hops.append(QueryNesting.Hop(slot: slot, entity: entity))
      end = inner
    }
    return (hops, end)
  }
}

// MARK: What is too deep

extension ConditionBinder {
  /// Refuses what a database could not read in any form.
  func requireNesting(_ nesting: (QueryNesting) -> Int) throws {
    switch QueryNesting.form(nesting) {
    case .flat where nesting(QueryNesting(form: .flat)) > QueryNesting.limit:
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "collections, calculations and lists of conditions are nested too deeply")
    case .flat, .nested: return
    }
  }
}

extension ValueQuery {
  /// How deeply the parts of the query are nested, without those of its condition on objects.
  /// Columns and conditions on groups have the SQL of keys and aggregates inside.
  func nesting(_ nesting: QueryNesting) -> Int {
    let calculations = keys + aggregates.compactMap(\.value)
    return (calculations.map(nesting.of).max() ?? 0)
      + ((columns + order.map(\.value)).map(nesting.of).max() ?? 0)
      + (having.map(nesting.of) ?? 0)
  }

  /// The form of the SQL of the query.
  package var form: QueryNesting.Form { QueryNesting.form(nesting) }
}
