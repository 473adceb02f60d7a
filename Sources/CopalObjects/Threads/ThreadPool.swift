#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// A few threads of our own, for work that may wait for a lock.
///
/// Threads start when there is work for them, up to a bound, and stay for the next. When the pool ends,
/// they end too, after the work that has been submitted.
final class ThreadPool: Sendable {
  typealias Work = @Sendable () -> Void

  private let workers: Workers

  /// - Parameters:
  ///   - width: how many threads there are at most; at least one.
  ///   - start: runs a thread; returns whether there was one to be had.
  init(
    width: Int, start: @escaping @Sendable (@escaping Work) -> Bool = SystemThread.start
  ) {
    workers = Workers(width: max(1, width), start: start)
  }

  // The threads know the workers, not the pool: so it ends when nobody has work for it any more.
  deinit { workers.close() }

  /// Runs work on one of the threads, in the order of submission.
  func submit(_ work: @escaping Work) { workers.submit(work) }
}

/// What the threads of a pool share.
// @unchecked: what changes is touched under the lock of the monitor only.
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
    // A thread that has been woken counts as idle until it runs, so each piece of work needs one.
    let needsThread = waiting.count > idleCount && threadCount < width
    if needsThread { threadCount += 1 } else { monitor.signal() }
    monitor.unlock()
    if needsThread { startThread() }
  }

  private func startThread() {
    if start({ self.work(isHelping: false) }) { return }
    // The system has no thread to give. The threads that there are do the work, or else a task of Swift's.
    monitor.lock()
    let isAlone = threadCount == 1
    if !isAlone { threadCount -= 1 }
    monitor.unlock()
    if isAlone { Task.detached { self.work(isHelping: true) } }
  }

  /// Does work until there will be none, or, to help out, until there is none at the moment.
  private func work(isHelping: Bool) {
    // Each piece is released before the next is looked for, outside of the lock: it may hold the last
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

/// Work in the order in which it came.
private struct WorkQueue {
  private var incoming: [ThreadPool.Work] = []
  /// The next work, last one first.
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
