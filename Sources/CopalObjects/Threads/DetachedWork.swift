import CopalStore

/// Work on a thread of its own that may wait for a store, and that can ask whether its task was
/// canceled.
enum DetachedWork {
  /// Runs the body on a thread.
  ///
  /// - Parameter body: gets the question whether the task was canceled.
  static func run<R: Sendable>(
    _ body: @escaping @Sendable (@escaping @Sendable () -> Bool) throws -> R
  ) async throws -> R {
    let isCanceled = Locked(false)
    return try await withTaskCancellationHandler {
      try await ContextExecutor(width: 1).run { try body { isCanceled.withLock { $0 } } }
    } onCancel: {
      isCanceled.withLock { $0 = true }
    }
  }
}
