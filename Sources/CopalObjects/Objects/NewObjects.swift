import CopalModel
import CopalStore

/// Makes the objects of keys that the context does not have.
///
/// They are faults. But an object of an entity with subentities has the class of its row, so the
/// rows of such objects are read, all of them in one statement.
struct NewObjects {
  private let state: ContextState
  private let core: ContextCore

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    self.core = core
  }

  /// Makes the objects of some keys that the context does not have.
  ///
  /// - Parameter cohort: the cohort of faults; 0 for none. Objects with rows are neighbors of each
  ///   other.
  /// - Returns: the objects. The context releases those that nobody holds.
  /// - Throws: what prevents reading the rows. Then none is made.
  @discardableResult
  func make(_ keys: [Int64], of runtime: EntityRuntime, cohort: UInt32 = 0) throws
    -> [ManagedObject]
  {
    guard runtime.hasSubentities else { return keys.map { fault($0, runtime, cohort) } }
    // All entities of the root, because a key that another program has written may be that of
    // another one.
    let root = state.container.entities[runtime.root]
    let receiver = FetchReceiver(core, state, root, refreshesObjects: false)
    try FaultHandler(state).fetch(keys, of: root, into: receiver)
    let map = state.maps[runtime.index]
    var missing: [ManagedObject] = []
    for key in keys where map.object(key) == nil {
      let object = fault(key, runtime, cohort)
      object.becomeMissing()
      missing.append(object)
    }
    receiver.notifyAwake()
    return receiver.takeObjects() + missing
  }

  /// Makes the object of a key that the context does not have.
  ///
  /// - Throws: what prevents reading its row, where its class is not known.
  func make(_ key: Int64, of runtime: EntityRuntime, cohort: UInt32 = 0) throws -> ManagedObject {
    if !runtime.hasSubentities { return fault(key, runtime, cohort) }
    return try make([key], of: runtime, cohort: cohort).first ?? fault(key, runtime, cohort)
  }

  /// The objects of some keys: those that the context has, and for the others faults that are read
  /// together.
  ///
  /// - Throws: what prevents reading the rows, where the classes are not known.
  func objects(_ keys: [Int64], of runtime: EntityRuntime) throws -> [ManagedObject] {
    let map = state.maps[runtime.index]
    let missing = keys.filter { map.object($0) == nil }
    let origin = CohortOrigin(fetch: .init(runtime: runtime, predicate: nil))
    let cohort = state.cohorts.add(Cohort(keys: missing, size: 100, origin: origin))
    let made = try make(missing, of: runtime, cohort: cohort)
    return withExtendedLifetime(made) { keys.compactMap { map.object($0) } }
  }

  /// Makes a fault of the class of an entity. An object of the key that the context has as one of
  /// another entity is missing from then on.
  @discardableResult
  func fault(_ key: Int64, _ runtime: EntityRuntime, _ cohort: UInt32) -> ManagedObject {
    if runtime.isInFamily { state.maps[runtime.index].object(key)?.loseRow() }
    let object = runtime.objectClass.init(
      _copal: ObjectSeed(core: core, runtime: runtime, key: key, flags: .fault))
    object.cohort = cohort
    state.maps[runtime.index].set(key, object)
    return object
  }
}
