import CopalStore
import Foundation

/// Threads for work that waits for a store.
///
/// A store's calls are synchronous and may wait for a lock; on the threads of Swift's own pool that
/// would hold up every other task. A few queues of our own wait instead.
final class ContextExecutor: Sendable {
  /// Made by the first work: a program that only uses contexts of its own needs none.
  private let made = Locked<OperationQueue?>(nil)

  // Counting the processors means reading files; once is enough.
  private static let width = max(4, ProcessInfo.processInfo.activeProcessorCount)

  private var queue: OperationQueue {
    made.withLock { queue in
      if let queue { return queue }
      let new = OperationQueue()
      new.name = "copal.perform"
      new.maxConcurrentOperationCount = Self.width
      queue = new
      return new
    }
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
