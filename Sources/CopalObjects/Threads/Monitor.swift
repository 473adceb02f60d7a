#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A lock, and a way to wait under it until another thread has changed what it protects.
// @unchecked: both are made for many threads, stay where they are, and go with the monitor.
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

  /// Gives the lock up, waits for a signal, and takes it again. It may come back without one.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Wakes one thread that waits.
  func signal() { pthread_cond_signal(condition) }

  /// Wakes all threads that wait.
  func broadcast() { pthread_cond_broadcast(condition) }
}
