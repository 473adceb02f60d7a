import CopalModel
import CopalStore

/// A request whose names and types are those of the model, and what its statements are for: what
/// every way of fetching begins with.
struct BoundFetch<Query> {
  let runtime: EntityRuntime
  let query: Query
  let reason: StatementReason.Operation
}

extension ManagedObjectContext {
  /// Binds a request, and notices the batches of other contexts.
  ///
  /// - Parameters:
  ///   - cursor: the place behind which the objects are; nil for all of them.
  ///   - makesObjects: whether the result has objects of the request's class.
  /// - Throws: what is wrong with the request.
  func bound<T: ManagedObject>(
    _ request: FetchRequest<T>, for reason: StatementReason.Operation,
    after cursor: FetchCursor? = nil, makesObjects: Bool = false
  ) throws -> BoundFetch<StoreQuery> {
    let runtime = try runtime(for: request)
    if makesObjects { try requireClass(T.self, of: runtime) }
    let binder = binder(of: runtime)
    let query =
      try cursor.map { try binder.bind(request, after: $0) } ?? binder.bind(request)
    state.noticeBatches()
    return BoundFetch(runtime: runtime, query: query, reason: reason)
  }

  /// Binds a request for values, and notices the batches of other contexts.
  ///
  /// - Throws: what is wrong with the request.
  func bound(_ request: ValueRequest, for reason: StatementReason.Operation) throws
    -> BoundFetch<ValueQuery>
  {
    let runtime = try runtime(named: request.entityName)
    let query = try binder(of: runtime).bind(request)
    state.noticeBatches()
    return BoundFetch(runtime: runtime, query: query, reason: reason)
  }

  /// The binder of requests for the objects of an entity.
  func binder(of runtime: EntityRuntime) -> PredicateBinder {
    PredicateBinder(runtime.layout, in: state.container.schema, keys: state)
  }

  /// Checks that the objects of an entity are objects of a class.
  private func requireClass<T: ManagedObject>(_ type: T.Type, of runtime: EntityRuntime) throws {
    guard runtime.objectClass is T.Type else {
      throw PersistenceError(
        .wrongClass, entity: runtime.layout.name, found: "\(T.self)",
        expected: "\(runtime.objectClass)")
    }
  }
}

extension ContextState {
  /// The statements of a fetch begin. Call ``StatementObserver/end()`` at its end.
  @inline(__always)
  func begin<Query>(_ fetch: BoundFetch<Query>) -> StatementObserver? {
    begin(fetch.reason, fetch.runtime)
  }
}
