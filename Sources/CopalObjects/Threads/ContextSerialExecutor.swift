import CopalStore

/// Runs an actor that has its own context on threads of the container.
///
/// Calls of a context can wait for a lock of the store. By default, an actor runs on the threads
/// that all of Swift's tasks share, and its waiting blocks other tasks. With this executor it waits
/// on the container's threads:
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
/// Make one for each actor, with ``PersistentContainer/makeSerialExecutor()``, and keep it in a
/// stored property of the actor: an `UnownedSerialExecutor` does not retain it, and an actor must
/// not run after its executor has been released. The executor keeps the threads of the container
/// alive, so that it also works after the container has been released.
///
/// It runs one job at a time, in the order of their arrival; priorities have no effect. All
/// executors of a container and its `perform` share the container's threads.
public final class ContextSerialExecutor: SerialExecutor {
  private let pool: ThreadPool
  private let pending = Locked(Pending())

  private struct Pending {
    var jobs: [UnownedJob] = []
    /// Whether a turn is running or submitted.
    var hasTurn = false
  }

  init(_ pool: ThreadPool) { self.pool = pool }

  /// Adds a job of the actor. Swift's runtime calls it. It does not wait for the job.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsTurn = pending.withLock { pending in
      pending.jobs.append(job)
      defer { pending.hasTurn = true }
      return !pending.hasTurn
    }
    if needsTurn { submitTurn() }
  }

  /// A reference to the executor for the actor's `unownedExecutor`. It does not retain the
  /// executor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  // The turn keeps the executor alive: its actor may be released in the last job.
  private func submitTurn() { pool.submit { self.runTurn() } }

  /// Runs the waiting jobs. Jobs that arrive in the meantime wait for another turn, so that no
  /// actor occupies a thread.
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
