public import CopalModel
public import CopalStore

/// Fetching one object, and asking whether there is one.
extension ManagedObjectContext {
  /// The first object that a request asks for; nil when there is none. Makes at most one object.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func first<T: ManagedObject>(_ request: FetchRequest<T>) throws -> T? {
    try fetch(request.atMost(1)).first
  }

  /// The first object of a class that meets a condition; nil when there is none. Makes at most one
  /// object.
  ///
  /// ```swift
  /// let mostExpensive = try context.first(Pigment.self, sortedBy: \.price.descending)
  /// ```
  ///
  /// - Parameters:
  ///   - sortKeys: the order, the most significant key first; without keys, the order of insertion.
  ///   - condition: the condition; nil for all objects.
  /// - Throws: as ``fetch(_:)``.
  @inlinable
  public func first<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>...,
    where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil
  ) throws -> T? {
    let properties = QueryProperties<T>()
    return try first(
      FetchRequest(
        predicate: condition.map { $0(properties)._predicate },
        sortKeys: sortKeys.map { properties[keyPath: $0] }))
  }

  /// The only object that a request asks for; nil when there is none. Reads at most two rows.
  ///
  /// Use it where the program relies on there being one, for example for the value of a unique
  /// constraint.
  ///
  /// - Throws: ``PersistenceError`` with the code `request.severalObjects` when there are two or
  ///   more, and as ``fetch(_:)``.
  public func one<T: ManagedObject>(_ request: FetchRequest<T>) throws -> T? {
    let found = try fetch(request.atMost(2))
    guard found.count < 2 else {
      throw PersistenceError(
        .severalObjects, entity: found[0].entityName, objectID: found[0].objectID,
        otherID: found[1].objectID)
    }
    return found.first
  }

  /// The only object of a class that meets a condition; nil when there is none. Reads at most two
  /// rows.
  ///
  /// ```swift
  /// let woad = try context.one(Pigment.self) { $0.name == "Woad" }
  /// ```
  ///
  /// - Throws: ``PersistenceError`` with the code `request.severalObjects` when there are two or
  ///   more, and as ``fetch(_:)``.
  @inlinable
  public func one<T: QueryableObject>(
    _ type: T.Type, where condition: (QueryProperties<T>) -> any FetchCondition
  ) throws -> T? {
    try one(FetchRequest(predicate: condition(QueryProperties())._predicate))
  }

  /// Whether there is an object that a request asks for. Reads at most one key, and makes no
  /// object.
  ///
  /// - Throws: as ``fetchIDs(_:)``.
  public func exists<T: ManagedObject>(_ request: FetchRequest<T>) throws -> Bool {
    try !fetchIDs(request.atMost(1)).isEmpty
  }

  /// Whether there is an object of a class that meets a condition. Reads at most one key, and makes
  /// no object.
  ///
  /// ```swift
  /// if try !context.exists(Pigment.self, where: { $0.name == name }) {
  ///   let pigment = Pigment(context: context, name: name)
  /// }
  /// ```
  ///
  /// - Parameter condition: the condition; nil for all objects.
  /// - Throws: as ``fetchIDs(_:)``.
  @inlinable
  public func exists<T: QueryableObject>(
    _ type: T.Type, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil
  ) throws -> Bool {
    try exists(FetchRequest<T>(predicate: condition.map { $0(QueryProperties())._predicate }))
  }
}

extension FetchRequest {
  /// The request for at most so many objects. A smaller limit stays, and a negative one is still
  /// refused.
  fileprivate func atMost(_ count: Int) -> Self {
    var request = self
    request.limit = Swift.min(limit ?? count, count)
    return request
  }
}
