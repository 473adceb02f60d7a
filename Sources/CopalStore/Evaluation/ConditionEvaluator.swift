public import CopalModel

/// The condition of a query, evaluated in memory. It has the same result in every store.
extension StoreQuery {
  /// Whether the condition of the query is true for an object. Always true for a query without a condition.
  ///
  /// - Parameters:
  ///   - key: the key of the object.
  ///   - entity: the position of the object's entity in the schema: that of the query, or of a subentity of it.
  ///   - value: returns the object's value at a slot of its entity.
  public func matches(key: Int64, entity: Int, _ value: (Int) -> PropertyValue) -> Bool {
    guard let condition else { return true }
    return ConditionEvaluator(parameters: parameters, key: key, entity: entity)
      .isTrue(condition, value)
  }
}

private struct ConditionEvaluator {
  let parameters: [PropertyValue]
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

  private func value(_ term: QueryTerm, _ value: (Int) -> PropertyValue) -> PropertyValue {
    switch term {
    case .slot(let slot): value(slot)
    case .key: .integer(key)
    case .parameter(let number): parameters[number]
    }
  }
}
