import CopalEssentials
import CopalModel
import CopalStore

/// Taking what others have saved.
extension ManagedObjectContext {
  /// Whether the context takes what other contexts of the container save. Then nobody has to
  /// refresh its objects.
  ///
  /// A context of the main actor (``PersistentContainer/viewContext`` and
  /// ``PersistentContainer/makeViewContext()``) does so between two jobs of the main actor. Every
  /// context does so when ``fetchInBackground(_:)`` resumes. Within a synchronous stretch, nothing
  /// that was read changes: neither a fetch nor a save merges. ``mergeChanges()`` merges at once.
  ///
  /// Other contexts merge when they are asked, also without it. Default: true for contexts of the
  /// main actor, false for others.
  public var automaticallyMergesChanges: Bool {
    get { state.merging.isAutomatic }
    set {
      state.merging.isAutomatic = newValue
      if newValue || state.merging.cursor != nil { state.beginMerging() }
    }
  }

  /// Takes everything that other contexts of the container have saved until now.
  ///
  /// Objects without changes get the new values, and `awakeFromFetch()` is called for them. Objects
  /// that others have deleted leave the context. An object with unsaved changes gets the new values
  /// below its changes, if nobody has set the same property to another value; otherwise it stays as
  /// it is, and its save finds the conflict. When the property was set back, the next merge gives
  /// the object the new values. To-many relationships gain and lose members; unsaved changes of
  /// them stay.
  ///
  /// It costs time for the changed objects that this context has, and usually no statement. After a
  /// batch, after SQL, and after more changes than ``PersistentContainer/commitLogLimits`` allows,
  /// the objects that may have changed become faults, and the rows of changed objects are read, 100
  /// in a statement.
  ///
  /// The first call of a context that does not merge by itself makes the objects of all entities
  /// that were saved since its beginning faults. From then on the context keeps its place, and the
  /// container keeps what it has not merged yet.
  ///
  /// In a read transaction (also in `perform` until its first save), a transaction, a hook of a
  /// save or of a deletion it does nothing; the changes wait.
  ///
  /// - Returns: what has changed in this context.
  @discardableResult
  public func mergeChanges() -> ObjectChanges {
    if state.mustNotMerge { return ObjectChanges(MergedObjects(), [], [], state.container.names) }
    let (merged, commits, others) = state.merge()
    state.endTurn()
    return ObjectChanges(merged, commits, others, state.container.names)
  }

  /// Takes changes that came another way, for example from another program or from another
  /// container for the same file.
  ///
  /// What contexts of this container have saved is merged first, if this context merges it at all.
  /// Then the rows of the objects that this context has are read, 100 in a statement. Ids of other
  /// stores are ignored. In a read transaction, a transaction, a hook of a save or of a deletion it
  /// does nothing; the changes wait for the next merge.
  ///
  /// - Returns: what has changed in this context.
  /// - Throws: what prevents reading. Then ``mergeChanges(from:)`` can be called again.
  @discardableResult
  public func mergeChanges(from changes: SavedChanges) throws -> ObjectChanges {
    if state.mustNotMerge {
      state.merging.waiting.append(changes)
      if state.hasTurns { state.container.mainContexts.beginTurn() }
      return ObjectChanges(MergedObjects(), [], [], state.container.names)
    }
    // What the container has comes first. Its rows may be older than those that are read now, and
    // of an object that was deleted in between nothing says so.
    let (merged, commits, others) =
      state.merging.cursor == nil ? (MergedObjects(), [], []) : state.merge()
    state.merging.isMerging = true
    defer { state.merging.isMerging = false }
    var merge = ContextMerge(state)
    merge.result = merged
    try merge.merge(changes)
    state.collect { $0.note(merge.result, [], [changes]) }
    state.merging.isMerging = false
    state.endTurn()
    return ObjectChanges(merge.result, commits, others + [changes], state.container.names)
  }
}

extension ContextMerge {
  /// Merges what came another way.
  mutating func merge(_ changes: SavedChanges) throws {
    var keys: [Int: [Int64]] = [:]
    var written: Set<Int> = []
    let container = state.container
    for id in [changes.inserted, changes.updated, changes.deleted].joined() {
      guard id.storeIdentifier == container.store.identifier, id.key > 0,
        let id = try? state.current(id),
        let runtime = container.entities.first(where: { $0.layout.name == id.entityName })
      else { continue }
      keys[runtime.root, default: []].append(id.key)
      written.insert(runtime.index)
    }
    let entities = container.entities.filter { changes.entities.contains($0.layout.name) }
    try merge(
      read: keys.mapValues { $0.inOrder() }, Set(entities.map { $0.index }), changesRows: written)
  }
}
