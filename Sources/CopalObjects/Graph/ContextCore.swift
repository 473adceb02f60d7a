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
  private let lock = SystemLock()
  private var openState: ContextState?
  /// The identity maps of the state, as long as it is there.
  private var openMaps: UnsafeMutableBufferPointer<Unmanaged<IdentityMap>>?
  private weak var openHandle: ManagedObjectContext?

  init(_ state: ContextState) {
    openState = state
    let maps = UnsafeMutableBufferPointer<Unmanaged<IdentityMap>>.allocate(
      capacity: state.maps.count)
    _ = maps.initialize(from: state.maps.lazy.map(Unmanaged.passUnretained))
    openMaps = maps
    super.init(state.container)
  }

  deinit { openMaps?.deallocate() }

  /// The state, as long as the context lives.
  func state() -> ContextState? {
    lock.lock()
    defer { lock.unlock() }
    return openState
  }

  /// The object of a key, as long as the context lives and has it.
  // Each reference that is counted would cost as much as the look-up. The lock keeps the state, and
  // so its maps.
  func registered(_ key: Int64, _ entity: Int) -> ManagedObject? {
    lock.lock()
    defer { lock.unlock() }
    guard key > 0, let openMaps else { return nil }
    return openMaps[entity]._withUnsafeGuaranteedRef { $0.denseObject(key) }
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
    openMaps?.deallocate()
    openMaps = nil
  }
}
