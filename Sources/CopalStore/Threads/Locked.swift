import CopalEssentials

/// A lock of the system.
///
/// Not the standard library's `Mutex`: the thread sanitizer does not see how it waits and reports
/// every use as a race; a real race would be lost among them. Not Foundation's `NSLock`, which
/// links all of Foundation.
// @unchecked: the system's mutex may be used on any thread. Its memory does not move.
package final class SystemLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func lock() { pthread_mutex_lock(mutex) }

  package func unlock() { pthread_mutex_unlock(mutex) }
}

/// A value that is accessed under a lock.
// @unchecked: `value` is touched under the lock only, and is itself Sendable.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = SystemLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs the body with the value under the lock.
  package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
