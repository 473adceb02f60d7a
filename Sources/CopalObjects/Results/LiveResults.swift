import CopalModel
import CopalStore

/// The result of a request in a context, kept up to date: what is behind a
/// ``FetchedResultsController`` and a ``ResultsSequence``.
///
/// It listens to the turns of its context. If the query reads only values of the objects
/// themselves, it judges each object of a turn in memory, and the cost grows with these objects. So
/// it does if the condition reads to-one relationships, and only the objects themselves have
/// changed. Otherwise, and where it is not known which objects have changed, the query runs again.
final class LiveResults {
  private(set) weak var context: ManagedObjectContext?
  let request: FetchRequest<ManagedObject>
  private let division: SectionDivision?
  private let runtime: EntityRuntime
  private var query: LiveQuery
  private(set) var contents: LiveContents
  /// Whether the next turn fetches the list again, because the last one has failed.
  private var mustFetch = false
  /// Keeps the closure that listens to the context; nil before the first fetch.
  private var subscription: ChangeSubscription?
  /// Who wants to know of changes.
  private var listeners = Listeners<ResultsChange>()

  init<T: ManagedObject>(
    _ request: FetchRequest<T>, _ division: SectionDivision?, in context: ManagedObjectContext
  ) throws {
    runtime = try context.runtime(for: request)
    self.context = context
    self.division = division
    self.request = request.forLiveResults(of: runtime, division)
    query = try LiveQuery(self.request, division, runtime, context)
    contents = try LiveContents([], query)
  }

  /// Fetches the list, and follows the context from now on.
  func fetch() throws {
    guard let context else { return }
    context.processPendingChanges()
    let former = contents
    (query, contents) = try fetched(context)
    withExtendedLifetime(former) {}
    mustFetch = false
    if subscription != nil { return }
    subscription = context.onChange { [weak self] changes in self?.endTurn(changes.turn) }
  }

  /// Calls a closure after each turn that has changed the list.
  func onChange(_ body: @escaping (ResultsChange) -> Void) -> ChangeSubscription {
    let (subscription, released) = listeners.add(body)
    withExtendedLifetime(released) {}
    return subscription
  }

  private func fetched(_ context: ManagedObjectContext) throws -> (LiveQuery, LiveContents) {
    let query = try LiveQuery(request, division, runtime, context)
    return (query, try LiveContents(try context.fetch(query.request), query))
  }

  // MARK: Turns

  private func endTurn(_ turn: TurnChanges) {
    guard let context else { return }
    do {
      let change = try apply(turn, context)
      if change.isEmpty { return }
      let released = listeners.removeEnded()
      for call in listeners.calls { call(change) }
      withExtendedLifetime(released) {}
    } catch {
      mustFetch = true
      let error = PersistenceError.ofStore(error)
      context.state.container.report(error, context.state)
    }
  }

  private func apply(_ turn: TurnChanges, _ context: ManagedObjectContext) throws -> ResultsChange {
    // A save may have given them other keys.
    if query.namesNewObjects { query = try LiveQuery(request, division, runtime, context) }
    let isReload = mustFetch || turn.invalidatesAll || query.mayBeTouchedAnywhere(by: turn)
    if isReload || query.needsStore(turn) { return try fetchAgain(context, turn, isReload) }
    if !query.isJudgedInMemory { return contents.updates(turn) }
    let objects = objects(touchedBy: turn, context)
    // With a limit, nobody knows what the fetch has to read.
    if query.limit == nil, objects.count > LiveQuery.fewObjects,
      objects.count > contents.list.count / 10
    {
      return try fetchAgain(context, turn, false)
    }
    // Before the list changes: reading a value may call hooks and handlers, which may ask for it.
    try query.prepareJudging(objects, context)
    let judgments = objects.map { (object: $0, entry: query.entry(ofMatching: $0)) }
    var released: [ResultEntry] = []
    let change = try contents.apply(judgments, query, released: &released)
    withExtendedLifetime(released) {}
    return try change ?? fetchAgain(context, turn, false)
  }

  private func fetchAgain(_ context: ManagedObjectContext, _ turn: TurnChanges, _ isReload: Bool)
    throws -> ResultsChange
  {
    let former = contents
    (query, contents) = try fetched(context)
    mustFetch = false
    var change = contents.difference(from: former)
    change.isReload = isReload
    if !isReload { contents.noteUpdates(turn, in: &change) }
    return change
  }

  /// The objects that a turn may have moved into the list, in it or out of it: those of the turn,
  /// and those that others have saved and that the context did not have.
  private func objects(touchedBy turn: TurnChanges, _ context: ManagedObjectContext)
    -> [ManagedObject]
  {
    var objects = turn.entries.values.map(\.object).filter {
      query.finds(entity: $0.runtime.index)
    }
    let known = Set(objects.map(ObjectIdentifier.init))
    objects += query.objectsSavedByOthers(in: turn, context).filter {
      !known.contains(ObjectIdentifier($0))
    }
    let faults = objects.filter {
      $0.isFault && $0.flags.isDisjoint(with: [.deleted, .gone, .missing])
    }
    // In one statement. What cannot be read is reported when it is judged.
    if !faults.isEmpty { try? context.fulfill(faults) }
    return objects
  }
}

extension FetchRequest {
  /// The same request for a list: without the class of its objects, with unsaved changes, and
  /// sorted by the sections first.
  fileprivate func forLiveResults(of runtime: EntityRuntime, _ division: SectionDivision?)
    -> FetchRequest<ManagedObject>
  {
    var request = FetchRequest<ManagedObject>(
      entityName: runtime.layout.name, predicate: predicate, sortKeys: sortKeys, limit: limit,
      offset: offset, returnsObjectsAsFaults: returnsObjectsAsFaults,
      faultBatchSize: faultBatchSize, includesSubentities: includesSubentities)
    request.prefetchedPaths = prefetchedPaths
    if let division, sortKeys.first?.property != division.path {
      var key = FetchSortKey.ascending(division.path)
      key.textOrder = division.textOrder
      request.sortKeys.insert(key, at: 0)
    }
    return request
  }
}
