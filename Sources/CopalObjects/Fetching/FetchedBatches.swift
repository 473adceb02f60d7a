import CopalModel
public import CopalStore

extension ManagedObjectContext {
  /// The objects that a request asks for, as a collection that reads them in batches. Use it for
  /// results that are too large to be in memory at once.
  ///
  /// ```swift
  /// let paintings = try context.fetchBatches(Painting.fetchRequest().sorted(by: \.title.ascending))
  /// for painting in paintings { print(painting.title) }  // one statement for 1,000 objects
  /// print(paintings[500_000].title)
  /// ```
  ///
  /// This call reads the keys of the objects, which need 8 bytes each. Unsaved changes of this
  /// context are included, as in a fetch. The objects of a batch are read in one statement when one
  /// of them is accessed, and the relationships to prefetch with one statement for each step.
  /// ``FetchRequest/returnsObjectsAsFaults`` has no effect.
  ///
  /// - Parameters:
  ///   - request: the objects and their order.
  ///   - size: the number of objects that are read together.
  /// - Precondition: the size is 1 or more.
  /// - Throws: as ``fetch(_:)``.
  public func fetchBatches<T: ManagedObject>(
    _ request: FetchRequest<T>, size: Int = 1000
  ) throws -> FetchedBatches<T> {
    require(size > 0, "fetchBatches was called with the size \(size); use a size of 1 or more")
    let bound = try bound(request, for: .fetch, makesObjects: true)
    let former = state.begin(bound)
    defer { former?.end() }
    let runtime = bound.runtime
    try checkPrefetchedPaths(of: request, runtime)
    state.sweepIfDue(runtime.index)
    let keys = try fetchKeys(bound.query, runtime, request.pendingChanges)
    return FetchedBatches(
      BatchReader(
        self, runtime, keys: keys, size: size, paths: request.prefetchedPaths,
        origin: CohortOrigin(fetch: .init(runtime: runtime, predicate: request.predicate)),
        refreshesObjects: request.refreshesObjects))
  }
}

/// The objects of a large result, which are read in batches: the result of
/// ``ManagedObjectContext/fetchBatches(_:size:)``.
///
/// It has the objects that matched when it was made, in their order then. It keeps the two batches
/// that were read last, and its context; the context releases the other objects when the program
/// does not hold them. So memory does not grow with the number of objects, except for the 8 bytes
/// of each key.
///
/// An object whose row was deleted since is a fault whose `isMissingInStore` is true. When a batch
/// cannot be read, the error goes to the `readFailureHandler` of the context or of the container,
/// and the objects are faults, which read their values later; ``forEachBatch(_:)`` throws the
/// error. Objects of an entity with subentities cannot be faults: they are missing from this batch,
/// until it is read again.
public struct FetchedBatches<Element: ManagedObject> {
  private let reader: BatchReader

  init(_ reader: BatchReader) { self.reader = reader }

  /// The number of objects that are read together.
  public var batchSize: Int { reader.size }

  /// Calls the body with the objects of each batch, in their order. No batch is kept after its
  /// call.
  ///
  /// - Throws: what the body throws, and what prevents reading a batch.
  public func forEachBatch(_ body: ([Element]) throws -> Void) throws {
    for batch in 0..<reader.batchCount {
      // Every object has the class of the entity or of a subentity, and `fetchBatches` has found
      // that this is an Element. An array of references has the same layout for every class.
      try body(unsafeBitCast(try reader.read(batch), to: [Element].self))
    }
  }
}

extension FetchedBatches: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { reader.keys.count }

  /// The object at a position. Reads its batch, unless this is one of the two that were read last.
  public subscript(position: Int) -> Element {
    // Every object has the class of the entity or of a subentity, and `fetchBatches` has found that
    // this is an Element.
    unsafeDowncast(reader.object(at: position), to: Element.self)
  }
}

/// Reads the batches of a result, and keeps those that were read last.
final class BatchReader {
  let keys: [Int64]
  let size: Int
  private let context: ManagedObjectContext
  private let runtime: EntityRuntime
  private let paths: [String]
  private let origin: CohortOrigin
  private let refreshesObjects: Bool
  /// The new objects of the result. After a rollback the context does not have them.
  private var new: [Int64: ManagedObject] = [:]
  /// The batches that were read last, the very last one first.
  private var recent: [(batch: Int, objects: [ManagedObject])] = []

  /// Two, so that a loop that compares neighbors reads each batch once.
  private static let recentCount = 2

  init(
    _ context: ManagedObjectContext, _ runtime: EntityRuntime, keys: [Int64], size: Int,
    paths: [String], origin: CohortOrigin, refreshesObjects: Bool
  ) {
    self.context = context
    self.runtime = runtime
    self.keys = keys
    self.size = size
    self.paths = paths
    self.origin = origin
    self.refreshesObjects = refreshesObjects
    for key in keys where key < 0 {
      new[key] = context.state.object(entity: runtime.index, key: key)
    }
  }

  var batchCount: Int { keys.isEmpty ? 0 : (keys.count - 1) / size + 1 }

  func object(at position: Int) -> ManagedObject {
    let (batch, place) = position.quotientAndRemainder(dividingBy: size)
    if let last = recent.first, last.batch == batch { return last.objects[place] }
    return objects(of: batch)[place]
  }

  /// The objects of a batch that was not the last one.
  private func objects(of batch: Int) -> [ManagedObject] {
    if let place = recent.firstIndex(where: { $0.batch == batch }) {
      recent.insert(recent.remove(at: place), at: 0)
      return recent[0].objects
    }
    // Before others are read, so that the context can release the oldest ones.
    recent = Array(recent.prefix(Self.recentCount - 1))
    var objects: [ManagedObject] = []
    do {
      objects = try read(batch)
    } catch {
      objects = faults(of: batch)
      objects.first?.report(
        error as? PersistenceError
          ?? PersistenceError(.inputOutput, found: "\(error)", causes: [error]))
    }
    recent.insert((batch, objects), at: 0)
    return objects
  }

  private func keys(of batch: Int) -> ArraySlice<Int64> {
    keys[batch * size..<min((batch + 1) * size, keys.count)]
  }

  private func registered(_ key: Int64) -> ManagedObject? {
    context.state.object(key, of: runtime) ?? new[key]
  }

  /// The objects of a batch, without reading the store.
  private func faults(of batch: Int) -> [ManagedObject] {
    let keys = keys(of: batch)
    let objects = keys.map { registered($0) ?? unread($0) }
    context.makeCohort(
      of: objects.filter { $0.isFault && $0.key > 0 && !$0.flags.contains(.gone) }, size: 100,
      origin: origin)
    return objects
  }

  /// An object that could not be read. Its class is not known if its entity has subentities.
  private func unread(_ key: Int64) -> ManagedObject {
    runtime.hasSubentities || isTaken(key)
      ? standIn(key) : context.makeFault(runtime, key: key, cohort: 0)
  }

  /// Whether the context has the object of a key, as one of another entity.
  private func isTaken(_ key: Int64) -> Bool {
    context.state.maps[runtime.index].contains(key)
  }

  /// Stands for an object in this batch only, and is missing.
  private func standIn(_ key: Int64) -> ManagedObject {
    let object = runtime.objectClass.init(
      _copal: ObjectSeed(core: context.core, runtime: runtime, key: key, flags: .fault))
    object.becomeMissing()
    object.leaveContext()
    return object
  }

  /// Reads a batch.
  ///
  /// - Throws: what prevents reading.
  func read(_ batch: Int) throws -> [ManagedObject] {
    let state = context.state
    let former = state.begin(.fetch, runtime)
    defer { former?.end() }
    // The objects may have been deleted since their keys were read.
    try state.readDeletions(of: runtime.index)
    state.sweepIfDue(runtime.index)
    let keys = keys(of: batch)
    // Held, so that a hook which fetches does not release them.
    let known = keys.map(registered)
    let receiver = FetchReceiver(
      context.core, state, runtime, limit: keys.count, refreshesObjects: refreshesObjects)
    receiver.origin = origin
    try FaultHandler(state).fetch(
      zip(keys, known).compactMap { isWanted($1) ? $1?.key ?? $0 : nil }, of: runtime,
      into: receiver)
    receiver.notifyAwake()
    let read = receiver.takeObjects()
    let objects = zip(keys, known).map { key, object in
      object ?? registered(key) ?? missing(key)
    }
    noteMissing(objects, known, read)
    let prefetch = Prefetch(state, context.core)
    for path in paths { try prefetch.load(path, of: objects, runtime) }
    return objects
  }

  /// Whether the row of an object must be read.
  private func isWanted(_ object: ManagedObject?) -> Bool {
    guard let object else { return true }
    if !object.flags.isDisjoint(with: [.inserted, .gone]) { return false }
    return object.isFault || refreshesObjects && !object.hasChanges
  }

  /// An object whose row was deleted since the keys were read.
  private func missing(_ key: Int64) -> ManagedObject {
    if isTaken(key) { return standIn(key) }
    let object = context.makeFault(runtime, key: key, cohort: 0)
    object.becomeMissing()
    return object
  }

  /// Faults whose rows were asked for, and not found, are missing.
  private func noteMissing(
    _ objects: [ManagedObject], _ known: [ManagedObject?], _ read: [ManagedObject]
  ) {
    let faults = known.compactMap(\.self).filter {
      $0.flags.contains(.fault) && $0.flags.isDisjoint(with: [.failed, .gone, .inserted])
    }
    if faults.isEmpty { return }
    let found = Set(read)
    for fault in faults where !found.contains(fault) { fault.becomeMissing() }
  }
}
