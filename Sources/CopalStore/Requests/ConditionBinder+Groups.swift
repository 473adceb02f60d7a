import CopalModel

/// Binds the columns of a ``ValueQuery``, and conditions on its groups.
extension ConditionBinder {
  /// The values by which a query groups, and its aggregates.
  struct Grouping {
    var keys: [QueryCalculation] = []
    var aggregates: [ValueQuery.Aggregate] = []
    /// What has been bound, so that an order by a column is that column, with the same constants.
    var bound: [FetchExpression: Operand] = [:]
    /// Whether a new value may be added to those by which the query groups.
    var acceptsKeys = true
  }

  /// Binds an expression without aggregates of groups: a value by which the query groups.
  mutating func bindGroupKey(_ expression: FetchExpression, depth: Int) throws -> Operand {
    if let bound = grouping?.bound[expression] { return bound }
    let operand = try ungrouped { try $0.operand(expression, depth: depth) }
    guard case .value(let calculation) = operand, var grouping else { return operand }
    if !grouping.keys.contains(calculation) {
      guard grouping.acceptsKeys else {
        throw invalid(
          "a condition on groups, or an order, has a value that is neither a column nor an aggregate"
        )
      }
      grouping.keys.append(calculation)
      self.grouping = grouping
    }
    let key = operand.map { .group(grouping.keys.firstIndex(of: $0) ?? 0) }
    self.grouping?.bound[expression] = key
    return key
  }

  /// Binds an aggregate of the objects of a group.
  mutating func bindGroup(
    _ aggregate: FetchAggregate, of value: FetchExpression?, in collection: FetchCollection,
    depth: Int
  ) throws -> Operand {
    guard grouping != nil else {
      throw invalid("'\(aggregate.rawValue)' of a group is used outside of a request for values")
    }
    guard collection.condition == nil else {
      throw invalid("'\(aggregate.rawValue)' of a group has a condition of its own")
    }
    guard aggregate != .count || value != nil else {
      return add(ValueQuery.Aggregate(aggregate: .count, value: nil), .integer)
    }
    guard let value else { throw invalid("'\(aggregate.rawValue)' needs a value of the objects") }
    let expression = FetchExpression.aggregate(aggregate, collection, of: value)
    if let bound = grouping?.bound[expression] { return bound }
    let operand = try ungrouped { try $0.operand(value, depth: depth + 1) }
    guard case .value(let calculation) = operand,
      let type = aggregate.result(of: calculation.type)
    else {
      throw invalid(
        "'\(aggregate.rawValue)' is used with \(operand.type?.name ?? "a value without a type")")
    }
    let result = add(ValueQuery.Aggregate(aggregate: aggregate, value: calculation), type)
    grouping?.bound[expression] = result
    return result
  }

  private mutating func add(_ aggregate: ValueQuery.Aggregate, _ type: QueryValueType) -> Operand {
    var added = grouping ?? Grouping()
    let place = added.aggregates.firstIndex(of: aggregate)
    if place == nil { added.aggregates.append(aggregate) }
    grouping = added
    return .value(QueryCalculation(type, .aggregated(place ?? added.aggregates.count - 1)))
  }

  /// Runs the binder for a value of an object, not of a group.
  private mutating func ungrouped<R>(_ body: (inout ConditionBinder) throws -> R) throws -> R {
    let kept = grouping
    grouping = nil
    defer { grouping = kept }
    return try body(&self)
  }
}

extension FetchExpression {
  /// Whether a part of the expression is an aggregate of a group.
  var hasGroupAggregate: Bool {
    switch self {
    case .aggregate(_, let collection, _): collection.relationship == .object
    case .call(_, let arguments): arguments.contains(where: \.hasGroupAggregate)
    case .conditional(let condition, let first, let second):
      condition.hasGroupAggregate || first.hasGroupAggregate || second.hasGroupAggregate
    case .property, .subentityProperty, .constant, .object, .variable, .outer: false
    }
  }
}
