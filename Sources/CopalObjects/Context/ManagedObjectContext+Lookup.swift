import CopalEssentials
public import CopalModel
import CopalStore

/// Finding objects by id.
extension ManagedObjectContext {
  /// The object of an id, with its values.
  ///
  /// The context reads the store only when it does not have the values of the object.
  ///
  /// - Throws: `object.missing` when the store has no object with the id; `object.unsaved` for a
  ///   temporary id that this context does not know, or no longer knows because the deletion of its
  ///   object has been saved; `object.idOfAnotherStore` for an id of another store; a code of
  ///   `store.…` when the store cannot be read.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    state.noticeBatches()
    if let object = denseObject(id), object.flags.areFast,
      object.flags.isDisjoint(with: [.missing, .gone])
    {
      return object
    }
    return try throwingCancellation { try filledObject(id) }
  }

  @inline(never)
  private func filledObject(_ id: ManagedObjectID) throws -> ManagedObject {
    let id = try state.current(id)
    let runtime = try runtime(for: id)
    let former = state.begin(.lookup, runtime, coversLazyRead: true)
    defer { former?.end() }
    try state.readDeletions(of: runtime.index)
    guard let object = state.object(entity: runtime.index, key: id.key) else {
      return try storedObject(id, runtime)
    }
    if !object.flags.isDisjoint(with: [.missing, .gone]) { throw missing(id, runtime) }
    try state.askedFor { try object.fulfillIfFault() }
    return object
  }

  /// The registered object of a permanent id of this container. A fast path: it does not find
  /// objects with keys beyond the map's array.
  private func denseObject(_ id: ManagedObjectID) -> ManagedObject? {
    // An id made from text has the index -1. As an unsigned number it is out of range.
    let index = UInt(bitPattern: id.identity.index)
    guard index < UInt(bitPattern: state.maps.count) else { return nil }
    let map = state.maps[Int(bitPattern: index)]
    return map.family === id.identity.family ? map.denseObject(id.key) : nil
  }

  /// Makes an object that is not registered directly from its row, without a fault.
  private func storedObject(_ id: ManagedObjectID, _ runtime: EntityRuntime) throws
    -> ManagedObject
  {
    state.sweepIfDue(runtime.index)
    guard let key = permanentKey(of: id.key, runtime),
      let row = try state.session.opened().fetchRow(key, entity: runtime.root)
    else { throw missing(id, runtime) }
    // The id may have been made with the name of another entity of the root.
    let runtime = state.container.runtime(of: row)
    let object = runtime.objectClass.init(
      _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row))
    state.maps[runtime.index].set(key, object)
    // The members of its owner may have been read before.
    if !runtime.memberships.isEmpty, !state.relationships.isEmpty { state.noteRead(object) }
    if runtime.overridesHooks {
      object.awakeFromFetch()
      // The hook may have refreshed the object.
      try state.askedFor { try object.fulfillIfFault() }
    }
    return object
  }

  private func missing(_ id: ManagedObjectID, _ runtime: EntityRuntime) -> PersistenceError {
    let wasSaved = permanentKey(of: id.key, runtime) != nil
    return PersistenceError(
      wasSaved ? .objectMissing : .objectUnsaved, entity: id.entityName, objectID: id)
  }

  /// The object of an id, with its values, as an object of its class.
  ///
  /// ```swift
  /// let pigment = try context.existingObject(with: id, as: Pigment.self)
  /// ```
  ///
  /// - Throws: as ``existingObject(with:)``; also `request.wrongClass` when the entity has another
  ///   class.
  public func existingObject<T: ManagedObject>(
    with id: ManagedObjectID, as type: T.Type
  ) throws -> T {
    try cast(try existingObject(with: id), to: type)
  }

  /// The object of an id, without reading the store: a fault when the context does not have the
  /// object.
  ///
  /// Use it when the object is known to exist. When it does not, reading its properties returns nil
  /// or zero. If the entity of the id has subentities, the row is read, because it says the class
  /// of the object.
  ///
  /// - Throws: `object.idOfAnotherStore` for an id of another store; `object.unsaved` for a
  ///   temporary id that this context does not know, or no longer knows because the deletion of its
  ///   object has been saved; a code of `store.…` when a row cannot be read.
  public func object(with id: ManagedObjectID) throws -> ManagedObject {
    state.noticeBatches()
    if let object = denseObject(id) { return object }
    return try objectOrFault(id)
  }

  // A function of its own, so that a hit does not save registers for it.
  @inline(never)
  private func objectOrFault(_ id: ManagedObjectID) throws -> ManagedObject {
    let id = try state.current(id)
    let runtime = try runtime(for: id)
    let former = state.begin(.lookup, runtime)
    defer { former?.end() }
    try state.readDeletions(of: runtime.index)
    if let object = state.object(entity: runtime.index, key: id.key) { return object }
    state.sweepIfDue(runtime.index)
    guard let key = permanentKey(of: id.key, runtime) else {
      throw missing(id, runtime)
    }
    return try NewObjects(state, core).make(key, of: runtime)
  }

  /// The object of an id, if the context has it, also as a fault; nil otherwise. Never reads the
  /// store.
  ///
  /// Use it to update what is in memory, for example for the ids that a notification brings. To get
  /// an object in any case, use ``object(with:)`` or ``existingObject(with:)``.
  ///
  /// - Returns: nil also for an id of another store, and for an object whose deletion was saved.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    state.noticeBatches()
    if let object = denseObject(id) { return object.flags.contains(.gone) ? nil : object }
    guard let id = try? state.current(id), let runtime = try? runtime(for: id),
      let object = state.object(entity: runtime.index, key: id.key)
    else { return nil }
    return object.flags.contains(.gone) ? nil : object
  }

  /// The object of an id as an object of its class, without reading the store: a fault when the
  /// context does not have the object.
  ///
  /// - Throws: as ``object(with:)``; also `request.wrongClass` when the entity has another class.
  public func object<T: ManagedObject>(with id: ManagedObjectID, as type: T.Type) throws -> T {
    try cast(try object(with: id), to: type)
  }

  /// The objects of some ids, in the order of the ids, without reading the store. Objects that the
  /// context does not have are faults. The first read of one of them reads up to 100 of them in one
  /// statement. Those whose entity has subentities are read now, with one statement for many of
  /// them.
  ///
  /// - Throws: as ``object(with:)``, for the first id that has no object.
  public func objects(with ids: some Collection<ManagedObjectID>) throws -> [ManagedObject] {
    let made = try makeObjects(of: ids)
    let objects = try withExtendedLifetime(made) { try ids.map { try object(with: $0) } }
    let faults = Dictionary(grouping: objects.filter { $0.isFault && $0.key > 0 }) {
      $0.runtime.index
    }
    for faults in faults.values { makeCohort(of: faults, size: 100) }
    return objects
  }

  /// Makes the objects whose classes are not known, with one statement for each root.
  private func makeObjects(of ids: some Collection<ManagedObjectID>) throws -> [ManagedObject] {
    if !state.container.hasSubentities { return [] }
    var keys: [Int: [Int64]] = [:]
    for id in try ids.map(state.current) {
      let runtime = try runtime(for: id)
      guard runtime.hasSubentities, let key = permanentKey(of: id.key, runtime),
        state.maps[runtime.index].object(key) == nil
      else { continue }
      keys[runtime.index, default: []].append(key)
    }
    return try keys.flatMap { entity, keys in
      let former = state.begin(.lookup, state.container.entities[entity])
      defer { former?.end() }
      try state.readDeletions(of: entity)
      return try NewObjects(state, core).make(
        Set(keys).inOrder(), of: state.container.entities[entity])
    }
  }

  /// The objects of some ids as objects of their class, in the order of the ids.
  ///
  /// ```swift
  /// let paintings = try context.objects(with: ids, as: Painting.self)
  /// ```
  ///
  /// - Throws: as ``objects(with:)``; also `request.wrongClass` when the entity of an id has
  ///   another class.
  public func objects<T: ManagedObject>(
    with ids: some Collection<ManagedObjectID>, as type: T.Type
  ) throws -> [T] {
    try objects(with: ids).map { try cast($0, to: type) }
  }

  private func permanentKey(of key: Int64, _ runtime: EntityRuntime) -> Int64? {
    key > 0 ? key : state.temporaryKeys.permanentKey(of: key, root: runtime.root)
  }
}
