import CopalModel
import CopalStore

/// Translates the condition of a query into SQL with the same meaning. The text does not depend on the parameters.
struct ConditionTranslator {
  private let mapping: TableMapping
  private let dialect: any SQLDialect
  private let slots: Slots

  /// Whose slots the condition has.
  private enum Slots {
    case query
    /// A subentity of the entity: rows of other entities have null in its columns.
    case subentity
    /// The entity at the other end of a relationship.
    case related
  }

  init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.init(mapping, dialect, .query)
  }

  private init(_ mapping: TableMapping, _ dialect: any SQLDialect, _ slots: Slots) {
    self.mapping = mapping
    self.dialect = dialect
    self.slots = slots
  }

  func sql(_ condition: QueryCondition) -> SQLFragment {
    switch condition {
    case .constant(let flag): return dialect.truth(flag)
    case .isNull(let term, let isNegated):
      return expression(term) + (isNegated ? " IS NOT NULL" : " IS NULL")
    case .holds(let term, let comparison, .parameter(let number), let resultForNull):
      return or(term, isNull: resultForNull, compare(term, comparison, number))
    case .holds(let a, let comparison, let b, let resultForNull):
      return compare(a, comparison, b, resultForNull: resultForNull)
    case .isIn(let term, let parameters, let isNegated, let resultForNull):
      return or(term, isNull: resultForNull, isIn(term, parameters, isNegated))
    case .text(let a, let test, let b, let isNegated):
      return text(a, test, b, isNegated)
    case .related(let slot, let entity, let condition, let isNegated):
      return related(slot, entity, condition, isNegated)
    case .ofKind(let kind, let condition, let otherwise):
      return ofKind(kind, condition, otherwise: otherwise)
    case .and(let parts): return balanced(parts[...], " AND ", empty: true)
    case .or(let parts): return balanced(parts[...], " OR ", empty: false)
    }
  }

  /// Joins parts as a balanced tree, because databases limit the depth of an expression.
  private func balanced(
    _ parts: ArraySlice<QueryCondition>, _ word: SQLFragment, empty: Bool
  ) -> SQLFragment {
    guard let first = parts.first else { return dialect.truth(empty) }
    if parts.count == 1 { return sql(first) }
    let middle = parts.startIndex + parts.count / 2
    return "(" + balanced(parts[..<middle], word, empty: empty) + word
      + balanced(parts[middle...], word, empty: empty) + ")"
  }

  // MARK: Subentities

  private func ofKind(
    _ kind: EntityKind, _ condition: QueryCondition, otherwise: QueryCondition
  ) -> SQLFragment {
    let mapping = mapping.mapping(of: kind.entity)
    let inner = ConditionTranslator(mapping, dialect, .subentity)
    // The rows of other entities have null in the columns that the subentity adds.
    if condition.hasOnly(mapping.layout.slots(declaredBy: kind.entity)) {
      return inner.sql(condition)
    }
    let isKind = mapping.entity(isOneOf: kind.entities)
    let isOther = mapping.entity(isNoneOf: kind.entities)
    switch (condition, otherwise) {
    case (.constant(true), .constant(false)): return isKind
    case (.constant(false), .constant(true)): return isOther
    case (_, .constant(false)): return "(" + isKind + " AND " + inner.sql(condition) + ")"
    case (_, .constant(true)): return "(" + isOther + " OR " + inner.sql(condition) + ")"
    default:
      return "(" + isKind + " AND " + inner.sql(condition) + " OR " + isOther + " AND "
        + sql(otherwise) + ")"
    }
  }

  // MARK: Related objects

  /// The keys of the related objects are found by themselves, so that a database can use an index of theirs, or of the
  /// relationship.
  private func related(
    _ slot: Int, _ entity: Int, _ condition: QueryCondition, _ isNegated: Bool
  ) -> SQLFragment {
    let related = mapping.mapping(ofDestination: entity)
    let inner = ConditionTranslator(related, dialect, .related).sql(condition)
    let column = mapping.column(slot)
    let isKind = related.isEntity(withSubentities: true).map { $0 + " AND " } ?? ""
    let keys: SQLFragment =
      "(SELECT " + related.key + " FROM " + related.table + " WHERE " + isKind + inner + ")"
    return isNegated
      ? or(.slot(slot), isNull: true, column + " NOT IN " + keys) : column + " IN " + keys
  }

  // MARK: Terms

  private func expression(_ term: QueryTerm) -> SQLFragment {
    switch term {
    case .slot(let slot): mapping.column(slot)
    case .key: mapping.key
    // Beside a column, a parameter has the form of the column's slot; see below.
    case .parameter(let number): .binding(.parameter(number, .key))
    }
  }

  /// The slot of a term; nil for another term.
  private func slot(_ term: QueryTerm) -> Int? {
    if case .slot(let slot) = term { return slot }
    return nil
  }

  /// Whether the term can be null. The column of a required attribute is never null, except in the rows of entities that do
  /// not have the attribute.
  private func isOptional(_ term: QueryTerm) -> Bool {
    slot(term).map { slots == .subentity || mapping.layout.attributes[$0].isOptional } ?? false
  }

  private func isFloat(_ term: QueryTerm) -> Bool {
    slot(term).map { mapping.layout.attributes[$0].type == .float } ?? false
  }

  /// A term in a comparison by order: decimals that are texts compare by number, other texts by their bytes.
  /// For equality, every database compares texts by their bytes.
  private func ordered(
    _ term: QueryTerm, _ expression: SQLFragment, _ comparison: FetchPredicate.Operator
  ) -> SQLFragment {
    guard comparison != .equal, comparison != .notEqual, let slot = slot(term),
      mapping.layout.storage(slot) == .text
    else { return expression }
    return mapping.layout.attributes[slot].type == .decimal
      ? dialect.decimalOrder(expression) : dialect.bytewise(expression)
  }

  /// An expression that rounds a column to floats.
  private func rounded(_ term: QueryTerm) -> SQLFragment {
    isFloat(term) ? dialect.roundedToFloat(expression(term)) : expression(term)
  }

  // MARK: Comparisons

  /// A condition that is also true for null.
  private func or(_ term: QueryTerm, isNull needed: Bool, _ condition: SQLFragment) -> SQLFragment {
    or(expression(term) + " IS NULL", if: needed && isOptional(term), condition)
  }

  private func or(_ alternative: SQLFragment, if needed: Bool, _ condition: SQLFragment)
    -> SQLFragment
  {
    needed ? "(" + condition + " OR " + alternative + ")" : condition
  }

  private func compare(
    _ term: QueryTerm, _ comparison: FetchPredicate.Operator, _ parameter: Int
  ) -> SQLFragment {
    if isFloat(term) { return compareFloat(term, comparison, parameter) }
    return ordered(term, expression(term), comparison) + sign(comparison)
      + .binding(.parameter(parameter, form(term)))
  }

  /// The form of a parameter that is compared with a term.
  private func form(_ term: QueryTerm) -> ParameterForm {
    guard let slot = slot(term) else { return .key }
    return slots == .query
      ? .value(slot: slot) : .otherValue(scale: mapping.layout.attributes[slot].scale)
  }

  /// Floats are compared by the range of doubles that are read as them, because other programs may
  /// have stored a double that is not an exact float.
  private func compareFloat(
    _ term: QueryTerm, _ comparison: FetchPredicate.Operator, _ parameter: Int
  ) -> SQLFragment {
    func bound(_ bound: FloatBound) -> SQLFragment {
      .binding(.parameter(parameter, .float(bound)))
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
  private func compare(
    _ a: QueryTerm, _ comparison: FetchPredicate.Operator, _ b: QueryTerm, resultForNull: Bool
  ) -> SQLFragment {
    let (first, second) = (rounded(a), rounded(b))
    switch comparison {
    case .equal: return dialect.isSame(first, second)
    case .notEqual: return dialect.isDifferent(first, second)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let order = ordered(a, first, comparison) + sign(comparison) + second
      return or(first + " IS NULL OR " + second + " IS NULL", if: resultForNull, order)
    }
  }

  /// Up to this length, a list of floats is compared by a range for each value. For a longer list it is faster to round
  /// every float of the table.
  private static let rangeLimit = 100

  private func isIn(_ term: QueryTerm, _ parameters: Range<Int>, _ isNegated: Bool) -> SQLFragment {
    if isFloat(term), parameters.count <= Self.rangeLimit {
      return (isNegated ? "NOT (" : "(")
        + parameters.map { compareFloat(term, .equal, $0) }.joined(by: " OR ") + ")"
    }
    let form = form(term)
    let list = parameters.map { SQLFragment.binding(.parameter($0, form)) }
    return rounded(term) + (isNegated ? " NOT IN (" : " IN (") + list.joined(by: ", ") + ")"
  }

  // MARK: Texts

  private func text(
    _ a: QueryTerm, _ test: FetchPredicate.TextTest, _ b: QueryTerm, _ isNegated: Bool
  ) -> SQLFragment {
    let condition = dialect.textTest(test, text(a, beside: b), text(b, beside: a))
    guard isNegated else { return condition }
    // A null makes the test false, and its negation true.
    let missing = [a, b].filter(isOptional).map { expression($0) + " IS NULL" }
    return or(missing.joined(by: " OR "), if: !missing.isEmpty, "NOT " + condition)
  }

  /// A term of a test of texts. A parameter has the form of the attribute that is tested.
  private func text(_ term: QueryTerm, beside other: QueryTerm) -> SQLFragment {
    guard case .parameter(let number) = term else { return expression(term) }
    return .binding(.parameter(number, form(other)))
  }

  private func sign(_ comparison: FetchPredicate.Operator) -> SQLFragment {
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

extension QueryCondition {
  /// Whether the condition compares properties, and all of them are in some slots.
  fileprivate func hasOnly(_ slots: Range<Int>) -> Bool {
    switch self {
    case .isNull(let term, isNegated: _), .isIn(let term, parameters: _, isNegated: _, _):
      term.isIn(slots)
    case .text(let a, _, let b, let isNegated):
      !isNegated && (a.isParameter || a.isIn(slots)) && (b.isParameter || b.isIn(slots))
    case .holds(let a, _, let b, resultForNull: _):
      a.isIn(slots) && (b.isParameter || b.isIn(slots))
    default: false
    }
  }
}

extension QueryTerm {
  fileprivate func isIn(_ slots: Range<Int>) -> Bool {
    if case .slot(let slot) = self { return slots.contains(slot) }
    return false
  }

  fileprivate var isParameter: Bool {
    if case .parameter = self { return true }
    return false
  }
}

extension EntityLayout {
  /// The slots that an entity of the line adds.
  fileprivate func slots(declaredBy entity: Int) -> Range<Int> {
    let slots = slots.indices.filter { declaringEntities[$0] == entity }
    guard let first = slots.first, let last = slots.last else { return 0..<0 }
    return first..<last + 1
  }
}
