public import CopalModel
import CopalStore

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

/// A read of a store on a background thread, which the cancellation of the task ends.
private struct BackgroundRead {
  private let container: ContainerRuntime
  private let reportsStatements: Bool

  init(_ container: ContainerRuntime, reportsStatements: Bool) {
    self.container = container
    self.reportsStatements = reportsStatements
  }

  /// A row that was read, or its error.
  struct Row: Sendable {
    let key: Int64
    let content: Result<PackedRow, PersistenceError>

    /// Passes the row to a receiver, as a session does.
    func pass(to receiver: FetchReceiver) {
      switch content {
      case .failure(let failure): receiver.receive(key: key, failure: failure)
      case .success(let row):
        if receiver.wantsRow(key: key, version: row.version) {
          receiver.receive(key: key, row: row)
        } else {
          receiver.skip(key: key)
        }
      }
    }
  }

  /// How the read is ended.
  private struct Cancellation: Sendable {
    var isCanceled = false
    /// Ends the statement; nil while none runs.
    var interrupt: (@Sendable () -> Void)?

    /// Ends the statement that runs.
    ///
    /// - Returns: whether it must be called again: an interruption has no effect on a statement
    ///   that is only about to run.
    func end() -> Bool {
      interrupt?()
      return interrupt != nil
    }
  }

  func rows(of query: StoreQuery) async throws -> (rows: [Row], statements: [ExecutedStatement]) {
    let reportsStatements = reportsStatements
    let cancellation = Locked(Cancellation())
    let store = container.store
    do {
      return try await withTaskCancellationHandler {
        try await container.backgroundReads.run {
          let collector = RowCollector()
          let opened = try store.makeSession()
          let session =
            reportsStatements
            ? TimedSession.reporting(opened) { collector.statements.append($0) } : opened
          try cancellation.withLock { state in
            if state.isCanceled { throw CancellationError() }
            state.interrupt = session.interrupt
          }
          // Under the lock, so that no interruption reaches the next use of the connection.
          defer { cancellation.withLock { $0.interrupt = nil } }
          try session.fetch(query, into: collector)
          // An interruption before the first row of a statement has no effect.
          if cancellation.withLock({ $0.isCanceled }) { throw CancellationError() }
          return (collector.rows, collector.statements)
        }
      } onCancel: {
        let mayStillRun = cancellation.withLock { state in
          state.isCanceled = true
          return state.end()
        }
        if mayStillRun {
          Task.detached {
            repeat {
              try await Task.sleep(for: .milliseconds(5))
            } while cancellation.withLock { $0.end() }
          }
        }
      }
    } catch let error as PersistenceError where error.code == .interrupted {
      try Task.checkCancellation()
      throw error
    }
  }

  private final class RowCollector: RowReceiver {
    var rows: [Row] = []
    var statements: [ExecutedStatement] = []
    func wantsRow(key: Int64, version: Int64) -> Bool { true }
    func receive(key: Int64, row: consuming PackedRow) {
      rows.append(Row(key: key, content: .success(row)))
    }
    func skip(key: Int64) {}
    func receive(key: Int64, failure: PersistenceError) {
      rows.append(Row(key: key, content: .failure(failure)))
    }
  }
}
