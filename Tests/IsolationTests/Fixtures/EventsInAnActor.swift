// compiles
import Copal

/// An actor follows its own context: its events, and the result of a request.
actor Watcher {
  private let context: ManagedObjectContext

  init(_ container: PersistentContainer) { context = container.makeContext() }

  func events() async -> [ObjectIDChanges] {
    var found: [ObjectIDChanges] = []
    for await changes in context.changes {
      // The ids may leave the actor, the objects may not.
      found.append(changes.ids)
      if found.count == 10 { break }
    }
    return found
  }

  func results(of request: FetchRequest<ManagedObject>) async throws -> Int {
    for try await objects in context.results(of: request) { return objects.count }
    return 0
  }

  func list(of request: FetchRequest<ManagedObject>) throws -> ResultsSnapshot {
    let list = try FetchedResultsController(request, in: context)
    try list.performFetch()
    return list.snapshot
  }
}
