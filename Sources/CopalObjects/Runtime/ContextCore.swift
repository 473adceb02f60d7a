import CopalStore

/// What an object tells its context, whose folder is above that of objects: the context's state.
class ObjectListener {
  /// Every property of an observed object may have another value.
  func noteObservedChange(of object: ManagedObject) {}
}

/// The part of a context that its objects keep alive. It leads to the context's state while the
/// context lives.
///
/// The handle, ``ManagedObjectContext``, owns the state. When the handle is released, on any
/// thread, it closes the core, and the state releases its objects. So there is no reference cycle
/// between context and objects, and an object that outlives its context reads as missing and does
/// not use a closed session. The lock is for that moment: the last reference to a context may be
/// dropped on another thread while an object is read.
final class ContextCore {
  private let lock = SystemLock()
  private var openListener: ObjectListener?
  /// The identity maps of the state, as long as it is there.
  private var openMaps: UnsafeMutableBufferPointer<Unmanaged<IdentityMap>>?
  private weak var openHandle: AnyObject?
  /// Keeps alive what objects refer to with unowned references.
  let container: ContainerRuntime

  /// - Parameters:
  ///   - listener: the state.
  ///   - all: its identity maps, by entity.
  init(_ listener: ObjectListener, _ all: [IdentityMap], _ container: ContainerRuntime) {
    self.container = container
    openListener = listener
    let maps = UnsafeMutableBufferPointer<Unmanaged<IdentityMap>>.allocate(capacity: all.count)
    _ = maps.initialize(from: all.lazy.map(Unmanaged.passUnretained))
    openMaps = maps
  }

  deinit { openMaps?.deallocate() }

  /// The state, as long as the context lives. In Graph and above, it has its type: `state()`.
  func listener() -> ObjectListener? {
    lock.lock()
    defer { lock.unlock() }
    return openListener
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

  /// The context. In Graph and above, it has its type: `handle`.
  var handleReference: AnyObject? {
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
    openListener = nil
    openMaps?.deallocate()
    openMaps = nil
  }
}
