import CopalModel
import CopalStore

/// Which rows of the tables of a statement may have derived columns that do not hold, because
/// another program has written them.
///
/// With ``none``, a statement uses derived columns as they are, and its result is right only while
/// there is no such row. With ``some``, it looks at the mark of each row. With ``all``, it uses no
/// derived column.
public enum StaleRows: Sendable, Equatable {
  /// No row.
  case none
  /// Any row.
  case some
  /// Every row.
  case all
}

/// Conditions that derived columns answer, and so their indexes.
///
/// Every condition on a row has two parts that exclude each other: one for rows whose derived
/// columns hold, and one for all others, which is what a table without the column has.
extension ConditionTranslator {
  /// The name of the column with the normalized form of a slot; nil where there is none.
  func normalizedName(_ slot: Int) -> String? { mapping.derivedName(.normalized, of: slot) }

  /// A derived column of the object.
  private func derived(_ name: String) -> SQLFragment { qualifier + .derivedColumn(name) }

  /// The mark of the object.
  private var mark: SQLFragment? { mapping.staleName.map { qualifier + .derivedColumn($0) } }

  /// A condition on derived columns of a slot, or the other one where they do not hold.
  private func current(_ slot: Int, _ condition: SQLFragment, otherwise: SQLFragment)
    -> SQLFragment
  {
    guard let mark, stale != .all else { return otherwise }
    if stale == .none, mapping.hasIndexOfAllRows(slot) { return "(" + condition + ")" }
    // Also what the index of a unique constraint has as its condition.
    let isCurrent = "(" + mark + " IS NULL AND " + condition + ")"
    if stale == .none { return isCurrent }
    return "(" + isCurrent + " OR (" + isMarked(mark) + " AND " + otherwise + "))"
  }

  /// A test of an attribute and a parameter, by the column with the normalized form; nil where that
  /// does not help.
  ///
  /// Texts that are equal without case, or without diacritics, are equal without both. So the
  /// column finds candidates for each of these, and the test itself decides.
  ///
  /// - Parameter condition: the test as every row can answer it.
  func byDerived(
    _ term: QueryTerm, _ test: FetchPredicate.TextTest, _ parameter: QueryTerm,
    _ condition: SQLFragment
  ) -> SQLFragment? {
    guard !test.options.isEmpty, let slot = slot(term), parameter.isParameter,
      let search = dialect.search, let name = normalizedName(slot)
    else { return nil }
    let wanted = text(parameter, beside: term)
    let column = derived(name)
    switch test {
    case .equal(.normalized):
      return current(
        slot, column + " = " + search.folded(.normalized, wanted), otherwise: condition)
    case .equal:
      return current(
        slot, column + " = " + search.folded(.normalized, wanted) + " AND " + condition,
        otherwise: condition)
    case .hasPrefix:
      return current(
        slot,
        column + " >= " + search.folded(.normalized, wanted) + " AND " + column + " < "
          + search.endOfPrefix(.normalized, wanted) + " AND "
          + (test.options == .normalized ? dialect.textTest(test, column, wanted) : condition),
        otherwise: condition)
    case .contains, .hasSuffix, .like:
      return byParts(test, of: slot, in: name, wanted, otherwise: condition, search)
    case .matches: return nil
    }
  }

  /// A test for a part of a text.
  ///
  /// The rows are found by the table of trigrams, or by reading the normalized texts of the index,
  /// which are short beside the rows. Where the index has the order of the query, its texts are
  /// compared one after the other, so that a limit ends it.
  private func byParts(
    _ test: FetchPredicate.TextTest, of slot: Int, in name: String, _ wanted: SQLFragment,
    otherwise condition: SQLFragment, _ search: any SearchDialect
  ) -> SQLFragment? {
    let isNormalized = test.options == .normalized
    let testOfForm = test.normalized.map { dialect.textTest($0, derived(name), wanted) }
    let decides = isNormalized ? testOfForm ?? condition : condition
    if let trigrams = mapping.trigrams(of: slot) {
      let query = search.trigramQuery(test, wanted)
      let others = normalizedTexts(
        name, slot, test, wanted, if: search.isTooShort(trigramQuery: query))
      let keys = search.trigramKeys(.derivedColumn(trigrams.name), query) + " UNION ALL " + others
      return current(slot, key + " IN (" + keys + ") AND " + decides, otherwise: condition)
    }
    guard let testOfForm else { return nil }
    if orderedSlot == slot || !mapping.hasIndexOfAllRows(slot) {
      let all = isNormalized ? testOfForm : testOfForm + " AND " + condition
      return current(slot, all, otherwise: condition)
    }
    let keys = normalizedTexts(name, slot, test, wanted, if: nil)
    let isFound = key + " IN (" + keys + ")"
    return current(
      slot, isNormalized ? isFound : isFound + " AND " + condition, otherwise: condition)
  }

  /// The keys of the rows whose normalized text passes a test.
  private func normalizedTexts(
    _ name: String, _ slot: Int, _ test: FetchPredicate.TextTest, _ wanted: SQLFragment,
    if isNeeded: SQLFragment?
  ) -> SQLFragment {
    let isFound =
      test.normalized.map { dialect.textTest($0, .derivedColumn(name), wanted) }
      ?? dialect.textTest(test, mapping.column(slot), wanted)
    let conditions = [isNeeded, isFound].compactMap { $0 }
    return "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE "
      + conditions.joined(by: " AND ")
  }

  /// The comparison of the normalized form of an attribute with a parameter; nil where there is no
  /// column of it.
  func byDerived(
    _ term: QueryTerm, _ comparison: FetchPredicate.Operator, _ parameter: Int
  ) -> SQLFragment? {
    guard let slot = term.foldedSlot, let name = normalizedName(slot) else { return nil }
    let value = self.parameter(parameter, like: term)
    return current(
      slot, derived(name) + sign(comparison) + value,
      otherwise: compare(term, comparison, parameter))
  }

  /// What rows are sorted by for an order of a text; nil where no derived column has it.
  func derivedOrder(_ order: FetchSortKey.TextOrder, _ slot: Int) -> SQLFragment? {
    guard let options = order.foldedOptions, let mark, let search = dialect.search,
      let name = mapping.derivedName(.folded(options), of: slot)
    else { return nil }
    return current(mark, derived(name), otherwise: search.folded(options, column(slot)))
  }

  /// A projection of the object, by its column or, in rows whose columns do not hold, by the value.
  func projected(_ projection: EntityLayout.Projection) -> SQLFragment {
    if dialect.search == nil {
      return .notInSQL(
        NotInSQL(
          "the projection '\(projection.description.name)'",
          cure: "use an attribute of its own for the value"))
    }
    guard let mark, let name = mapping.derivedName(.projected(projection), of: projection.source)
    else { return "NULL" }
    let value = mapping.derived(.projected(projection), dialect, qualifier) { _ in nil }
    return current(mark, derived(name), otherwise: value)
  }

  /// A value of derived columns, or the other one where they do not hold.
  private func current(_ mark: SQLFragment, _ value: SQLFragment, otherwise: SQLFragment)
    -> SQLFragment
  {
    switch stale {
    case .none: value
    case .some: "CASE WHEN " + mark + " IS NULL THEN " + value + " ELSE " + otherwise + " END"
    case .all: otherwise
    }
  }

  /// A condition on a projection of the object: by its column, which may have an index, in the rows
  /// where it holds, and by the value in all others. Nil for another condition, and where the rows
  /// are all the same.
  func byProjection(_ condition: QueryCondition) -> SQLFragment? {
    if mapping.layout.projections.isEmpty { return nil }
    guard stale == .some, let mark, let slot = condition.comparedSlot,
      mapping.layout.projection(ofSlot: slot) != nil
    else { return nil }
    return "(" + mark + " IS NULL AND " + assuming(.none).sql(condition) + " OR " + isMarked(mark)
      + " AND " + assuming(.all).sql(condition) + ")"
  }

  /// The condition for marked rows, which are few: a database without statistics would otherwise
  /// rather read the whole table than use two indexes.
  private func isMarked(_ mark: SQLFragment) -> SQLFragment {
    dialect.isUnlikely(mark + " IS NOT NULL")
  }

  /// The condition by which a database uses the index of a derived order; nil where it needs none.
  func conditionOfOrder(_ keys: [BoundSortKey]) -> SQLFragment? {
    guard let slot = slotOfOrder(keys), let mark, !mapping.hasIndexOfAllRows(slot) else {
      return nil
    }
    return mark + " IS NULL"
  }

  /// The slot whose derived index has the order of the first key; nil where none has.
  func slotOfOrder(_ keys: [BoundSortKey]) -> Int? {
    guard stale == .none, let first = keys.first, first.related == nil,
      derivedOrder(first.textOrder, first.slot) != nil
    else { return nil }
    return first.slot
  }
}

extension QueryCondition {
  /// Whether a part that an object must meet compares a projection.
  func comparesProjection(of layout: EntityLayout) -> Bool {
    if case .and(let parts) = self {
      return parts.contains { $0.comparesProjection(of: layout) }
    }
    return comparedSlot.flatMap { layout.projection(ofSlot: $0) } != nil
  }

  /// The slot that the condition compares with parameters or null; nil for another condition.
  fileprivate var comparedSlot: Int? {
    let term: QueryTerm
    switch self {
    case .isNull(let tested, isNegated: _), .isIn(let tested, parameters: _, isNegated: _, _):
      term = tested
    case .holds(let tested, _, let other, resultForNull: _) where other.isParameter: term = tested
    case .text(let tested, _, let other, isNegated: _) where other.isParameter: term = tested
    default: return nil
    }
    guard case .slot(let slot) = term else { return nil }
    return slot
  }
}

extension FetchSortKey.TextOrder {
  /// What is ignored in the folded texts that have the order; nil for another order.
  var foldedOptions: FetchPredicate.TextOptions? {
    switch self {
    case .alphabetical: .normalized
    case .caseInsensitive: .caseInsensitive
    case .bytes, .natural: nil
    }
  }
}

extension FetchPredicate.TextTest {
  /// Whether the texts that the test finds are a range of normalized forms.
  var isFoundByForm: Bool {
    switch self {
    case .equal(let options), .hasPrefix(let options): !options.isEmpty
    case .contains, .hasSuffix, .like, .matches: false
    }
  }
}

extension FetchPredicate.TextTest {
  /// Whether the texts that the test finds have a part of their normalized form in common.
  var isFoundByParts: Bool {
    switch self {
    case .contains(let options), .hasSuffix(let options), .like(let options): !options.isEmpty
    case .equal, .hasPrefix, .matches: false
    }
  }

  /// The test that ignores case and diacritics, which is true wherever this one is true. Nil for
  /// one that can be false there: `?` is a mark for a pattern that does not ignore marks.
  var normalized: Self? {
    switch self {
    case .contains: .contains(.normalized)
    case .hasSuffix: .hasSuffix(.normalized)
    case .like(.normalized): self
    case .equal, .hasPrefix, .like, .matches: nil
    }
  }
}

extension QueryTerm {
  /// The slot whose folded form the term is, and the function; nil for another term.
  var fold: (slot: Int, function: FetchFunction)? {
    guard case .calculated(let calculation) = self,
      case .call(let function, let arguments) = calculation.operation,
      [.fold, .foldCase, .foldDiacritics].contains(function),
      case .slot(let slot)? = arguments.first?.operation
    else { return nil }
    return (slot, function)
  }

  /// The slot whose normalized form the term is; nil for another term.
  var foldedSlot: Int? { fold.flatMap { $0.function == .fold ? $0.slot : nil } }
}
