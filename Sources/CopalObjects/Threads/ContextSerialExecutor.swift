import CopalStore

/// Runs an actor that has a context of its own on threads of the container.
///
/// A context's calls may wait for a lock of the store. An actor runs on the threads that all of Swift's tasks
/// share, so its waiting holds up other tasks. With an executor of this kind it waits on the container's
/// threads instead:
///
/// ```swift
/// actor Archive {
///   private let executor: ContextSerialExecutor
///   private let context: ManagedObjectContext
///
///   nonisolated var unownedExecutor: UnownedSerialExecutor {
///     executor.asUnownedSerialExecutor()
///   }
///
///   init(_ container: PersistentContainer) {
///     executor = container.makeSerialExecutor()
///     context = container.makeContext()
///   }
/// }
/// ```
///
/// Make one for each actor and keep it in the actor: an `UnownedSerialExecutor` retains nothing. It runs one
/// job at a time, in the order in which they come, whatever their priorities. Many executors share the few
/// threads of a container, with each other and with `perform`; it may outlive its container.
public final class ContextSerialExecutor: SerialExecutor {
  private let pool: ThreadPool
  private let pending = Locked(Pending())

  private struct Pending {
    var jobs: [UnownedJob] = []
    /// Whether a turn is under way or has been submitted.
    var hasTurn = false
  }

  init(_ pool: ThreadPool) { self.pool = pool }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsTurn = pending.withLock { pending in
      pending.jobs.append(job)
      defer { pending.hasTurn = true }
      return !pending.hasTurn
    }
    if needsTurn { submitTurn() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  // The turn holds the executor: the actor that keeps it may end in its last job.
  private func submitTurn() { pool.submit { self.runTurn() } }

  /// Runs the jobs that are there, and leaves those that come meanwhile to another turn, so that no actor
  /// keeps a thread for itself.
  private func runTurn() {
    let jobs = pending.withLock { pending in
      defer { pending.jobs = [] }
      return pending.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    let needsTurn = pending.withLock { pending in
      pending.hasTurn = !pending.jobs.isEmpty
      return pending.hasTurn
    }
    if needsTurn { submitTurn() }
  }
}
