public import CopalModel
public import CopalStore

/// Fetching with a condition that is a value, where the other functions have a closure.
extension ManagedObjectContext {
  /// The objects of a class that meet a condition.
  ///
  /// ```swift
  /// extension Pigment {
  ///   static let cheap = Pigment.properties.price < 20
  /// }
  /// try context.fetch(Pigment.self, sortedBy: \.price.descending, where: Pigment.cheap)
  /// ```
  ///
  /// - Parameters:
  ///   - sortKeys: the order, the most significant key first; without keys, the order of insertion.
  ///   - limit: the greatest number of objects; nil for no limit.
  ///   - offset: the number of objects to leave out at the start.
  ///   - condition: the condition; nil for all objects.
  /// - Throws: as ``fetch(_:)``.
  // Disfavored, so that `where: nil` is not ambiguous.
  @_disfavoredOverload
  @inlinable
  public func fetch<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>...,
    limit: Int? = nil, offset: Int = 0, where condition: FetchPredicate?
  ) throws -> [T] {
    try fetch(FetchRequest(condition, sortKeys, limit: limit, offset: offset))
  }

  /// The ids of the objects of a class that meet a condition.
  ///
  /// - Parameters:
  ///   - sortKeys: the order, the most significant key first; without keys, the order of insertion.
  ///   - limit: the greatest number of ids; nil for no limit.
  ///   - offset: the number of objects to leave out at the start.
  ///   - condition: the condition; nil for all objects.
  /// - Throws: as ``fetchIDs(_:)``.
  @_disfavoredOverload
  @inlinable
  public func fetchIDs<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>...,
    limit: Int? = nil, offset: Int = 0, where condition: FetchPredicate?
  ) throws -> [ManagedObjectID] {
    try fetchIDs(FetchRequest<T>(condition, sortKeys, limit: limit, offset: offset))
  }

  /// A page of the objects of a class that meet a condition.
  ///
  /// - Throws: as ``fetchPage(_:size:after:)``.
  @_disfavoredOverload
  @inlinable
  public func fetchPage<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>..., size: Int,
    after cursor: FetchCursor? = nil, where condition: FetchPredicate?
  ) throws -> FetchedPage<T> {
    try fetchPage(FetchRequest(condition, sortKeys), size: size, after: cursor)
  }

  /// The number of objects of a class that meet a condition; nil counts all objects.
  ///
  /// - Throws: as ``fetchIDs(_:)``.
  @_disfavoredOverload
  @inlinable
  public func count<T: QueryableObject>(_ type: T.Type, where condition: FetchPredicate?) throws
    -> Int
  {
    try count(FetchRequest<T>(predicate: condition))
  }

  /// The first object of a class that meets a condition; nil when there is none. Makes at most one
  /// object.
  ///
  /// - Parameters:
  ///   - sortKeys: the order, the most significant key first; without keys, the order of insertion.
  ///   - condition: the condition; nil for all objects.
  /// - Throws: as ``fetch(_:)``.
  @_disfavoredOverload
  @inlinable
  public func first<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>...,
    where condition: FetchPredicate?
  ) throws -> T? {
    try first(FetchRequest(condition, sortKeys))
  }

  /// The only object of a class that meets a condition; nil when there is none. Reads at most two
  /// rows.
  ///
  /// - Parameter condition: the condition; nil for all objects.
  /// - Throws: ``PersistenceError`` with the code `request.severalObjects` when there are two or
  ///   more, and as ``fetch(_:)``.
  @_disfavoredOverload
  @inlinable
  public func one<T: QueryableObject>(_ type: T.Type, where condition: FetchPredicate?) throws -> T?
  {
    try one(FetchRequest(predicate: condition))
  }

  /// Whether there is an object of a class that meets a condition. Reads at most one key, and makes
  /// no object.
  ///
  /// - Parameter condition: the condition; nil for all objects.
  /// - Throws: as ``fetchIDs(_:)``.
  @_disfavoredOverload
  @inlinable
  public func exists<T: QueryableObject>(_ type: T.Type, where condition: FetchPredicate?) throws
    -> Bool
  {
    try exists(FetchRequest<T>(predicate: condition))
  }

  /// Values of the objects of a class that meet a condition, decoded: each column has the name of a
  /// property of the type.
  ///
  /// - Throws: as ``fetchValues(_:as:)``.
  @_disfavoredOverload
  public func fetchValues<T: QueryableObject, Row: Decodable>(
    _ type: T.Type, as row: Row.Type, where condition: FetchPredicate?,
    having groupCondition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    sortedBy order: ((QueryProperties<T>) -> [QueryColumnOrder])? = nil, limit: Int? = nil,
    offset: Int = 0, isDistinct: Bool = false,
    _ columns: (QueryProperties<T>) -> KeyValuePairs<String, any QueryColumn>
  ) throws -> [Row] {
    try fetchValues(
      type, as: row, where: condition.map { condition in { _ in condition } },
      having: groupCondition, sortedBy: order, limit: limit, offset: offset,
      isDistinct: isDistinct, columns)
  }

  /// Values of the objects of a class that meet a condition, without the objects: a tuple for each
  /// object, or for each group.
  ///
  /// - Throws: as ``fetchValues(_:where:having:sortedBy:limit:offset:isDistinct:_:)``.
  @_disfavoredOverload
  public func fetchValues<T: QueryableObject, each Column: QueryColumn>(
    _ type: T.Type, where condition: FetchPredicate?,
    having groupCondition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    sortedBy order: ((QueryProperties<T>) -> [QueryColumnOrder])? = nil, limit: Int? = nil,
    offset: Int = 0, isDistinct: Bool = false,
    _ columns: (QueryProperties<T>) -> (repeat each Column)
  ) throws -> [(repeat (each Column).Output)] {
    try fetchValues(
      type, where: condition.map { condition in { _ in condition } }, having: groupCondition,
      sortedBy: order, limit: limit, offset: offset, isDistinct: isDistinct, columns)
  }

  /// One value of all objects of a class that meet a condition: an aggregate.
  ///
  /// - Throws: as ``fetchValues(_:where:having:sortedBy:limit:offset:isDistinct:_:)``.
  @_disfavoredOverload
  public func fetchValue<T: QueryableObject, Value: ValueConvertible, Output>(
    _ type: T.Type, where condition: FetchPredicate?,
    _ aggregate: (QueryProperties<T>) -> QueryAggregate<Value, Output>
  ) throws -> Output {
    try fetchValue(type, where: condition.map { condition in { _ in condition } }, aggregate)
  }
}

extension FetchRequest where Object: QueryableObject {
  /// A request with a condition and an order.
  @usableFromInline
  init(
    _ condition: FetchPredicate?, _ sortKeys: [KeyPath<QueryProperties<Object>, FetchSortKey>],
    limit: Int? = nil, offset: Int = 0
  ) {
    let properties = QueryProperties<Object>()
    self.init(
      predicate: condition, sortKeys: sortKeys.map { properties[keyPath: $0] }, limit: limit,
      offset: offset)
  }

  /// The request with one more condition. Its objects must meet both conditions.
  ///
  /// ```swift
  /// Pigment.fetchRequest().filter(Pigment.cheap)
  /// ```
  public func filter(_ condition: FetchPredicate) -> Self { filter { _ in condition } }
}
