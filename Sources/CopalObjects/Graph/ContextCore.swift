import CopalStore

/// The part of a context that its objects keep alive. It leads to the context's state while the
/// context lives.
///
/// The handle, ``ManagedObjectContext``, owns the state. When the handle is released, on any
/// thread, it closes the core, and the state releases its objects. So there is no reference cycle
/// between context and objects, and an object that outlives its context reads as missing and does
/// not use a closed session. The lock is for that moment: the last reference to a context may be
/// dropped on another thread while an object is read.
final class ContextCore: ObjectCore {
  private var openState: ContextState?
  private weak var openHandle: ManagedObjectContext?

  init(_ state: ContextState) {
    openState = state
    super.init(state.container, state.maps)
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

  /// Releases the state. The caller also keeps it alive, so that nothing is released under the
  /// lock.
  func close() {
    lock.lock()
    defer { lock.unlock() }
    openState = nil
    closeMaps()
  }
}
