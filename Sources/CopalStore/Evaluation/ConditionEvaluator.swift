public import CopalModel

/// The condition of a query, evaluated in memory. It has the same result in every store.
extension StoreQuery {
  /// Whether the condition of the query is true for an object. Always true for a query without a condition.
  ///
  /// Use a ``QueryEvaluator`` for several objects: it prepares the condition once.
  ///
  /// - Parameters:
  ///   - key: the key of the object.
  ///   - entity: the position of the object's entity in the schema: that of the query, or of a subentity of it.
  ///   - value: returns the object's value at a slot of its entity.
  public func matches(key: Int64, entity: Int, _ value: (Int) -> PropertyValue) -> Bool {
    QueryEvaluator(self).matches(key: key, entity: entity, value)
  }
}

/// The condition of a query, prepared for many objects.
public struct QueryEvaluator: Sendable {
  private let condition: QueryCondition?
  private let parameters: [PropertyValue]
  /// The tests of texts with a constant, by the number of the constant.
  private var matchers: [Int: TextMatcher] = [:]

  /// Prepares the condition of a query.
  public init(_ query: StoreQuery) {
    condition = query.condition
    parameters = query.parameters
    if let condition { prepare(condition) }
  }

  private mutating func prepare(_ condition: QueryCondition) {
    switch condition {
    case .text(_, let test, .parameter(let number), isNegated: _):
      if case .string(let text) = parameters[number] {
        matchers[number] = try? TextMatcher(test, text)
      }
    case .ofKind(_, let condition, let otherwise):
      prepare(condition)
      prepare(otherwise)
    case .and(let parts), .or(let parts): for part in parts { prepare(part) }
    case .constant, .isNull, .holds, .isIn, .text: return
    }
  }

  /// Whether the condition of the query is true for an object. Always true for a query without a condition.
  ///
  /// - Parameters:
  ///   - key: the key of the object.
  ///   - entity: the position of the object's entity in the schema: that of the query, or of a subentity of it.
  ///   - value: returns the object's value at a slot of its entity.
  public func matches(key: Int64, entity: Int, _ value: (Int) -> PropertyValue) -> Bool {
    guard let condition else { return true }
    return ConditionEvaluator(
      parameters: parameters, matchers: matchers, key: key, entity: entity
    ).isTrue(condition, value)
  }
}

private struct ConditionEvaluator {
  let parameters: [PropertyValue]
  let matchers: [Int: TextMatcher]
  let key: Int64
  let entity: Int

  func isTrue(_ condition: QueryCondition, _ value: (Int) -> PropertyValue) -> Bool {
    switch condition {
    case .constant(let flag): return flag
    case .isNull(let term, let isNegated): return self.value(term, value).isNull != isNegated
    case .holds(let a, let comparison, let b, let resultForNull):
      return holds(
        self.value(a, value), comparison, self.value(b, value), resultForNull: resultForNull)
    case .isIn(let term, let list, let isNegated, let resultForNull):
      let found = self.value(term, value)
      if found.isNull { return resultForNull }
      return parameters[list].contains { ValueOrder.compare(found, .equal, $0) } != isNegated
    case .text(let a, let test, let b, let isNegated):
      return isTrue(test, a, b, value) != isNegated
    case .ofKind(let kind, let condition, let otherwise):
      return isTrue(kind.entities.contains(entity) ? condition : otherwise, value)
    case .and(let parts): return parts.allSatisfy { isTrue($0, value) }
    case .or(let parts): return parts.contains { isTrue($0, value) }
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
    _ value: (Int) -> PropertyValue
  ) -> Bool {
    guard case .string(let text) = self.value(a, value) else { return false }
    if case .parameter(let number) = b { return matchers[number]?.matches(text) ?? false }
    guard case .string(let second) = self.value(b, value),
      let matcher = try? TextMatcher(test, second)
    else { return false }
    return matcher.matches(text)
  }

  private func value(_ term: QueryTerm, _ value: (Int) -> PropertyValue) -> PropertyValue {
    switch term {
    case .slot(let slot): value(slot)
    case .key: .integer(key)
    case .parameter(let number): parameters[number]
    }
  }
}
