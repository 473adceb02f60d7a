import CopalModel
import CopalStore

/// Which rows of the tables of a statement may have derived columns that do not hold, because
/// another program has written them.
///
/// With ``none``, a statement uses derived columns as they are, and its result is right only while
/// there is no such row. With ``some``, it looks at the mark of each row.
public enum StaleRows: Sendable, Hashable {
  /// No row.
  case none
  /// Any row.
  case some
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

  /// A condition on derived columns, or the other one where they do not hold.
  private func current(_ condition: SQLFragment, otherwise: SQLFragment) -> SQLFragment {
    guard let mark else { return otherwise }
    let isCurrent = "(" + mark + " IS NULL AND " + condition + ")"
    if stale == .none { return isCurrent }
    return "(" + isCurrent + " OR (" + mark + " IS NOT NULL AND " + otherwise + "))"
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
    guard test.isFoundByForm, let slot = slot(term), parameter.isParameter,
      let name = normalizedName(slot)
    else { return nil }
    let wanted = text(parameter, beside: term)
    let column = derived(name)
    switch test {
    case .equal([.caseInsensitive, .diacriticInsensitive]):
      return current(
        column + " = " + dialect.derived(.normalized, wanted), otherwise: condition)
    case .equal:
      return current(
        column + " = " + dialect.derived(.normalized, wanted) + " AND " + condition,
        otherwise: condition)
    case .hasPrefix:
      return current(
        column + " >= " + dialect.derived(.normalized, wanted) + " AND " + column + " < "
          + dialect.endOfPrefix(.normalized, wanted) + " AND " + condition,
        otherwise: condition)
    default: return nil
    }
  }

  /// The comparison of the normalized form of an attribute with a parameter; nil where there is no
  /// column of it.
  func byDerived(
    _ term: QueryTerm, _ comparison: FetchPredicate.Operator, _ parameter: Int
  ) -> SQLFragment? {
    guard let name = term.foldedSlot.flatMap(normalizedName) else { return nil }
    let value = SQLFragment.value(.parameter(parameter, form(term)))
    return current(
      derived(name) + sign(comparison) + value,
      otherwise: compare(term, comparison, parameter))
  }

  /// What rows are sorted by for an order of a text; nil where no derived column has it.
  func derivedOrder(_ order: FetchSortKey.TextOrder, _ slot: Int) -> SQLFragment? {
    guard let function = order.function, let mark,
      let name = mapping.derivedName(function, of: slot)
    else { return nil }
    if stale == .none { return derived(name) }
    return "CASE WHEN " + mark + " IS NULL THEN " + derived(name) + " ELSE "
      + dialect.derived(function, column(slot)) + " END"
  }

  /// The condition by which a database uses the index of a derived order; nil where none is used.
  func conditionOfOrder(_ keys: [BoundSortKey]) -> SQLFragment? {
    guard stale == .none, let mark, let first = keys.first, first.related == nil,
      derivedOrder(first.textOrder, first.slot) != nil
    else { return nil }
    return mark + " IS NULL"
  }
}

extension FetchSortKey.TextOrder {
  /// The function whose values have the order; nil for another order.
  var function: DerivedColumn.Function? {
    switch self {
    case .alphabetical: .normalized
    case .caseInsensitive: .withoutCase
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
