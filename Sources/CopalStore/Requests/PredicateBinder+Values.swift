import CopalModel

extension PredicateBinder {
  /// Translates a request for values.
  ///
  /// - Throws: ``PersistenceError`` as ``bind(_:)``; `request.invalidExpression` for a condition on
  ///   groups, or an order, that has a value which is neither a column nor an aggregate.
  public func bind(_ request: ValueRequest) throws -> ValueQuery {
    let found = try bind(
      FetchRequest<Never>(
        predicate: request.predicate, limit: request.limit, offset: request.offset,
        includesSubentities: request.includesSubentities))
    var binder = conditionBinder()
    binder.parameters = found.parameters
    binder.grouping = ConditionBinder.Grouping()
    let columns = try request.columns.map { try binder.column($0.expression) }
    // Rows that are equal, or of one group, have no other values than those of their columns.
    let isGrouped =
      binder.grouping?.aggregates.isEmpty == false || request.having?.hasGroupAggregate == true
      || request.sortKeys.contains { $0.expression.hasGroupAggregate }
    binder.grouping?.acceptsKeys = !isGrouped && !request.isDistinct
    let having = try request.having.map { try binder.bind($0) }
    let order = try request.sortKeys.map { try binder.order($0) }
    let grouping = binder.grouping ?? ConditionBinder.Grouping()
    var objects = found
    (objects.limit, objects.offset) = (nil, 0)
    objects.parameters = binder.parameters
    let query = ValueQuery(
      objects: objects, keys: grouping.keys, aggregates: grouping.aggregates, columns: columns,
      having: having, isDistinct: request.isDistinct, order: order, limit: found.limit,
      offset: found.offset)
    try binder.requireNesting(query.nesting)
    return query
  }
}

extension ConditionBinder {
  /// Binds a column of a result.
  fileprivate mutating func column(_ expression: FetchExpression) throws -> QueryCalculation {
    switch try operand(expression) {
    case .value(let calculation): return calculation
    case .constant: throw invalid("a column is a constant")
    }
  }

  /// Binds a key of the order of a result.
  fileprivate mutating func order(_ key: ValueRequest.SortKey) throws -> ValueQuery.Order {
    let value = try column(key.expression)
    if key.textOrder != .bytes, value.type != .string {
      throw PersistenceError(.notText, entity: layout.name, found: value.type.name)
    }
    return ValueQuery.Order(
      value: value, isAscending: key.isAscending, textOrder: key.textOrder,
      isNullFirst: key.nilOrder.map { $0 == .nilsFirst } ?? key.isAscending)
  }
}

extension FetchPredicate {
  /// Whether a part of the condition is an aggregate of a group.
  var hasGroupAggregate: Bool {
    switch self {
    case .constant, .exists, .quantified, .isKind: false
    case .comparison(let a, _, let b), .text(let a, _, let b):
      a.hasGroupAggregate || b.hasGroupAggregate
    case .isIn(let a, _), .isInVariable(let a, _): a.hasGroupAggregate
    case .and(let parts), .or(let parts): parts.contains(where: \.hasGroupAggregate)
    case .not(let inner): inner.hasGroupAggregate
    }
  }
}
