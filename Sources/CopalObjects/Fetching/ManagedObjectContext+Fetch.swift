public import CopalModel
public import CopalStore

/// Fetching and counting.
extension ManagedObjectContext {
  /// The objects that a request asks for. Unsaved changes of this context are included.
  ///
  /// The store runs the request. For objects that are new in this context, or changed in a property
  /// that the request reads, the same condition is evaluated in memory.
  ///
  /// An object that the context already has keeps its values, even when others have saved newer
  /// ones: the store's values decide which objects match and how they are sorted. So a fetch never
  /// changes values that the program has read. With ``FetchRequest/refreshesObjects``, objects
  /// without changes take the values that the store has now.
  ///
  /// - Throws: ``PersistenceError`` with a code of `request.…` when a name or a type does not match
  ///   the model, or with a code of `store.…`.
  public func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [T] {
    try fetch(request, after: nil)
  }

  /// The objects of a request, or those of them behind a cursor.
  func fetch<T: ManagedObject>(_ request: FetchRequest<T>, after cursor: FetchCursor?) throws -> [T]
  {
    let bound = try bound(request, for: .fetch, after: cursor, makesObjects: true)
    let former = state.begin(bound)
    defer { former?.end() }
    let runtime = bound.runtime
    try checkPrefetchedPaths(of: request, runtime)
    if request.refreshesObjects {
      _ = state.noteMutations()
      state.storedChangeCount += 1
    }
    state.sweepIfDue(runtime.index)
    let origin = CohortOrigin(fetch: .init(runtime: runtime, predicate: request.predicate))
    // The class of an object is not known before its row is read, if its entity has subentities.
    let asFaults =
      request.returnsObjectsAsFaults && !(runtime.hasSubentities && request.includesSubentities)
    let found =
      asFaults
      ? try fetchFaults(
        bound.query, runtime, request.pendingChanges, batchSize: request.faultBatchSize,
        refreshesObjects: request.refreshesObjects, origin: origin)
      : try fetchRows(
        bound.query, runtime, request.pendingChanges, refreshesObjects: request.refreshesObjects,
        origin: origin)
    try prefetch(for: found, of: request, runtime)
    // Every object has the class of the entity or of a subentity. `ClassCheck` has found that the
    // class of a subentity inherits from it, and the check above shows that it is a T. An array of
    // references has the same layout for every class; converting it element by element would cost a
    // retain and a release for each.
    return unsafeBitCast(found, to: [T].self)
  }

  /// The objects of a class that meet a condition.
  ///
  /// ```swift
  /// try context.fetch(Pigment.self, sortedBy: \.price.descending, \.name.ascending) {
  ///   $0.price < 20 && $0.name != "Lead white"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - sortKeys: the order, the most significant key first; without keys, the order of insertion.
  ///   - limit: the greatest number of objects; nil for no limit.
  ///   - offset: the number of objects to leave out at the start.
  ///   - condition: the condition; nil for all objects.
  /// - Throws: as ``fetch(_:)``.
  // Inlinable, so that the compiler knows the class in key paths and conditions.
  @inlinable
  public func fetch<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>...,
    limit: Int? = nil,
    offset: Int = 0, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil
  ) throws -> [T] {
    let properties = QueryProperties<T>()
    return try fetch(
      FetchRequest(
        predicate: condition.map { $0(properties)._predicate },
        sortKeys: sortKeys.map { properties[keyPath: $0] }, limit: limit, offset: offset))
  }

  /// The ids of the objects that a request asks for. Unsaved changes of this context are included.
  ///
  /// Use it when only ids are needed, for example to pass them to another context. It costs less
  /// than a fetch: it makes no objects and refreshes none. New objects have temporary ids, which
  /// other contexts cannot use: save first.
  ///
  /// - Throws: ``PersistenceError`` with a code of `request.…` when a name or a type does not match
  ///   the model, or with a code of `store.…`.
  public func fetchIDs<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [ManagedObjectID] {
    let bound = try bound(request, for: .fetchIDs)
    let former = state.begin(bound)
    defer { former?.end() }
    return try fetchKeys(bound.query, bound.runtime, request.pendingChanges).map {
      ManagedObjectID(bound.runtime.identity, $0)
    }
  }

  /// The ids of the objects of a class that meet a condition.
  ///
  /// ```swift
  /// let ids = try context.fetchIDs(Pigment.self, sortedBy: \.name.ascending) { $0.price < 20 }
  /// ```
  ///
  /// - Parameters:
  ///   - sortKeys: the order, the most significant key first; without keys, the order of insertion.
  ///   - limit: the greatest number of ids; nil for no limit.
  ///   - offset: the number of objects to leave out at the start.
  ///   - condition: the condition; nil for all objects.
  /// - Throws: as ``fetchIDs(_:)``.
  @inlinable
  public func fetchIDs<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>...,
    limit: Int? = nil,
    offset: Int = 0, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil
  ) throws -> [ManagedObjectID] {
    let properties = QueryProperties<T>()
    return try fetchIDs(
      FetchRequest<T>(
        predicate: condition.map { $0(properties)._predicate },
        sortKeys: sortKeys.map { properties[keyPath: $0] }, limit: limit, offset: offset))
  }

  /// The number of objects that a request asks for. Unsaved changes of this context are included.
  ///
  /// It makes no objects and refreshes none. The limit and the offset of the request count.
  ///
  /// - Throws: as ``fetchIDs(_:)``.
  public func count<T: ManagedObject>(_ request: FetchRequest<T>) throws -> Int {
    let bound = try bound(request, for: .count)
    let former = state.begin(bound)
    defer { former?.end() }
    let (runtime, query) = (bound.runtime, bound.query)
    let session = try state.session(reading: runtime.index)
    if request.pendingChanges == .ignored { return try session.count(query) }
    let stored = try RelatedChanges(state, core).resolve(query)
    if let pending = try PendingFetch(state, core, runtime, query: query, inStore: stored) {
      return try pending.count()
    }
    return try session.count(stored)
  }

  /// The number of objects of a class that meet a condition; nil counts all objects.
  ///
  /// ```swift
  /// let cheap = try context.count(Pigment.self) { $0.price < 20 }
  /// ```
  ///
  /// - Throws: as ``fetchIDs(_:)``.
  @inlinable
  public func count<T: QueryableObject>(
    _ type: T.Type, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil
  ) throws -> Int {
    try count(
      FetchRequest<T>(
        predicate: condition.map { $0(QueryProperties())._predicate }))
  }

  private func fetchRows(
    _ query: StoreQuery, _ runtime: EntityRuntime, _ changes: PendingChanges,
    refreshesObjects: Bool, origin: CohortOrigin
  ) throws -> [ManagedObject] {
    let stored = changes == .ignored ? query : try storeQuery(query, runtime)
    guard let stored else {
      var all = query
      (all.sortKeys, all.limit, all.offset) = ([], nil, 0)
      let found = try fetchRows(
        all, runtime, changes, refreshesObjects: refreshesObjects, origin: origin)
      return RelatedOrder(state, core).part(of: found, query)
    }
    let receiver = FetchReceiver(
      core, state, runtime, limit: query.limit, refreshesObjects: refreshesObjects)
    receiver.origin = origin
    let session = try state.session(reading: runtime.index)
    if changes == .ignored {
      try session.fetch(query, into: receiver)
    } else if let pending = try PendingFetch(state, core, runtime, query: query, inStore: stored) {
      try pending.fetch(into: receiver)
    } else {
      try session.fetch(stored, into: receiver)
    }
    receiver.notifyAwake()
    return receiver.takeObjects()
  }

  /// Finds a name that is no relationship in the paths to prefetch: before the statement of the
  /// request, not after it.
  func checkPrefetchedPaths<T: ManagedObject>(of request: FetchRequest<T>, _ runtime: EntityRuntime)
    throws
  {
    if request.prefetchedPaths.isEmpty { return }
    let prefetch = Prefetch(state, core)
    for path in request.prefetchedPaths { try prefetch.load(path, of: [], runtime) }
  }

  /// Reads the relationships that the model and a request want to be read together with the
  /// objects.
  func prefetch<T: ManagedObject>(
    for objects: [ManagedObject], of request: FetchRequest<T>, _ runtime: EntityRuntime
  ) throws {
    if !request.returnsObjectsAsFaults, !runtime.prefetches.isEmpty {
      try prefetch(for: objects, runtime)
    }
    if request.prefetchedPaths.isEmpty { return }
    let prefetch = Prefetch(state, core)
    for path in request.prefetchedPaths { try prefetch.load(path, of: objects, runtime) }
  }

  /// Reads the relationships that the model wants to be read by every fetch.
  private func prefetch(for objects: [ManagedObject], _ runtime: EntityRuntime) throws {
    let prefetch = Prefetch(state, core)
    for (entity, name) in runtime.prefetches {
      let owners =
        entity == runtime.index ? objects : objects.filter { $0.isObject(of: entity) }
      if owners.isEmpty { continue }
      try prefetch.load(name, of: owners, state.container.entities[entity])
    }
  }

  /// Whether unsaved changes can alter an order by values of related objects.
  func sortsInMemory(_ query: StoreQuery, _ runtime: EntityRuntime) throws -> Bool {
    if !query.sortKeys.contains(where: { $0.related != nil }) { return false }
    return try RelatedOrder(state, core).isChanged(query, runtime)
  }

  /// The query for the store, in which unsaved changes of related objects count; nil when the
  /// result must be sorted in memory.
  private func storeQuery(_ query: StoreQuery, _ runtime: EntityRuntime) throws -> StoreQuery? {
    if try sortsInMemory(query, runtime) { return nil }
    let stored = try RelatedChanges(state, core).resolve(query)
    // Objects may have been read for it, and their hooks may have changed some.
    return try sortsInMemory(query, runtime) ? nil : stored
  }

  func fetchKeys(
    _ query: StoreQuery, _ runtime: EntityRuntime, _ changes: PendingChanges = .included
  ) throws -> [Int64] {
    let session = try state.session(reading: runtime.index)
    if changes == .ignored { return try session.fetchKeys(query) }
    guard let stored = try storeQuery(query, runtime) else {
      let origin = CohortOrigin(fetch: .init(runtime: runtime, predicate: nil))
      return try fetchRows(query, runtime, changes, refreshesObjects: false, origin: origin).map(
        \.key)
    }
    guard let pending = try PendingFetch(state, core, runtime, query: query, inStore: stored) else {
      return try session.fetchKeys(stored)
    }
    let receiver = KeyReceiver()
    try pending.fetch(into: receiver)
    return receiver.keys
  }

  private func fetchFaults(
    _ query: StoreQuery, _ runtime: EntityRuntime, _ changes: PendingChanges, batchSize: Int,
    refreshesObjects: Bool, origin: CohortOrigin
  ) throws -> [ManagedObject] {
    let objects = try fetchKeys(query, runtime, changes).map { key in
      state.object(key, of: runtime) ?? makeFault(runtime, key: key, cohort: 0)
    }
    if refreshesObjects {
      for object in objects where !object.hasChanges && !object.isFault { object.turnIntoFault() }
    }
    makeCohort(of: objects.filter(\.isFault), size: batchSize, origin: origin)
    return objects
  }
}

/// Whether unsaved changes alter what a fetch finds.
enum PendingChanges {
  case included, ignored
}

extension FetchRequest {
  var pendingChanges: PendingChanges { includesPendingChanges ? .included : .ignored }
}
