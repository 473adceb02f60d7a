import Foundation

/// The part of a context that its objects hold: the way to its state while it lives.
///
/// The handle, ``ManagedObjectContext``, owns the state; when it ends, on whichever thread, it closes the
/// core, and the state lets go of its objects. So a ring of context and objects never leaks, and an
/// object that outlives its context reads as missing instead of touching a closed session. The lock is
/// there for that one moment: the last reference to a context may be dropped on a thread that is not
/// its isolation's while an object is being read there.
final class ContextCore {
  private let lock = NSLock()
  private var openState: ContextState?
  private weak var openHandle: ManagedObjectContext?
  /// Keeps what objects refer to without a reference of their own.
  let container: ContainerRuntime

  init(_ state: ContextState) {
    container = state.container
    openState = state
  }

  /// The state, as long as the context lives.
  func state() -> ContextState? {
    lock.lock()
    defer { lock.unlock() }
    return openState
  }

  var handle: ManagedObjectContext? {
    get {
      lock.lock()
      defer { lock.unlock() }
      return openHandle
    }
    set {
      lock.lock()
      defer { lock.unlock() }
      openHandle = newValue
    }
  }

  /// Lets go of the state. The caller holds it too, so that nothing is released under the lock.
  func close() {
    lock.lock()
    defer { lock.unlock() }
    openState = nil
  }
}
