import CopalModel
import CopalStore

/// A read of a store on a background thread, which the cancellation of the task ends.
struct BackgroundRead {
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

  /// The rows of a query, and the statements that have read them.
  func rows(of query: StoreQuery) async throws -> (rows: [Row], statements: [ExecutedStatement]) {
    let reportsStatements = reportsStatements
    return try await run { opened in
      let collector = RowCollector()
      let session =
        reportsStatements
        ? WrappedSession.reporting(opened) { collector.statements.append($0) } : opened
      try session.fetch(query, into: collector)
      return (collector.rows, collector.statements)
    }
  }

  /// What a function reads with a session of its own.
  func run<R: Sendable>(_ body: @escaping @Sendable (any StoreSession) throws -> R) async throws
    -> R
  {
    let cancellation = Locked(Cancellation())
    let store = container.store
    do {
      return try await withTaskCancellationHandler {
        try await container.backgroundReads.run {
          let session = try store.makeSession()
          try cancellation.withLock { state in
            if state.isCanceled { throw CancellationError() }
            state.interrupt = session.interrupt
          }
          // Under the lock, so that no interruption reaches the next use of the connection.
          defer { cancellation.withLock { $0.interrupt = nil } }
          let result = try body(session)
          // An interruption before the first row of a statement has no effect.
          if cancellation.withLock({ $0.isCanceled }) { throw CancellationError() }
          return result
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
