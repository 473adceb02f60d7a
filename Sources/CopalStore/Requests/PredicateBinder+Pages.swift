import CopalModel

extension PredicateBinder {
  /// Translates a request for the objects behind a cursor.
  ///
  /// - Throws: ``PersistenceError`` as ``bind(_:)``; `request.invalidCursor` for a cursor of
  ///   another order, and for an order that pages cannot have.
  public func bind<Object>(_ request: FetchRequest<Object>, after cursor: FetchCursor) throws
    -> StoreQuery
  {
    var query = try bind(request)
    guard cursor.values.count == request.sortKeys.count else {
      throw invalidCursor(
        "the cursor has \(count(cursor.values.count, "value")), and the order has \(count(request.sortKeys.count, "key"))"
      )
    }
    guard let key = orderOfKey(cursor.objectID) else {
      throw invalidCursor("the cursor's object is of another entity or of another store")
    }
    var binder = conditionBinder()
    binder.parameters = query.parameters
    let keys = try zip(request.sortKeys, cursor.values).map { try PageKey($0, $1, self) }
    // The objects with equal values of all keys come in the order of their keys.
    binder.parameters.append(.integer(key))
    var condition = QueryCondition.holds(
      .key, .greater, .parameter(binder.parameters.count - 1), resultForNull: false)
    for key in keys.reversed() {
      let after = try binder.bind(key.isAfter)
      let equal = try binder.bind(key.isEqual)
      condition = .or([after, .and([equal, condition])])
      // So that an index of the attribute is read from there.
      if key === keys.first { condition = .and([try binder.bind(key.isNotBefore), condition]) }
    }
    query.condition = query.condition.map { .and([$0, condition]) } ?? condition
    query.parameters = binder.parameters
    return query
  }

  private func invalidCursor(_ found: String) -> PersistenceError {
    PersistenceError(.invalidCursor, entity: layout.name, found: found)
  }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// The place of an object in the order of insertion, as a condition compares it.
  private func orderOfKey(_ id: ManagedObjectID) -> Int64? {
    conditionBinder().keyOfOwnObject(id).map { StoreQuery.orderOfInsertion($0) }
  }
}

extension PersistenceError {
  /// The error of pages in an order that no page can continue.
  package static func naturalPages(_ entity: String) -> PersistenceError {
    PersistenceError(
      .invalidCursor, entity: entity,
      found:
        "the order 'natural' sorts numbers in texts by their values, which a page cannot continue",
      expected: "sort by another order, 'alphabetical' for example, or use fetchBatches")
  }
}

/// One key of an order, and the value of it behind which a page begins.
private final class PageKey {
  private let value: FetchExpression
  private let constant: FetchExpression
  private let isNil: Bool
  private let isAscending: Bool
  private let isNilFirst: Bool

  init(_ key: FetchSortKey, _ value: PropertyValue, _ binder: PredicateBinder) throws {
    isNil = value.isNull
    isAscending = key.isAscending
    isNilFirst = key.nilOrder.map { $0 == .nilsFirst } ?? key.isAscending
    let (property, constant) = (
      FetchExpression.property(key.property), FetchExpression.constant(value)
    )
    switch key.textOrder {
    case .bytes: (self.value, self.constant) = (property, constant)
    case .caseInsensitive:
      (self.value, self.constant) = (.call(.foldCase, [property]), .call(.foldCase, [constant]))
    case .alphabetical:
      (self.value, self.constant) = (.call(.fold, [property]), .call(.fold, [constant]))
    case .natural: throw PersistenceError.naturalPages(binder.layout.name)
    }
  }

  private var hasNoValue: FetchPredicate { .comparison(value, .equal, .constant(.null)) }

  var isEqual: FetchPredicate { isNil ? hasNoValue : .comparison(value, .equal, constant) }

  var isAfter: FetchPredicate {
    if isNil { return isNilFirst ? .not(hasNoValue) : .constant(false) }
    let isFurther = FetchPredicate.comparison(value, isAscending ? .greater : .less, constant)
    return isNilFirst ? isFurther : .or([isFurther, hasNoValue])
  }

  var isNotBefore: FetchPredicate {
    if isNil || !isNilFirst { return .constant(true) }
    return .comparison(value, isAscending ? .greaterOrEqual : .lessOrEqual, constant)
  }
}
