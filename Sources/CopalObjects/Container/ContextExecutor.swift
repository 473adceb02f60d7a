import Dispatch
import Foundation

/// Threads for work that waits for a store.
///
/// A store's calls are synchronous and may wait for a lock; on the threads of Swift's own pool that
/// would hold up every other task. A few queues of our own wait instead.
final class ContextExecutor: Sendable {
  private let queue: OperationQueue

  init() {
    queue = OperationQueue()
    queue.name = "copal.perform"
    queue.maxConcurrentOperationCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Runs the body on one of the threads.
  func run<R>(_ body: sending @escaping () throws -> sending R) async throws -> sending R {
    let work = Work(body)
    return try await withCheckedThrowingContinuation { continuation in
      queue.addOperation {
        do {
          continuation.resume(returning: try work.body())
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  // @unchecked: the body is `sending`, so nobody else can reach what it holds, and exactly one
  // operation runs it.
  private final class Work<R>: @unchecked Sendable {
    let body: () throws -> sending R
    init(_ body: sending @escaping () throws -> sending R) { self.body = body }
  }
}
