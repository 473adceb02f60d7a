import CopalModel
import CopalStore

/// Comparisons of columns, parameters and calculated values.
extension ConditionTranslator {
  // MARK: Terms

  func expression(_ term: QueryTerm) -> SQLFragment {
    switch term {
    case .slot(let slot): column(slot)
    case .key: key
    case .calculated(let calculation): sql(calculation)
    // Beside a column, a parameter has the form of the column's slot; see below.
    case .parameter(let number): .value(.parameter(number, .key), .integer)
    }
  }

  /// The slot of a term; nil for another term.
  func slot(_ term: QueryTerm) -> Int? {
    if case .slot(let slot) = term { return slot }
    return nil
  }

  /// Whether the term can be null. The column of a required attribute is never null, except in the
  /// rows of entities that do not have the attribute.
  func isOptional(_ term: QueryTerm) -> Bool {
    if case .calculated = term { return true }
    return slot(term).map { slots == .subentity || mapping.layout.attributes[$0].isOptional }
      ?? false
  }

  func isFloat(_ term: QueryTerm) -> Bool {
    slot(term).map { mapping.layout.attributes[$0].type == .float } ?? false
  }

  /// A term in a comparison by order: decimals that are texts compare by number, other texts by
  /// their bytes. For equality, every database compares texts by their bytes.
  func ordered(
    _ term: QueryTerm, _ expression: SQLFragment, _ comparison: FetchPredicate.Operator
  ) -> SQLFragment {
    if case .calculated(let calculation) = term {
      let isOrder = comparison != .equal && comparison != .notEqual
      return comparable(calculation, expression, isOrder: isOrder)
    }
    if comparison == .equal || comparison == .notEqual { return expression }
    guard let slot = slot(term),
      mapping.layout.storage(slot) == .text
    else { return expression }
    return mapping.layout.attributes[slot].type == .decimal
      ? dialect.decimalOrder(expression) : dialect.bytewise(expression)
  }

  /// A calculated value in a comparison: texts compare by their bytes, and decimals by number if it
  /// is one by order.
  func comparable(_ calculation: QueryCalculation, _ expression: SQLFragment, isOrder: Bool)
    -> SQLFragment
  {
    switch calculation.type {
    case .string, .uri: dialect.bytewiseValue(expression)
    case .decimal: isOrder ? dialect.decimalOrder(expression) : dialect.bytewiseValue(expression)
    default: expression
    }
  }

  /// An expression that rounds a column to floats.
  func rounded(_ term: QueryTerm) -> SQLFragment {
    isFloat(term) ? dialect.roundedToFloat(expression(term)) : expression(term)
  }

  // MARK: Comparisons

  /// A condition that is also true for null.
  func or(_ term: QueryTerm, isNull needed: Bool, _ condition: SQLFragment) -> SQLFragment {
    or(expression(term) + " IS NULL", if: needed && isOptional(term), condition)
  }

  func or(_ alternative: SQLFragment, if needed: Bool, _ condition: SQLFragment)
    -> SQLFragment
  {
    needed ? "(" + condition + " OR " + alternative + ")" : condition
  }

  func compare(
    _ term: QueryTerm, _ comparison: FetchPredicate.Operator, _ parameter: Int
  ) -> SQLFragment {
    if isFloat(term) { return compareFloat(term, comparison, parameter) }
    if case .calculated = term, comparison == .notEqual {
      return dialect.isDifferent(
        ordered(term, expression(term), comparison), self.parameter(parameter, like: term))
    }
    return ordered(term, expression(term), comparison) + sign(comparison)
      + self.parameter(parameter, like: term)
  }

  /// The placeholder for a parameter that is compared with a term.
  func parameter(_ number: Int, like term: QueryTerm) -> SQLFragment {
    .value(.parameter(number, form(term)), type(term))
  }

  /// The type of a parameter that is compared with a term.
  private func type(_ term: QueryTerm) -> PlaceholderType {
    if case .calculated(let calculation) = term { return PlaceholderType(calculation.type) }
    return slot(term).map(mapping.layout.comparedType) ?? .integer
  }

  /// The form of a parameter that is compared with a term.
  func form(_ term: QueryTerm) -> ParameterForm {
    if case .calculated(let calculation) = term { return calculation.type.parameterForm }
    guard let slot = slot(term) else { return .key }
    return slots == .query
      ? .value(slot: slot) : .otherValue(scale: mapping.layout.attributes[slot].scale)
  }

  /// Floats are compared by the range of doubles that are read as them, because other programs may
  /// have stored a double that is not an exact float.
  func compareFloat(
    _ term: QueryTerm, _ comparison: FetchPredicate.Operator, _ parameter: Int
  ) -> SQLFragment {
    func bound(_ bound: FloatBound) -> SQLFragment {
      .value(.parameter(parameter, .float(bound)), .double)
    }
    switch comparison {
    case .equal, .notEqual:
      return expression(term) + (comparison == .equal ? " BETWEEN " : " NOT BETWEEN ")
        + bound(.leastEqual) + " AND " + bound(.greatestEqual)
    case .less, .greaterOrEqual:
      return expression(term) + sign(comparison) + bound(.leastNotBelow)
    case .greater, .lessOrEqual:
      return expression(term) + sign(comparison) + bound(.greatestNotAbove)
    }
  }

  /// Compares two terms, neither of which is a parameter.
  func compare(
    _ a: QueryTerm, _ comparison: FetchPredicate.Operator, _ b: QueryTerm, resultForNull: Bool
  ) -> SQLFragment {
    if let first = scaled(a), let second = scaled(b), first.scale == second.scale {
      return compare(
        first.column, comparison, second.column, resultForNull: resultForNull, or: first.column)
    }
    let (first, second) = (exact(a, beside: b), exact(b, beside: a))
    return compare(
      ordered(a, beside: b, first, comparison), comparison, second, resultForNull: resultForNull,
      or: first)
  }

  /// A double beside a decimal as the text of its exact value, which compares as decimals do.
  private func exact(_ term: QueryTerm, beside other: QueryTerm) -> SQLFragment {
    term.type == .double && other.type == .decimal
      ? dialect.exactDecimal(expression(term)) : rounded(term)
  }

  private func ordered(
    _ term: QueryTerm, beside other: QueryTerm, _ expression: SQLFragment,
    _ comparison: FetchPredicate.Operator
  ) -> SQLFragment {
    guard term.type == .double, other.type == .decimal else {
      return ordered(term, expression, comparison)
    }
    return ordered(other, expression, comparison)
  }

  /// - Parameter value: the first side without a collation.
  func compare(
    _ first: SQLFragment, _ comparison: FetchPredicate.Operator, _ second: SQLFragment,
    resultForNull: Bool, or value: SQLFragment
  ) -> SQLFragment {
    switch comparison {
    case .equal: return dialect.isSame(first, second)
    case .notEqual: return dialect.isDifferent(first, second)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let order = first + sign(comparison) + second
      return or(value + " IS NULL OR " + second + " IS NULL", if: resultForNull, order)
    }
  }

  /// The column of a decimal with a scale, of this object or of another one: such columns are
  /// compared as integers. Nil for another value.
  func scaled(_ term: QueryTerm) -> (column: SQLFragment, scale: Int)? {
    guard case .calculated(let calculation) = term else { return nil }
    return scaled(calculation)
  }

  func scaled(_ calculation: QueryCalculation) -> (column: SQLFragment, scale: Int)? {
    switch calculation.operation {
    case .slot(let slot): mapping.layout.attributes[slot].scale.map { (column(slot), $0) }
    case .outer(let levels, let inner): outer(levels).scaled(inner)
    default: nil
    }
  }

  /// Up to this length, a list of floats is compared by a range for each value. For a longer list
  /// it is faster to round every float of the table.
  static let rangeLimit = 100

  func isIn(_ term: QueryTerm, _ parameters: Range<Int>, _ isNegated: Bool) -> SQLFragment {
    if isFloat(term), parameters.count <= Self.rangeLimit {
      return (isNegated ? "NOT (" : "(")
        + parameters.map { compareFloat(term, .equal, $0) }.joined(by: " OR ") + ")"
    }
    let (form, type) = (form(term), type(term))
    let value = ordered(term, rounded(term), .equal)
    let list = SQLFragment.value(.list(parameters, form), .list(type))
    if let condition = dialect.isIn(value, list, isNegated: isNegated) { return condition }
    let values = parameters.map { SQLFragment.value(.parameter($0, form), type) }
    return value + (isNegated ? " NOT IN (" : " IN (") + values.joined(by: ", ") + ")"
  }

  // MARK: Texts

  func text(
    _ a: QueryTerm, _ test: FetchPredicate.TextTest, _ b: QueryTerm, isNegated: Bool
  ) -> SQLFragment {
    let condition = dialect.textTest(test, text(a, beside: b), text(b, beside: a))
    if !isNegated, let found = byDerived(a, test, b, condition) { return found }
    guard isNegated else { return condition }
    // A null makes the test false, and its negation true.
    let missing = [a, b].filter(isOptional).map { expression($0) + " IS NULL" }
    return or(missing.joined(by: " OR "), if: !missing.isEmpty, "NOT " + condition)
  }

  /// A term of a test of texts. A parameter has the form of the attribute that is tested.
  func text(_ term: QueryTerm, beside other: QueryTerm) -> SQLFragment {
    guard case .parameter(let number) = term else { return expression(term) }
    return parameter(number, like: other)
  }

  func sign(_ comparison: FetchPredicate.Operator) -> SQLFragment {
    switch comparison {
    case .equal: " = "
    case .notEqual: " <> "
    case .less: " < "
    case .lessOrEqual: " <= "
    case .greater: " > "
    case .greaterOrEqual: " >= "
    }
  }
}

extension QueryTerm {
  /// The type of a calculated value; nil for another term.
  fileprivate var type: QueryValueType? {
    if case .calculated(let calculation) = self { return calculation.type }
    return nil
  }

  var isCalculated: Bool {
    if case .calculated = self { return true }
    return false
  }

  var isParameter: Bool {
    if case .parameter = self { return true }
    return false
  }
}
