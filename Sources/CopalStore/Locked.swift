import Foundation

/// A value that is accessed under a lock.
///
/// Uses Foundation's lock and not the standard library's `Mutex`. The thread sanitizer does not see
/// how `Mutex` waits and reports every use as a race; a real race would be lost among them.
// @unchecked: `value` is touched under the lock only, and is itself Sendable.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs the body with the value under the lock.
  package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
