#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// A few threads for work that may wait for a lock.
///
/// Threads start when there is work, up to a limit, and stay for further work. When the pool is
/// released, they finish the submitted work and end.
final class ThreadPool: Sendable {
  typealias Work = @Sendable () -> Void

  private let workers: Workers

  /// - Parameters:
  ///   - width: the greatest number of threads; at least 1.
  ///   - start: starts a thread, and returns whether that succeeded.
  init(
    width: Int, start: @escaping @Sendable (@escaping Work) -> Bool = SystemThread.start
  ) {
    workers = Workers(width: max(1, width), start: start)
  }

  // The threads refer to the workers and not to the pool, so that the pool is released with its
  // last user.
  deinit { workers.close() }

  /// Runs work on one of the threads, in the order of submission.
  func submit(_ work: @escaping Work) { workers.submit(work) }
}

/// The shared state of a pool's threads.
// @unchecked: mutable state is accessed only under the monitor's lock.
private final class Workers: @unchecked Sendable {
  private let width: Int
  private let start: @Sendable (@escaping ThreadPool.Work) -> Bool
  private let monitor = Monitor()
  private var waiting = WorkQueue()
  private var threadCount = 0
  private var idleCount = 0
  private var isClosed = false

  init(width: Int, start: @escaping @Sendable (@escaping ThreadPool.Work) -> Bool) {
    self.width = width
    self.start = start
  }

  func submit(_ work: @escaping ThreadPool.Work) {
    monitor.lock()
    waiting.append(work)
    // A woken thread counts as idle until it runs, so the number of idle threads is compared with
    // the waiting work.
    let needsThread = waiting.count > idleCount && threadCount < width
    if needsThread { threadCount += 1 } else { monitor.signal() }
    monitor.unlock()
    if needsThread { startThread() }
  }

  private func startThread() {
    if start({ self.work(isHelping: false) }) { return }
    // The system cannot create a thread. The existing threads do the work, or else a Swift task.
    monitor.lock()
    let isAlone = threadCount == 1
    if !isAlone { threadCount -= 1 }
    monitor.unlock()
    if isAlone { Task.detached { self.work(isHelping: true) } }
  }

  /// Does work until the pool ends, or, when helping, until no work is waiting.
  private func work(isHelping: Bool) {
    // Each piece of work is released outside of the lock, before the next one: it may hold the last
    // reference to the pool.
    while let work = next(waits: !isHelping) {
      #if canImport(ObjectiveC)
        autoreleasepool { work() }
      #else
        work()
      #endif
    }
  }

  /// The next piece of work; nil when the thread is to end.
  private func next(waits: Bool) -> ThreadPool.Work? {
    monitor.lock()
    defer { monitor.unlock() }
    while true {
      if let work = waiting.popFirst() { return work }
      if isClosed || !waits {
        threadCount -= 1
        return nil
      }
      idleCount += 1
      monitor.wait()
      idleCount -= 1
    }
  }

  func close() {
    monitor.lock()
    isClosed = true
    monitor.broadcast()
    monitor.unlock()
  }
}

/// A first-in-first-out queue.
private struct WorkQueue {
  private var incoming: [ThreadPool.Work] = []
  /// The next work in reverse order.
  private var outgoing: [ThreadPool.Work] = []

  var count: Int { incoming.count + outgoing.count }

  mutating func append(_ work: @escaping ThreadPool.Work) { incoming.append(work) }

  mutating func popFirst() -> ThreadPool.Work? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}
