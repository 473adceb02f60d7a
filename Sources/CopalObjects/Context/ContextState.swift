import CopalModel
import CopalStore

/// What a context consists of while it lives: its session, its objects, its changes.
final class ContextState {
  let container: ContainerRuntime
  /// Saved and fetched objects by entity.
  let maps: [IdentityMap]
  // @exclusivity(unchecked), here and below: a context is confined to one isolation, these call nobody
  // while they change, and every insert passes them.
  @exclusivity(unchecked) var changed = ChangeList()
  @exclusivity(unchecked) var aliases = KeyAliases()
  var faultBatches: [UInt32: FaultBatch] = [:]
  var lastFaultBatch: UInt32 = 0
  var readFailureHandler: ((PersistenceError) -> Void)?
  var isSaving = false
  /// The entity of the last object that was inserted by its class.
  @exclusivity(unchecked) var lastInserted: EntityRuntime?
  private var openSession: (any StoreSession)?
  private var readingDepth = 0
  private var batchThreshold = 64
  @exclusivity(unchecked) private var freeTemporaryKeys: Range<Int64> = 0..<0

  init(_ container: ContainerRuntime) {
    self.container = container
    maps = container.entities.map { IdentityMap($0.identity) }
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
  @inline(__always)
  func note(changed object: ManagedObject) { changed.note(object) }

  /// The object of an id, if the context has it.
  func object(entity: Int, key: Int64) -> ManagedObject? {
    if key > 0 { return maps[entity].object(key) }
    if let permanent = aliases.permanentKey(of: key, entity: entity) {
      return maps[entity].object(permanent)
    }
    return changed.newObject(key).flatMap { $0.runtime.index == entity ? $0 : nil }
  }

  /// The number of objects that the context has, at most.
  var registeredCount: Int { maps.reduce(changed.objects.count) { $0 + $1.count } }

  /// The objects with changes of an entity that a fetch must consider.
  func hasListed(entity: Int) -> Bool {
    changed.objects.contains { $0.runtime.index == entity && $0.hasChanges }
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
    defer { batchThreshold = max(64, 2 * faultBatches.count) }
    guard !faultBatches.isEmpty else { return }
    var wanted: Set<UInt32> = []
    for map in maps {
      map.forEach { if $0.faultBatch != 0, $0.isFault { wanted.insert($0.faultBatch) } }
    }
    faultBatches = faultBatches.filter { wanted.contains($0.key) }
  }

  /// Lets go of the objects that have no changes any more, and keeps the others in their order.
  func removeUnchanged() {
    // As a rule nothing is kept.
    for object in changed.removeAll() where object.hasChanges { note(changed: object) }
  }

  /// Forgets everything.
  func forgetAll() {
    // Released last, when everything is forgotten: a person's deinit may call anything.
    var objects = changed.removeAll()
    for map in maps { objects += map.removeAll() }
    faultBatches = [:]
    for object in objects { object.flags.insert(.gone) }
  }
}
