import CopalModel
import CopalStore

/// Makes objects of the rows that a fetch finds, or finds the objects that are there already.
///
/// An object that has its values keeps them, so that a save still knows what its changes are based on.
final class FetchReceiver: MergeReceiver {
  // @exclusivity(unchecked): one fetch, one isolation, and these are touched once or twice a row.
  @exclusivity(unchecked) private var objects: [ManagedObject] = []
  @exclusivity(unchecked) private var current: ManagedObject?
  @exclusivity(unchecked) private var awaking: ContiguousArray<ManagedObject> = []
  private let core: ContextCore
  private let runtime: EntityRuntime
  private let map: IdentityMap
  private let objectClass: ManagedObject.Type
  private let overridesHooks: Bool
  private let refreshesObjects: Bool

  /// - Parameters:
  ///   - limit: the most objects that will come, if that is known.
  ///   - refreshesObjects: whether objects without changes take the row that the store has now.
  init(
    _ core: ContextCore, _ state: ContextState, _ runtime: EntityRuntime, limit: Int? = nil,
    refreshesObjects: Bool
  ) {
    self.refreshesObjects = refreshesObjects
    self.core = core
    self.runtime = runtime
    map = state.maps[runtime.index]
    objectClass = runtime.objectClass
    overridesHooks = runtime.overridesHooks
    // A limit may be there only to be safe, and far above what there is.
    objects.reserveCapacity(min(limit ?? 0, 100))
  }

  func wantsRow(key: Int64, version: Int64) -> Bool {
    current = map.object(key)
    guard let current else { return true }
    if current.flags.contains(.fault) { return true }
    return refreshesObjects && !current.hasChanges && current.row?.version != version
  }

  func receive(key: Int64, row: consuming PackedRow) {
    if let current {
      current.adoptRow(row)
      take(current)
    } else {
      let object = objectClass.init(
        _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row))
      map.set(key, object)
      take(object)
    }
  }

  @inline(__always)
  private func take(_ object: ManagedObject) {
    if overridesHooks { awaking.append(object) }
    objects.append(object)
  }

  func skip(key: Int64) {
    if let current { objects.append(current) }
  }

  let readsRows = true

  func append(_ object: ManagedObject) { objects.append(object) }

  func receive(key: Int64, failure: PersistenceError) {
    if let object = map.object(key) {
      object.fail(failure)
      objects.append(object)
    } else {
      let object = objectClass.init(
        _copal: ObjectSeed(core: core, runtime: runtime, key: key, flags: .fault))
      object.fail(failure)
      map.set(key, object)
      objects.append(object)
    }
  }

  /// Tells the objects that have new values, after the store is done: they may read others.
  func notifyAwake() {
    for object in awaking { object.awakeFromFetch() }
  }

  /// The objects in the order of the fetch; the receiver keeps none.
  func takeObjects() -> [ManagedObject] {
    defer { objects = [] }
    return objects
  }
}

/// Takes the keys of a result.
final class KeyReceiver: MergeReceiver {
  private(set) var keys: [Int64] = []

  let readsRows = false
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) {}
  func skip(key: Int64) { keys.append(key) }
  func receive(key: Int64, failure: PersistenceError) { keys.append(key) }
  func append(_ object: ManagedObject) { keys.append(object.key) }
}
