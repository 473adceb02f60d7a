#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A lock with a condition variable.
// @unchecked: mutex and condition are made for several threads, keep their address, and are
// destroyed with the monitor.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Unlocks, waits for a signal, and locks again. It may return without a signal.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Wakes one waiting thread.
  func signal() { pthread_cond_signal(condition) }

  /// Wakes all waiting threads.
  func broadcast() { pthread_cond_broadcast(condition) }
}
