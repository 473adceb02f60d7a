import CopalModel
public import CopalStore

/// Fetching without waiting.
extension ManagedObjectContext {
  /// The objects that a request asks for. The store is read on a thread of the container, so that
  /// the actor of this context, for example the main actor, is free in the meantime. Then the
  /// objects are made on the actor.
  ///
  /// ```swift
  /// let pigments = try await context.fetchInBackground(Pigment.fetchRequest().filter { $0.name.contains("ultra") })
  /// ```
  ///
  /// When the task is canceled, the statement is ended. While the entity or related objects have
  /// unsaved changes, in a read transaction, and for `returnsObjectsAsFaults`, the fetch is made in
  /// place, as ``fetch(_:)`` makes it.
  ///
  /// - Throws: as ``fetch(_:)``; `CancellationError` when the task is canceled.
  public nonisolated(nonsending) func fetchInBackground<T: ManagedObject>(
    _ request: FetchRequest<T>
  ) async throws -> [T] {
    try Task.checkCancellation()
    let bound = try bound(request, for: .fetch, makesObjects: true)
    let (runtime, query) = (bound.runtime, bound.query)
    try checkPrefetchedPaths(of: request, runtime)
    let isInPlace = request.returnsObjectsAsFaults || state.session.isInTransaction
    if try isInPlace || unsavedChangesMatter(to: query, runtime) { return try fetch(request) }
    let changes = state.storedChangeCount
    // The statements run on another thread, and other operations of this context can run in the
    // meantime.
    let observer = state.session.statements
    let stack = observer?.wantedStack
    let read = try await BackgroundRead(state.container, reportsStatements: observer != nil).rows(
      of: query)
    let rows = read.rows
    for statement in read.statements {
      observer?.add(statement, StatementReason(bound.reason, runtime.layout.name), stack: stack)
    }
    state.mergeIfDue()
    state.endTurn()
    // Changes that were made in the meantime count, too. Rows that were read before a save, a batch
    // or a refresh would be older than the objects.
    state.noticeBatches()
    if try state.storedChangeCount != changes || unsavedChangesMatter(to: query, runtime) {
      return try fetch(request)
    }
    if request.refreshesObjects { _ = state.noteMutations() }
    state.sweepIfDue(runtime.index)
    let receiver = FetchReceiver(
      core, state, runtime, limit: query.limit, refreshesObjects: request.refreshesObjects)
    receiver.keepsNewerRows = true
    receiver.origin = CohortOrigin(fetch: .init(runtime: runtime, predicate: request.predicate))
    for row in rows { row.pass(to: receiver) }
    receiver.notifyAwake()
    let found = receiver.takeObjects()
    try prefetch(for: found, of: request, runtime)
    // As in `fetch(_:)`: every object has the class.
    return unsafeBitCast(found, to: [T].self)
  }

  /// Whether unsaved changes can alter what a query finds.
  private func unsavedChangesMatter(to query: StoreQuery, _ runtime: EntityRuntime) throws -> Bool {
    let former = state.begin(.fetch, runtime)
    defer { former?.end() }
    if try !state.pendingChanges(of: runtime.index).isEmpty || sortsInMemory(query, runtime) {
      return true
    }
    return try RelatedChanges(state, core).resolve(query) != query
  }
}
