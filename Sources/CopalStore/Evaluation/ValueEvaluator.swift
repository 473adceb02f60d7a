import CopalEssentials
public import CopalModel

/// The result of a ``ValueQuery``, calculated in memory. It is the same as in every store.
public struct ValueEvaluator: Sendable {
  private let query: ValueQuery
  private let evaluator: QueryEvaluator

  /// Prepares a query.
  public init(_ query: ValueQuery) {
    self.query = query
    // With all texts of the query: a calculation may have a condition.
    var parts = [query.objects.condition, query.having].compactMap(\.self)
    parts += (query.keys + query.aggregates.compactMap(\.value) + query.columns).map {
      .isNull(.calculated($0), isNegated: false)
    }
    evaluator = QueryEvaluator(.and(parts), parameters: query.objects.parameters)
  }

  /// What the result depends on, of one object: its values of the keys and of the aggregates.
  public struct Row: Sendable {
    /// The key of the object, by which rows are ordered in the end.
    public var key: Int64
    /// The values of ``ValueQuery/keys``, and behind them those of ``ValueQuery/aggregates``.
    public var values: [PropertyValue]

    /// The values of an object.
    public init(key: Int64, values: [PropertyValue]) { (self.key, self.values) = (key, values) }
  }

  /// The values of an object that meets the condition.
  public func row(of subject: some ConditionSubject) -> Row {
    var values: [PropertyValue] = []
    values.reserveCapacity(query.keys.count + query.aggregates.count)
    for key in query.keys { values.append(evaluator.value(key, of: subject)) }
    for aggregate in query.aggregates {
      values.append(aggregate.value.map { evaluator.value($0, of: subject) } ?? .boolean(true))
    }
    return Row(key: subject.key, values: values)
  }

  /// The rows of the result.
  ///
  /// - Parameter objects: the values of all objects, in the order of their keys.
  public func result(_ objects: some Sequence<Row>) -> [[PropertyValue]] {
    result(objects, check: {})
  }

  /// The rows of the result.
  ///
  /// - Parameter check: is called for each object, and while rows are sorted. What it throws ends
  ///   the calculation.
  func result(
    _ objects: some Sequence<Row>, check: () throws -> Void
  ) rethrows -> [[PropertyValue]] {
    var rows =
      if query.isGrouped {
        try groups(objects, check: check)
      } else {
        try objects.map {
          try check()
          return ResultRow(values: $0.values)
        }
      }
    if let having = query.having {
      rows = rows.filter { evaluator.isTrue(having, EvaluationScope($0)) }
    }
    var results = rows.map { row in
      (
        columns: query.columns.map { evaluator.value($0, of: row) },
        order: query.order.map { key in
          key.sorted.sortedForm(of: evaluator.value(key.value, of: row).ordered(as: key.value.type))
        }
      )
    }
    if query.isDistinct {
      var seen: Set<[DistinctValue]> = []
      results = results.filter { seen.insert($0.columns.map(DistinctValue.init)).inserted }
    }
    let byColumns = query.isGrouped || query.isDistinct
    results = try results.enumerated().inOrder { a, b in
      try check()
      let keys = query.order.map(\.sorted)
      if let isBefore = keys.order(a.element.order, b.element.order) { return isBefore }
      if byColumns {
        for (column, (x, y)) in zip(query.columns, zip(a.element.columns, b.element.columns)) {
          let (x, y) = (x.ordered(as: column.type), y.ordered(as: column.type))
          if ValueOrder.sortsBefore(x, y) { return true }
          if ValueOrder.sortsBefore(y, x) { return false }
        }
      }
      return a.offset < b.offset
    }.map(\.element)
    let rest = results.dropFirst(query.offset).map(\.columns)
    return query.limit.map { Array(rest.prefix($0)) } ?? rest
  }

  private func groups(
    _ objects: some Sequence<Row>, check: () throws -> Void
  ) rethrows -> [ResultRow] {
    let empty = query.aggregates.map {
      ValueAggregate($0.aggregate, of: $0.value?.type ?? .boolean)
    }
    var names = GroupNames()
    var groups: [(keys: [PropertyValue], aggregates: [ValueAggregate])] = []
    // Without keys there is one group, even of no objects.
    if query.keys.isEmpty { groups = [([], empty)] }
    for object in objects {
      try check()
      let keys = object.values.prefix(query.keys.count)
      let position = keys.isEmpty ? 0 : names.place(of: keys, next: groups.count)
      if position == groups.count { groups.append((Array(keys), empty)) }
      for index in empty.indices {
        groups[position].aggregates[index].add(object.values[keys.endIndex + index])
      }
    }
    return groups.map {
      ResultRow(values: $0.keys + $0.aggregates.map { $0.result() }, keyCount: query.keys.count)
    }
  }
}

/// The places of groups by the values of their keys.
private struct GroupNames {
  /// By the only key: no list for each object.
  private var one: [DistinctValue: Int] = [:]
  private var several: [[DistinctValue]: Int] = [:]

  /// The place of the group of some values, or the next one for a new group.
  mutating func place(of keys: ArraySlice<PropertyValue>, next: Int) -> Int {
    if keys.count == 1, let key = keys.first.map(DistinctValue.init) {
      if let known = one[key] { return known }
      one[key] = next
      return next
    }
    let name = keys.map(DistinctValue.init)
    if let known = several[name] { return known }
    several[name] = next
    return next
  }
}

/// A row of keys and aggregates, of which a condition is true or false.
private struct ResultRow: ConditionSubject {
  let values: [PropertyValue]
  /// The number of values that are keys; the others are aggregates.
  var keyCount = 0

  var key: Int64 { 0 }
  var entity: Int { 0 }
  /// A key, or for a negative number an aggregate.
  func value(_ slot: Int) -> PropertyValue { values[slot < 0 ? keyCount + ~slot : slot] }
  func related(_ slot: Int) -> ResultRow? { nil }
  func members(_ relationship: Int) -> [ResultRow] { [] }
}

extension ValueQuery.Order {
  /// The key as one of an order of objects.
  var sorted: BoundSortKey {
    BoundSortKey(
      slot: 0, isAscending: isAscending, textOrder: textOrder,
      nilOrder: isNullFirst ? .nilsFirst : .nilsLast)
  }
}

extension PropertyValue {
  /// The value by which rows are ordered: for the key of an object, its place in the order of
  /// insertion.
  fileprivate func ordered(as type: QueryValueType) -> PropertyValue {
    guard case .object = type, case .integer(let key) = self else { return self }
    return .integer(StoreQuery.orderOfInsertion(key))
  }
}
