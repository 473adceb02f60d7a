public import CopalModel
public import CopalStore

/// Fetching values and aggregates without objects.
extension ManagedObjectContext {
  /// The rows of a request for values: for each row, the value of each column. Unsaved changes of
  /// this context are included.
  ///
  /// It makes no objects. ``fetchValues(_:where:having:sortedBy:limit:offset:isDistinct:_:)`` is
  /// the typed form.
  ///
  /// - Throws: ``PersistenceError`` with a code of `request.…` when a name or a type does not match
  ///   the model, or with a code of `store.…`.
  public func fetchValues(_ request: ValueRequest) throws -> [[PropertyValue]] {
    let bound = try bound(request, for: .fetchValues)
    let former = state.begin(bound)
    defer { former?.end() }
    let query = bound.query
    let rows =
      request.includesPendingChanges
      ? try ValueFetch(state, core, bound.runtime, query: query).rows()
      : try state.session.opened().fetchValues(query)
    return state.container.objectIDs(in: rows, query)
  }

  /// The rows of a request for values as dictionaries, by the names of the columns.
  ///
  /// - Throws: as ``fetchValues(_:)``.
  public func fetchDictionaries(_ request: ValueRequest) throws -> [[String: PropertyValue]] {
    let names = request.columns.map(\.name)
    return try fetchValues(request).map { row in
      Dictionary(zip(names, row), uniquingKeysWith: { first, _ in first })
    }
  }

  /// The rows of a request for values, decoded: the name of a column is the name of a property of
  /// the type.
  ///
  /// ```swift
  /// struct Offer: Decodable { var name: String; var price: Decimal? }
  /// let request = ValueRequest(
  ///   entityName: "Pigment",
  ///   columns: [.init("name", .property("name")), .init("price", .property("price"))])
  /// let offers = try context.fetchValues(request, as: Offer.self)
  /// ```
  ///
  /// A property that is an enum with raw values decodes a raw value. A type of one value, such as
  /// `String`, decodes the only column. A column without a property is left out; an optional
  /// property without a column is nil.
  ///
  /// - Throws: as ``fetchValues(_:)``; `request.notDecodable` for a column that is missing or has a
  ///   value of another type; what an initializer of the type throws.
  public func fetchValues<Row: Decodable>(_ request: ValueRequest, as type: Row.Type) throws
    -> [Row]
  {
    let decoder = RowDecoder(request)
    return try fetchValues(request).map { try decoder.decode(Row.self, from: $0) }
  }

  /// Values of the objects of a class, decoded: each column has the name of a property of the type.
  ///
  /// ```swift
  /// struct Offer: Decodable { var name: String; var maker: String?; var price: Decimal? }
  /// let offers = try context.fetchValues(Pigment.self, as: Offer.self, where: { $0.price < 20 }) {
  ///   ["name": $0.name, "maker": $0.maker.name, "price": $0.price]
  /// }
  /// ```
  ///
  /// See ``fetchValues(_:where:having:sortedBy:limit:offset:isDistinct:_:)`` for groups and the
  /// other parameters.
  ///
  /// - Throws: as ``fetchValues(_:as:)``.
  public func fetchValues<T: QueryableObject, Row: Decodable>(
    _ type: T.Type, as row: Row.Type,
    where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    having groupCondition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    sortedBy order: ((QueryProperties<T>) -> [QueryColumnOrder])? = nil, limit: Int? = nil,
    offset: Int = 0, isDistinct: Bool = false,
    _ columns: (QueryProperties<T>) -> KeyValuePairs<String, any QueryColumn>
  ) throws -> [Row] {
    let columns = columns(QueryProperties<T>()).map {
      ValueRequest.Column($0.key, $0.value._columnExpression)
    }
    var request = try valueRequest(
      type, columns, where: condition, having: groupCondition, sortedBy: order)
    (request.limit, request.offset, request.isDistinct) = (limit, offset, isDistinct)
    return try fetchValues(request, as: row)
  }

  private func valueRequest<T: QueryableObject>(
    _ type: T.Type, _ columns: [ValueRequest.Column],
    where condition: ((QueryProperties<T>) -> any FetchCondition)?,
    having groupCondition: ((QueryProperties<T>) -> any FetchCondition)?,
    sortedBy order: ((QueryProperties<T>) -> [QueryColumnOrder])?
  ) throws -> ValueRequest {
    let properties = QueryProperties<T>()
    var request = ValueRequest(
      entityName: try runtime(for: FetchRequest<T>()).layout.name, columns: columns,
      predicate: condition.map { $0(properties)._predicate })
    request.having = groupCondition.map { $0(properties)._predicate }
    request.sortKeys = order.map { $0(properties).map(\.key) } ?? []
    return request
  }

  /// Values of the objects of a class, without the objects: a tuple for each object, or for each
  /// group.
  ///
  /// ```swift
  /// let prices = try context.fetchValues(Pigment.self) { ($0.name, $0.price) }
  /// let makers = try context.fetchValues(Pigment.self, having: { $0.objectID.count > 2 }) {
  ///   ($0.maker.name, $0.price.average, $0.objectID.count)
  /// }
  /// for (maker, average, count) in makers { print(maker ?? "unknown", average ?? 0, count) }
  /// ```
  ///
  /// If a column is an aggregate, objects with equal values of the other columns are a group.
  /// Without other columns, all objects are one group, and there is one row, even for no objects.
  /// Unsaved changes of this context are included.
  ///
  /// - Parameters:
  ///   - condition: the condition on objects; nil for all objects.
  ///   - groupCondition: the condition on groups, with columns and aggregates; nil for all groups.
  ///   - order: the order; nil for that of the columns, or without groups for the order of
  ///     insertion.
  ///   - limit: the greatest number of rows; nil for no limit.
  ///   - offset: the number of rows to leave out at the start.
  ///   - isDistinct: whether equal rows are in the result once.
  ///   - columns: the columns.
  /// - Throws: as ``fetchValues(_:)``; `request.valueOutOfRange` for a sum that its type cannot
  ///   have, and for a missing value of a required attribute.
  public func fetchValues<T: QueryableObject, each Column: QueryColumn>(
    _ type: T.Type, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    having groupCondition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    sortedBy order: ((QueryProperties<T>) -> [QueryColumnOrder])? = nil, limit: Int? = nil,
    offset: Int = 0, isDistinct: Bool = false,
    _ columns: (QueryProperties<T>) -> (repeat each Column)
  ) throws -> [(repeat (each Column).Output)] {
    let properties = QueryProperties<T>()
    var requested: [ValueRequest.Column] = []
    repeat requested.append(
      ValueRequest.Column("\(requested.count)", (each columns(properties))._columnExpression))
    var request = try valueRequest(
      type, requested, where: condition, having: groupCondition, sortedBy: order)
    (request.limit, request.offset, request.isDistinct) = (limit, offset, isDistinct)
    return try fetchValues(request).map { row in
      var position = -1
      func output<C: QueryColumn>(_ column: C.Type) throws -> C.Output {
        position += 1
        guard let output = column._output(row[position]) else {
          throw PersistenceError(
            .valueOutOfRange, entity: request.entityName, found: "column \(position + 1)")
        }
        return output
      }
      return (repeat try output((each Column).self))
    }
  }

  /// One value of all objects of a class that meet a condition: an aggregate.
  ///
  /// ```swift
  /// let total = try context.fetchValue(Pigment.self, where: { $0.isSold == false }) { $0.price.sum }
  /// ```
  ///
  /// - Throws: as ``fetchValues(_:where:having:sortedBy:limit:offset:isDistinct:_:)``.
  public func fetchValue<T: QueryableObject, Value: ValueConvertible, Output>(
    _ type: T.Type, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    _ aggregate: (QueryProperties<T>) -> QueryAggregate<Value, Output>
  ) throws -> Output {
    let rows = try fetchValues(type, where: condition) { aggregate($0) }
    guard let row = rows.first else {
      throw PersistenceError(.valueOutOfRange, entity: "\(T.self)", found: "column 1")
    }
    return row
  }
}
