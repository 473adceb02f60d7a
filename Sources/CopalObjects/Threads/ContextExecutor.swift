import CopalStore

/// Runs background work that may wait for a store.
///
/// A store's calls are synchronous and may wait for a lock. On the threads of Swift's own pool that
/// would block other tasks, so a few threads of the container wait instead.
final class ContextExecutor: Sendable {
  private let pool: ThreadPool

  init(width: Int) { pool = ThreadPool(width: width) }

  /// Runs the body on one of the threads.
  func run<R>(_ body: sending @escaping () throws -> sending R) async throws -> sending R {
    let work = Work(body)
    return try await withCheckedThrowingContinuation { continuation in
      pool.submit {
        do {
          continuation.resume(returning: try work.body())
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  /// The same with a cancellation, which is told when the task is canceled.
  func run<R>(until cancellation: Cancellation?, _ body: sending @escaping () throws -> sending R)
    async throws -> sending R
  {
    guard let cancellation else { return try await run(body) }
    let work = Work(body)
    let result = try await withTaskCancellationHandler {
      try await run { Sent(value: try work.body()) }
    } onCancel: {
      cancellation.cancel()
    }
    return result.value
  }

  /// An executor for one actor, on the same threads.
  func makeSerialExecutor() -> ContextSerialExecutor { ContextSerialExecutor(pool) }

  // @unchecked: the value is `sending`, so no other code can reach it, and it is taken once.
  private struct Sent<R>: @unchecked Sendable {
    let value: R
  }

  // @unchecked: the body is `sending`, so no other code can reach its values, and exactly one
  // thread runs it.
  private final class Work<R>: @unchecked Sendable {
    let body: () throws -> sending R
    init(_ body: sending @escaping () throws -> sending R) { self.body = body }
  }
}
