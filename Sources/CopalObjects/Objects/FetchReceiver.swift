import CopalModel
import CopalStore

/// Turns the rows of a fetch into objects: registered ones where the context has them, else new
/// ones.
///
/// An object with values keeps them, so that a save knows the version on which its changes are
/// based.
final class FetchReceiver: MergeReceiver {
  // @exclusivity(unchecked), and `take` is inlined: without both, fetching objects without reading
  // their properties executes 3 % more instructions. One fetch on one isolation uses this.
  @exclusivity(unchecked) private var objects: [ManagedObject] = []
  private var current: ManagedObject?
  private var awaking: ContiguousArray<ManagedObject> = []
  private let core: ContextCore
  private let runtime: EntityRuntime
  private let map: IdentityMap
  private let objectClass: ManagedObject.Type
  private let hasSubentities: Bool
  private let isInFamily: Bool
  private let overridesHooks: Bool
  private let refreshesObjects: Bool
  /// Whether related objects that were read before may lack an object of the fetch.
  private let completesMembers: Bool
  private let state: ContextState
  /// Whether an object may have a newer row than the fetch, which was read before.
  var keepsNewerRows = false
  /// What makes the objects.
  var origin: CohortOrigin?

  /// - Parameters:
  ///   - limit: an upper bound for the number of objects, if known.
  ///   - refreshesObjects: whether objects without changes take the store's current row.
  init(
    _ core: ContextCore, _ state: ContextState, _ runtime: EntityRuntime, limit: Int? = nil,
    refreshesObjects: Bool
  ) {
    self.refreshesObjects = refreshesObjects
    self.core = core
    self.runtime = runtime
    self.state = state
    completesMembers = !runtime.memberships.isEmpty && !state.relationships.isEmpty
    map = state.maps[runtime.index]
    objectClass = runtime.objectClass
    hasSubentities = runtime.hasSubentities
    isInFamily = runtime.isInFamily
    // The class of a subentity may override hooks that this one does not.
    overridesHooks = runtime.overridesHooks || hasSubentities && state.container.overridesHooks
    // A limit may be far larger than the result, so only a part is reserved.
    objects.reserveCapacity(min(limit ?? 0, 100))
  }

  func wantsRow(key: Int64, version: Int64) -> Bool {
    // Usually the context does not have the object. References to none are counted, too.
    if current != nil { current = nil }
    guard map.contains(key) else { return true }
    current = map.object(key)
    guard let current else { return true }
    if current.flags.contains(.fault) { return true }
    if isInFamily, !current.isObject(of: runtime.index) { return true }
    guard refreshesObjects, !current.hasChanges, let row = current.row else { return false }
    return keepsNewerRows
      ? RowVersion.isNewer(version, than: row.version) : row.version != version
  }

  func receive(key: Int64, row: consuming PackedRow) {
    if let current, !isInFamily || row.entity == current.runtime.index {
      current.adoptRow(row)
      take(current)
    } else {
      if hasSubentities || current != nil {
        return receive(key, row, of: core.container.runtime(of: row))
      }
      let object = objectClass.init(
        _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row))
      if completesMembers {
        // The members of its owner may have been read before.
        map.set(key, object)
        state.noteRead(object)
        return take(object)
      }
      take(object)
      map.set(key, consume object)
    }
  }

  /// Makes the object of a row that may belong to a subentity. The context may have it as an object
  /// of another entity, if another program has changed the entity of the row. That object is
  /// missing now.
  private func receive(_ key: Int64, _ row: consuming PackedRow, of runtime: EntityRuntime) {
    current?.loseRow()
    let object = runtime.objectClass.init(
      _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row))
    map.set(key, object)
    // The members of its owner may have been read before.
    if !runtime.memberships.isEmpty, !state.relationships.isEmpty { state.noteRead(object) }
    take(object)
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
    let object =
      state.object(key, of: runtime) ?? NewObjects(state, core).fault(key, runtime, 0)
    object.fail(failure)
    objects.append(object)
  }

  /// Calls `awakeFromFetch()` of objects with new values, after the store is done, because a hook
  /// may read other objects.
  func notifyAwake() {
    if runtime.hasRelationships || hasSubentities, objects.count > 1 || state.keepsOrigins {
      makeCohort()
    }
    for object in awaking where object.runtime.overridesHooks { object.awakeFromFetch() }
  }

  /// The objects of a fetch are neighbors: related objects that are missing are read for many of
  /// them at once.
  private func makeCohort() {
    // A single object, whose origin may be reported, keeps the neighbors that it has.
    if objects.count < 2, objects.first?.cohort != 0 { return }
    let number = state.cohorts.add(
      Cohort(keys: objects.map(\.key), size: 100, origin: origin))
    for object in objects { object.cohort = number }
  }

  /// Returns the objects in the order of the fetch, and keeps none of them.
  func takeObjects() -> [ManagedObject] {
    defer { objects = [] }
    return objects
  }
}

/// Collects the keys of a result.
final class KeyReceiver: MergeReceiver {
  private(set) var keys: [Int64] = []

  let readsRows = false
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) {}
  func skip(key: Int64) { keys.append(key) }
  func receive(key: Int64, failure: PersistenceError) { keys.append(key) }
  func append(_ object: ManagedObject) { keys.append(object.key) }
}

/// Receives a result of rows and changed objects.
protocol MergeReceiver: RowReceiver {
  /// Whether it needs rows and not only keys.
  var readsRows: Bool { get }
  /// Receives a changed object.
  func append(_ object: ManagedObject)
}
