import Foundation

/// A value that one thread at a time works with.
///
/// Built on Foundation's lock and not on the standard library's `Mutex`, which waits in a way that the
/// thread sanitizer does not see: it reports every use as a race, and among false reports a true one
/// would be lost.
// @unchecked: `value` is touched under the lock only, and is itself Sendable.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs the body with the value, alone.
  package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
