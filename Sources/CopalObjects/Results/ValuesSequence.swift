import CopalModel
public import CopalStore

/// The rows of a request for values, and again each time they have changed:
/// ``PersistentContainer/values(of:as:)``.
public struct ValuesSequence<Row: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The decoded rows in their order.
  public typealias Element = [Row]

  private let request: ValueRequest
  private let container: WeakContainer

  init(_ request: ValueRequest, _ container: ContainerRuntime) {
    self.request = request
    self.container = WeakContainer(container)
  }

  /// Begins to follow the store.
  public func makeAsyncIterator() -> Iterator { Iterator(request, container) }

  /// Reads the results one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let request: ValueRequest
    private var reads: LiveReads<[[PropertyValue]]>

    fileprivate init(_ request: ValueRequest, _ container: WeakContainer) {
      self.request = request
      reads = LiveReads(container) { runtime in
        let entity = try runtime.entity(named: request.entityName)
        let query = try runtime.binder(of: entity).bind(request)
        return LiveReads.Plan(region: QueryRegion(query, runtime.schema)) { session in
          try runtime.objectIDs(in: session.fetchValues(query), query)
        }
      }
    }

    /// The present rows; after that, waits until they have changed. States between two calls are
    /// left out, never the last one. Nil when the task was canceled, and when the container and its
    /// contexts have ended.
    ///
    /// - Throws: as `fetchValues(_:as:)`.
    public mutating func next() async throws -> [Row]? {
      guard let rows = try await reads.next() else { return nil }
      let decoder = RowDecoder(request)
      return try rows.map { try decoder.decode(Row.self, from: $0) }
    }
  }
}

/// The number of objects of a request, and again each time it has changed:
/// ``PersistentContainer/count(of:)``.
public struct CountSequence: AsyncSequence, Sendable {
  /// The number of objects.
  public typealias Element = Int

  private let request: FetchRequest<ManagedObject>
  private let container: WeakContainer

  init(_ request: FetchRequest<ManagedObject>, _ container: ContainerRuntime) {
    self.request = request
    self.container = WeakContainer(container)
  }

  /// Begins to follow the store.
  public func makeAsyncIterator() -> Iterator { Iterator(request, container) }

  /// Reads the numbers one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var reads: LiveReads<Int>

    fileprivate init(_ request: FetchRequest<ManagedObject>, _ container: WeakContainer) {
      reads = LiveReads(container) { runtime in
        let entity = try runtime.entity(named: request.entityName ?? "")
        let query = try runtime.binder(of: entity).bind(request)
        return LiveReads.Plan(region: QueryRegion(query, runtime.schema)) { try $0.count(query) }
      }
    }

    /// The present number; after that, waits until it has changed. Nil when the task was canceled,
    /// and when the container and its contexts have ended.
    ///
    /// - Throws: as a count of a context.
    public mutating func next() async throws -> Int? { try await reads.next() }
  }
}

extension PersistentContainer {
  /// The rows of a request for values, and again each time a context of this container has changed
  /// them: for servers that push, and for everything that shows values without objects.
  ///
  /// ```swift
  /// for try await offers in container.values(of: request, as: Offer.self) { await send(offers) }
  /// ```
  ///
  /// The rows are read in the background. They are read again only after a commit that has changed
  /// something that the request reads, and equal rows are not repeated. A slow reader misses states
  /// in between, never the last one. Any number of readers can read, each in its own isolation. The
  /// sequence does not keep the container, and ends with it and its contexts. Unsaved changes of
  /// contexts are not among the rows.
  public func values<Row: Decodable & Sendable>(of request: ValueRequest, as type: Row.Type)
    -> ValuesSequence<Row>
  {
    ValuesSequence(request, runtime)
  }

  /// The number of objects of a request, and again each time a context of this container has
  /// changed it.
  ///
  /// ```swift
  /// for try await count in container.count(of: Pigment.fetchRequest().filter { $0.isSold }) { badge = count }
  /// ```
  ///
  /// See ``values(of:as:)``: the same holds for a number.
  public func count<T: ManagedObject>(of request: FetchRequest<T>) -> CountSequence {
    var named = FetchRequest<ManagedObject>(
      entityName: request.entityName ?? runtime.entityName(of: T.self),
      predicate: request.predicate, limit: request.limit, offset: request.offset,
      includesSubentities: request.includesSubentities)
    named.sortKeys = []
    return CountSequence(named, runtime)
  }
}

/// Reads a result in the background, and again each time a commit may have changed it.
struct LiveReads<Result: Sendable & Equatable>: Sendable {
  /// What is read.
  struct Plan: Sendable {
    let region: QueryRegion
    let read: @Sendable (any StoreSession) throws -> Result
  }

  private let container: WeakContainer
  private let makePlan: @Sendable (ContainerRuntime) throws -> Plan
  private var plan: Plan?
  /// The place in the log from which on commits may not be in the last result.
  private var cursor: LogCursor?
  private var last: Result?

  init(
    _ container: WeakContainer, _ makePlan: @escaping @Sendable (ContainerRuntime) throws -> Plan
  ) {
    (self.container, self.makePlan) = (container, makePlan)
  }

  /// The present result, or the next one that differs from the last one; nil at the end.
  mutating func next() async throws -> Result? {
    guard let cursor, let plan else { return try await start() }
    while !Task.isCancelled {
      guard await cursor.log.waitForCommits(cursor.number) else { return nil }
      let taken = cursor.log.take(cursor.number, after: 0)
      if !isTouched(taken, plan.region) { continue }
      guard let result = try await read(plan) else { return nil }
      if result == last { continue }
      last = result
      return result
    }
    return nil
  }

  private mutating func start() async throws -> Result? {
    guard !Task.isCancelled, let container = container.value else { return nil }
    let plan = try makePlan(container)
    // Before the read, so that no commit is missed.
    cursor = LogCursor(container.log, container.log.addReader())
    self.plan = plan
    last = try await read(plan)
    return last
  }

  private func read(_ plan: Plan) async throws -> Result? {
    guard let container = container.value else { return nil }
    do {
      return try await BackgroundRead(container, reportsStatements: false).run(plan.read)
    } catch is CancellationError {
      return nil
    }
  }

  private func isTouched(_ taken: CommitLog.Taken, _ region: QueryRegion) -> Bool {
    if !taken.entities.isEmpty, region.isTouched(byObjectsOf: taken.entities) { return true }
    return taken.commits.contains { commit in
      !commit.written.isEmpty && region.isTouched(byObjectsOf: commit.written.entities)
        || commit.receipts.contains { region.isTouched(by: $0.written) }
    }
  }
}

/// A container that is not kept.
final class WeakContainer: Sendable {
  private let reference: Locked<Reference>

  private struct Reference: Sendable {
    weak var container: ContainerRuntime?
  }

  init(_ container: ContainerRuntime) { reference = Locked(Reference(container: container)) }

  /// The container; nil when it has ended.
  var value: ContainerRuntime? { reference.withLock { $0.container } }
}
