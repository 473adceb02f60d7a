import CopalModel

/// Calculated values in memory.
extension QueryEvaluator {
  func value<Subject>(_ calculation: QueryCalculation, _ scope: EvaluationScope<Subject>)
    -> PropertyValue
  {
    switch calculation.operation {
    case .slot(let slot): return scope.subject.value(slot).orNullIfNaN
    case .key: return .integer(scope.subject.key)
    case .parameter(let number): return parameters[number]
    case .null: return .null
    case .group(let position): return scope.subject.value(position)
    case .aggregated(let position): return scope.subject.value(~position)
    case .outer(let levels, let inner): return value(inner, scope.outer(levels))
    case .related(let slot, _, let inner):
      return scope.related(slot).map { value(inner, $0) } ?? .null
    case .ofKind(let kind, let inner):
      return kind.entities.contains(scope.subject.entity) ? value(inner, scope) : .null
    case .call(let function, let arguments):
      return ValueFunction.apply(function, arguments.map { value($0, scope) })
    case .aggregate(let aggregate, let collection, let inner):
      return self.aggregate(aggregate, of: collection, inner, type: calculation.type, scope: scope)
    case .conditional(let condition, let first, let second):
      return value(isTrue(condition, scope) ? first : second, scope)
    }
  }

  private func aggregate<Subject>(
    _ aggregate: FetchAggregate, of collection: QueryCollection, _ inner: QueryCalculation?,
    type: QueryValueType, scope: EvaluationScope<Subject>
  ) -> PropertyValue {
    var result = ValueAggregate(aggregate, of: inner?.type ?? type)
    for member in members(of: collection, scope)
    where collection.condition.map({ isTrue($0, member) }) ?? true {
      result.add(inner.map { value($0, member) } ?? .boolean(true))
    }
    return result.result()
  }

  /// The scopes of the objects of a relationship, whether they meet the condition of the collection
  /// or not.
  func members<Subject>(of collection: QueryCollection, _ scope: EvaluationScope<Subject>)
    -> [EvaluationScope<Subject>]
  {
    scope.outer(collection.level).subject.members(collection.relationship).map {
      scope.member($0)
    }
  }
}
