package import CopalModel

/// The condition of a query, evaluated in memory. It has the same result as in every store.
///
/// It is prepared once, and then asked for many objects.
public struct QueryEvaluator: Sendable {
  private let condition: QueryCondition?
  private let parameters: [PropertyValue]
  /// The tests of texts with a constant, by the number of the constant.
  private var matchers: [Int: TextMatcher] = [:]

  /// Prepares the condition of a query.
  public init(_ query: StoreQuery) {
    self.init(query.condition, parameters: query.parameters)
  }

  /// Prepares a part of a query's condition.
  package init(_ condition: QueryCondition?, parameters: [PropertyValue]) {
    self.condition = condition
    self.parameters = parameters
    if let condition { prepare(condition) }
  }

  private mutating func prepare(_ condition: QueryCondition) {
    switch condition {
    case .text(_, let test, .parameter(let number), isNegated: _):
      if case .string(let text) = parameters[number] {
        matchers[number] = try? TextMatcher(test, text)
      }
    case .related(_, _, let condition, isNegated: _): prepare(condition)
    case .ofKind(_, let condition, let otherwise):
      prepare(condition)
      prepare(otherwise)
    case .and(let parts), .or(let parts): for part in parts { prepare(part) }
    case .constant, .isNull, .holds, .isIn, .text: return
    }
  }

  /// Whether the condition is true for an object. Always true for a query without a condition.
  public func matches(_ subject: some ConditionSubject) -> Bool {
    condition.map { isTrue($0, subject) } ?? true
  }

  private func isTrue(_ condition: QueryCondition, _ subject: some ConditionSubject) -> Bool {
    switch condition {
    case .constant(let flag): return flag
    case .isNull(let term, let isNegated): return value(term, subject).isNull != isNegated
    case .holds(let a, let comparison, let b, let resultForNull):
      return holds(
        value(a, subject), comparison, value(b, subject), resultForNull: resultForNull)
    case .isIn(let term, let list, let isNegated, let resultForNull):
      let found = value(term, subject)
      if found.isNull { return resultForNull }
      return parameters[list].contains { ValueOrder.compare(found, .equal, $0) } != isNegated
    case .text(let a, let test, let b, let isNegated):
      return isTrue(test, a, b, subject) != isNegated
    case .related(let slot, _, let condition, let isNegated):
      return (subject.related(slot).map { isTrue(condition, $0) } ?? false) != isNegated
    case .ofKind(let kind, let condition, let otherwise):
      return isTrue(kind.entities.contains(subject.entity) ? condition : otherwise, subject)
    case .and(let parts): return parts.allSatisfy { isTrue($0, subject) }
    case .or(let parts): return parts.contains { isTrue($0, subject) }
    }
  }

  private func holds(
    _ a: PropertyValue, _ comparison: FetchPredicate.Operator, _ b: PropertyValue,
    resultForNull: Bool
  ) -> Bool {
    if !a.isNull, !b.isNull { return ValueOrder.compare(a, comparison, b) }
    switch comparison {
    case .equal, .notEqual: return ValueOrder.compare(a, comparison, b)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return resultForNull
    }
  }

  private func isTrue(
    _ test: FetchPredicate.TextTest, _ a: QueryTerm, _ b: QueryTerm,
    _ subject: some ConditionSubject
  ) -> Bool {
    guard case .string(let text) = value(a, subject) else { return false }
    if case .parameter(let number) = b { return matchers[number]?.matches(text) ?? false }
    guard case .string(let second) = value(b, subject),
      let matcher = try? TextMatcher(test, second)
    else { return false }
    return matcher.matches(text)
  }

  private func value(_ term: QueryTerm, _ subject: some ConditionSubject) -> PropertyValue {
    switch term {
    case .slot(let slot): subject.value(slot)
    case .key: .integer(subject.key)
    case .parameter(let number): parameters[number]
    }
  }
}
