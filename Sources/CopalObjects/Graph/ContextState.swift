import CopalModel
import CopalStore

/// The state of a living context: session, objects and changes.
final class ContextState: ObjectListener {
  let container: ContainerRuntime
  /// A number that no other context of the container has.
  let number: UInt64
  /// How the context takes what others save.
  var merging: Merging
  var name: String?
  var mergePolicy: MergePolicy
  /// The batches of the container whose objects are faults now.
  // Unchecked: it runs in every look-up of an object, and nothing that changes it calls code of the
  // program.
  @exclusivity(unchecked) var seenBatches: Int
  /// Saved and fetched objects by entity. The entities of one root share a map.
  let maps: [IdentityMap]
  /// Each map once.
  let allMaps: [IdentityMap]
  // @exclusivity(unchecked), here and below: with the inlining in `passStoredForm`, this saves 4 %
  // of the instructions of an insert. A context is confined to one isolation, and no other code
  // runs while these change.
  @exclusivity(unchecked) private(set) var changed = ChangeList()
  /// The changed objects by entity, for fetches.
  private var pending = PendingIndex()
  @exclusivity(unchecked) var temporaryKeys: TemporaryKeys
  /// The connection to the store.
  @exclusivity(unchecked) var session: ContextSession
  var cohorts = Cohorts()
  @exclusivity(unchecked) var relationships = RelationshipState()
  /// The objects whose values may have changed in place.
  var mutableValues = MutableValues()
  /// What the next save deletes without objects.
  var unreadDeletions = UnreadDeletions()
  /// Notes what is read lazily; nil where this is not forbidden.
  var lazyLoads: LazyLoads?
  var readFailureHandler: ((PersistenceError) -> Void)?
  var author: String?
  /// Receives every change of an object; nil for none.
  var recorder: (any ChangeRecorder)? {
    didSet { for object in changed.objects { object.setRecorded(recorder != nil) } }
  }
  /// The listeners; nil for none.
  var events: ContextEvents?
  /// The objects with unsaved changes whose rows a batch may have changed.
  var outdated = OutdatedObjects()
  /// What the next save writes beside the objects.
  var metadata = PendingMetadata()
  var isSaving = false
  /// The object whose `prepareForDeletion()` is being called. It still has its related objects.
  var preparing: ManagedObject?
  /// Whether `prepareForDeletion()` of an object is being called.
  var isPreparingDeletion: Bool { preparing != nil }
  /// How often all changes were discarded: by a rollback or a reset.
  private(set) var discardCount = 0
  /// How often this context has written to the store, has noticed a batch, or was asked to read
  /// newer values.
  var storedChangeCount = 0
  /// Whether anything has changed since the current save checked its objects.
  var hasChangedSinceCheck = false
  /// The entity of the last object that was inserted by its class.
  var lastInserted: EntityRuntime?
  /// - Parameter makeSession: opens the context's session; nil for one with the container's store.
  init(
    _ container: ContainerRuntime, isOfMainActor: Bool = false,
    makeSession: (() throws -> any StoreSession)? = nil
  ) {
    self.container = container
    let start = container.log.start()
    (number, seenBatches) = (start.number, start.seen)
    mergePolicy = container.mergePolicy.withLock { $0 }
    merging = Merging(position: start.position, isOfMainActor: isOfMainActor)
    session = ContextSession(makeSession ?? { try container.store.makeSession() })
    let entities = container.entities
    let all = entities.map { $0.root == $0.index ? IdentityMap($0.identity.family) : nil }
    maps = entities.map { all[$0.root] ?? IdentityMap($0.identity.family) }
    allMaps = all.compactMap(\.self)
    temporaryKeys = TemporaryKeys(entityCount: entities.count)
    super.init()
    if let log = container.statementLog.withLock({ $0 }) { changeObserver { $0.log = log } }
  }

  override func noteObservedChange(of object: ManagedObject) {
    noteObserved(object, object.runtime.observedProperties)
  }

  /// Changes the logs.
  func changeObserver(_ change: (StatementObserver) -> Void) {
    session.changeObserver(change) { StatementObserver(container.accessors) }
  }

  // MARK: Objects

  /// The temporary key of a new object of a root's entities.
  func makeTemporaryKey(root: Int) -> Int64 {
    temporaryKeys.makeKey(root: root, reserving: container.reserveTemporaryKeys)
  }

  /// Notes that an object has changes for the next save.
  func note(changed object: ManagedObject) {
    hasChangedSinceCheck = true
    changed.note(object)
    if recorder != nil || events?.collects == true { object.setRecorded(true) }
  }

  /// Notes that an object has lost its changes.
  func noteLoss(of object: ManagedObject) {
    guard object.flags.contains(.listed) else { return }
    hasChangedSinceCheck = true
    changed.noteLoss()
    if changed.isCompactionDue { compactChanges() }
  }

  /// Notes a write to an object that the current save has checked, or that an index of fetches has.
  func noteWrite(to object: ManagedObject) {
    if object.flags.contains(.sealed) { hasChangedSinceCheck = true }
    // An object outside the list of changes is in no current index, even if the flag of an earlier
    // index is still set.
    if object.flags.isSuperset(of: [.indexed, .listed]) { pending.noteWrite(object) }
    object.endWaiting()
  }

  /// Whether an object has changes.
  var hasChanges: Bool {
    changed.hasChanges || !relationships.linked.isEmpty || !unreadDeletions.isEmpty
      || !metadata.isEmpty
  }

  private func compactChanges() {
    // A save iterates over the list.
    if isSaving { return }
    let former = removeUnchanged()
    withExtendedLifetime(former) {}
  }

  /// Removes every object from the changes.
  ///
  /// - Returns: the objects. The caller releases them when its state is consistent.
  func removeChanges() -> ContiguousArray<ManagedObject> {
    hasChangedSinceCheck = true
    let (former, all) = (forgetPending(), changed.removeAll())
    withExtendedLifetime(former) {}
    return all
  }

  // MARK: Changed objects for fetches

  /// Whether a look-up shows that the result of a query has none of the changed objects, and that
  /// the store has no row of them.
  func hasOnlyOthersPending(_ runtime: EntityRuntime, _ query: StoreQuery) -> Bool {
    addPending()
    return pending.hasOnlyOthers(runtime, query)
  }

  /// The changed objects of an entity that concern a query.
  ///
  /// - Parameter read: the slots that the query reads; nil when all changes concern it.
  /// - Returns: nil when no object of the entity has changes.
  func pendingObjects(_ runtime: EntityRuntime, _ query: StoreQuery, reading read: ReadSlots?)
    -> PendingCandidates?
  {
    if changed.objects.isEmpty { return nil }
    addPending()
    return pending.candidates(of: runtime, for: query, reading: read)
  }

  /// All changed objects of an entity, or those whose changes concern a query that reads some
  /// slots. Some may have lost their changes.
  func changedObjects(
    _ runtime: EntityRuntime, withSubentities: Bool, reading read: ReadSlots? = nil
  ) -> ContiguousArray<ManagedObject> {
    if changed.objects.isEmpty { return [] }
    addPending()
    return pending.all(of: withSubentities ? runtime.entities : [runtime.index], reading: read)
  }

  private func addPending() { pending.add(changed.objects, entityCount: maps.count) }

  private func forgetPending() -> PendingIndex {
    defer { pending = PendingIndex() }
    return pending
  }

  // MARK: Ids

  /// The key that an object had before its first save in this context; nil when it had none.
  // Here, because a caller that reads `temporaryKeys` first counts the references to all its parts.
  func temporaryKey(of permanent: Int64, root: Int) -> Int64? {
    temporaryKeys.temporaryKey(of: permanent, root: root)
  }

  /// The object of an id, if the context has it. Its entity may be another one of the same root.
  func object(entity: Int, key: Int64) -> ManagedObject? {
    if key > 0 { return maps[entity].object(key) }
    let root = container.entities[entity].root
    if let permanent = temporaryKeys.permanentKey(of: key, root: root) {
      return maps[root].object(permanent)
    }
    return changed.newObject(key).flatMap { $0.runtime.root == root ? $0 : nil }
  }

  /// The object of a key, if the context has it as an object of an entity or of its subentities.
  /// Another program can change the entity of a row, so the context may have it as an object of
  /// another one of the same root.
  func object(_ key: Int64, of runtime: EntityRuntime) -> ManagedObject? {
    object(key, of: runtime.index)
  }

  /// The same for the position of an entity.
  func object(_ key: Int64, of entity: Int) -> ManagedObject? {
    guard let found = object(entity: entity, key: key), found.isObject(of: entity) else {
      return nil
    }
    return found
  }

  /// Every saved or fetched object.
  func forEachRegistered(_ body: (ManagedObject) -> Void) {
    for map in allMaps { map.forEach(body) }
  }

  /// An upper bound for the number of objects in the context.
  var registeredCount: Int { allMaps.reduce(changed.objects.count) { $0 + $1.count } }

  /// Removes objects without changes from the list of changes.
  ///
  /// - Returns: what the list had. The caller releases it when its state is consistent: a deinit
  ///   may call anything.
  func removeUnchanged() -> [Any] {
    hasChangedSinceCheck = true
    return [changed.compact(), forgetPending()]
  }

  /// Removes the temporary keys of objects that a save has deleted. Objects that are still
  /// referenced keep their own.
  func forgetTemporaryKeys(of objects: ContiguousArray<ManagedObject>) {
    var keys: [Int: [Int64]] = [:]
    for object in objects {
      let root = object.runtime.root
      guard let temporary = temporaryKeys.temporaryKey(of: object.key, root: root) else { continue }
      object.cellsWithSideTable().stableKey = temporary
      keys[root, default: []].append(object.key)
    }
    for (root, keys) in keys { note(deleted: keys, root: root) }
  }

  /// All changes are discarded.
  func noteDiscard() { discardCount += 1 }
}
