import CopalModel
import CopalStore

/// What a context consists of while it lives: its session, its objects, its changes.
final class ContextState {
  let container: ContainerRuntime
  /// Saved and fetched objects by entity.
  let maps: [IdentityMap]
  /// New objects by the magnitude of their temporary key, of all entities.
  let newObjects = IdentityMap()
  /// Objects with changes, in the order in which they were first changed. Objects that have lost their
  /// changes since are still in it; their flags tell.
  var listed: ContiguousArray<ManagedObject> = []
  var aliases = KeyAliases()
  var faultBatches: [UInt32: FaultBatch] = [:]
  var lastFaultBatch: UInt32 = 0
  var readFailureHandler: ((PersistenceError) -> Void)?
  var isSaving = false
  /// The entity of the last object that was inserted by its class.
  var lastInserted: EntityRuntime?
  private var openSession: (any StoreSession)?
  private var readingDepth = 0
  private var batchThreshold = 64
  private var freeTemporaryKeys: Range<Int64> = 0..<0

  init(_ container: ContainerRuntime) {
    self.container = container
    maps = container.entities.map { _ in IdentityMap() }
  }

  /// The session with the store, opened when it is first wanted.
  func session() throws -> any StoreSession {
    if let openSession { return openSession }
    let session = try container.store.makeSession()
    for _ in 0..<readingDepth { try session.beginReading() }
    openSession = session
    return session
  }

  // MARK: Readings

  func beginReading() throws {
    try openSession?.beginReading()
    readingDepth += 1
  }

  func endReading() {
    openSession?.endReading()
    readingDepth -= 1
  }

  // MARK: Objects

  /// The temporary key of a new object. Keys are taken from the container in blocks.
  func makeTemporaryKey() -> Int64 {
    if freeTemporaryKeys.isEmpty { freeTemporaryKeys = container.reserveTemporaryKeys() }
    return -freeTemporaryKeys.removeFirst()
  }

  /// Notes that an object has changes for the next save.
  func note(changed object: ManagedObject) {
    guard !object.flags.contains(.listed) else { return }
    object.flags.insert(.listed)
    listed.append(object)
  }

  /// The object of an id, if the context has it.
  func object(entity: Int, key: Int64) -> ManagedObject? {
    if key > 0 { return maps[entity].object(key) }
    if let permanent = aliases.permanentKey(of: key, entity: entity) {
      return maps[entity].object(permanent)
    }
    return newObjects.object(-key).flatMap { $0.runtime.index == entity ? $0 : nil }
  }

  /// The number of objects that the context has.
  var registeredCount: Int { maps.reduce(newObjects.count) { $0 + $1.count } }

  /// The objects with changes of an entity that a fetch must consider.
  func hasListed(entity: Int) -> Bool {
    listed.contains { $0.runtime.index == entity && $0.hasChanges }
  }

  /// Lets go of objects that nobody else holds, when enough have come since the last time.
  ///
  /// The threshold doubles with what stays, so that the cost is constant an object.
  func sweepIfDue() {
    if faultBatches.count >= batchThreshold || maps.contains(where: \.isSweepDue) { sweep() }
  }

  /// The same for one entity: what a lookup or a fetch adds to.
  @inline(__always)
  func sweepIfDue(_ entity: Int) {
    if maps[entity].isSweepDue { maps[entity].sweep() }
    if faultBatches.count >= batchThreshold { sweep() }
  }

  func sweep() {
    for map in maps { map.sweep() }
    // New objects stay, for the list of changes holds them; the pages of former ones go.
    newObjects.sweep()
    defer { batchThreshold = max(64, 2 * faultBatches.count) }
    guard !faultBatches.isEmpty else { return }
    var wanted: Set<UInt32> = []
    for map in maps {
      map.forEach { if $0.faultBatch != 0, $0.isFault { wanted.insert($0.faultBatch) } }
    }
    faultBatches = faultBatches.filter { wanted.contains($0.key) }
  }

  /// Forgets everything.
  func forgetAll() {
    for map in maps { map.removeAll() }
    newObjects.removeAll()
    listed = []
    faultBatches = [:]
  }
}
