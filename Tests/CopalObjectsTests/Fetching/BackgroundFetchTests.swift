import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Fetches in the background")
struct BackgroundFetchTests {
  @Test("a fetch in the background finds what a fetch finds", arguments: StoreKind.allCases)
  @MainActor
  func results(kind: StoreKind) async throws {
    let container = try TestStore(kind).container(.graph)
    let context = container.viewContext
    var graph = RandomGraph(seed: 3)
    try graph.fill(context, count: 60)
    let request = Ware.fetchRequest().filter { $0.price > 1 || $0.maker.name == nil }.sorted(
      by: \.price.descending)
    #expect(try await context.fetchInBackground(request) == context.fetch(request))
    // Unsaved changes count.
    try graph.change(context)
    #expect(try await context.fetchInBackground(request) == context.fetch(request))
    try context.save()
    let other = container.makeContext()
    let found = try await other.fetchInBackground(request).map(\.objectID)
    #expect(try found == context.fetchIDs(request))
  }

  @Test("a canceled fetch in the background throws CancellationError")
  @MainActor
  func cancellation() async throws {
    let container = try TestStore(.sqlite).container(.graph)
    let context = container.viewContext
    for _ in 0..<300 { _ = Ware(context: context) }
    try context.save()
    let task = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await context.fetchInBackground(Ware.fetchRequest())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try context.count(Ware.self) == 300)
  }

  /// A request that would look at 300 to the power of four objects.
  private func endlessRequest(_ context: ManagedObjectContext) throws -> FetchRequest<Maker> {
    let teacher = Maker(context: context)
    for _ in 0..<300 { Maker(context: context).teacher = teacher }
    try context.save()
    return Maker.fetchRequest().filter { maker in
      maker.teacher.students.filter {
        $0.teacher.students.filter { $0.teacher.students.count > 1000 }.count > 0
      }.count > 0
    }
  }

  /// An actor with a context and a thread of its own. The main actor, and the threads of Swift's
  /// tasks, are busy with other tests for minutes: a statement would run as long, and end.
  private actor Reader {
    private let executor: ContextSerialExecutor
    private let context: ManagedObjectContext
    private let request: FetchRequest<Maker>

    init(_ container: PersistentContainer, _ request: FetchRequest<Maker>) {
      executor = container.makeSerialExecutor()
      context = container.makeContext()
      self.request = request
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func count() async throws -> Int { try await context.fetchInBackground(request).count }

    /// Cancels the fetch while its statement runs. The actor is free in the meantime.
    func cancelWhileItRuns() async throws {
      let task = Task { try await count() }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 0.05)
          continuation.resume()
        }
      }
      #expect(try context.count(Maker.self) == 301)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  // SQLite ignores an interruption just before the first row of a statement, which then ran to its
  // end: for days.
  @Test("a cancellation at any moment ends the statement", .endsHangs)
  func cancellationAtAnyMoment() async throws {
    let container = try TestStore(.sqlite).container(.graph)
    let context = container.makeContext()
    let reader = Reader(container, try endlessRequest(context))
    for moment in 0..<60 {
      let task = Task { try await reader.count() }
      let end = ContinuousClock.now + .microseconds(20 * moment)
      while ContinuousClock.now < end {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("the cancellation of a task ends the statement that runs", .endsHangs)
  func interruption() async throws {
    let container = try TestStore(.sqlite).container(.graph)
    let context = container.makeContext()
    let reader = Reader(container, try endlessRequest(context))
    try await reader.cancelWhileItRuns()
  }

  @Test("a fetch can leave out unsaved changes", arguments: StoreKind.allCases)
  func withoutChanges(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    let (saved, deleted) = (Maker(context: context), Maker(context: context))
    (saved.name, deleted.name) = ("a", "b")
    try context.save()
    saved.name = "c"
    context.delete(deleted)
    let new = Maker(context: context)
    new.name = "a"
    var request = Maker.fetchRequest().filter { $0.name == "a" }
    #expect(try context.fetch(request) == [new])
    request.includesPendingChanges = false
    #expect(try context.fetch(request) == [saved])
    #expect(saved.name == "c")
    #expect(try context.count(request) == 1 && context.fetchIDs(request) == [saved.objectID])
    request.predicate = nil
    #expect(try context.count(request) == 2)
  }

  @Test(
    "a fetch in the background notices a batch of another context", arguments: StoreKind.allCases)
  @MainActor
  func batchOfAnotherContext(kind: StoreKind) async throws {
    let container = try TestStore(kind).container(.graph)
    let context = container.viewContext
    let ware = Ware(context: context)
    ware.count = 5
    try context.save()
    try await container.perform { _ = try $0.updateAll(Ware.self) { $0.count.set(to: 0) } }
    let found = try await context.fetchInBackground(Ware.fetchRequest().filter { $0.count == 0 })
    #expect(found == [ware])
    #expect(ware.count == 0)
  }

  @Test(
    "rows that were read in the background do not replace what a save or a batch wrote since",
    arguments: StoreKind.allCases)
  @MainActor
  func olderRows(kind: StoreKind) async throws {
    let container = try TestStore(kind).container(.graph)
    let context = container.viewContext
    let ware = Ware(context: context)
    ware.count = 5
    try context.save()
    var request = Ware.fetchRequest()
    request.refreshesObjects = true
    // The context can be used while the fetch waits for its rows.
    let first = Task { @MainActor in try await context.fetchInBackground(request).count }
    await Task.yield()
    try context.updateAll(Ware.self) { $0.count.set(to: 6) }
    #expect(try await first.value == 1)
    #expect(ware.count == 6)
    let second = Task { @MainActor in try await context.fetchInBackground(request).count }
    await Task.yield()
    ware.count = 7
    try context.save()
    #expect(try await second.value == 1)
    #expect(ware.count == 7)
    let third = Task { @MainActor in
      try await context.fetchInBackground(Ware.fetchRequest()).count
    }
    await Task.yield()
    context.delete(ware)
    try context.save()
    _ = try await third.value
    #expect(try context.fetch(Ware.self).isEmpty)
  }

  @Test(
    "a fetch in the background finds what a batch has inserted since, and keeps what was read since",
    arguments: StoreKind.allCases)
  @MainActor
  func newerRows(kind: StoreKind) async throws {
    let container = try TestStore(kind).container(.graph)
    let (context, other) = (container.viewContext, container.makeContext())
    let ware = Ware(context: context)
    ware.count = 5
    try context.save()
    let theirs = try #require(try other.existingObject(with: ware.objectID) as? Ware)
    var request = Ware.fetchRequest()
    request.refreshesObjects = true
    var hasEnded = false
    let first = Task { @MainActor in
      let count = try await context.fetchInBackground(request).count
      hasEnded = true
      return count
    }
    await Task.yield()
    let expected = hasEnded ? 1 : 4
    try context.insertAll(Ware.self, from: 0..<3) { ware, number in
      ware.count.set(to: Int32(number))
    }
    #expect(try await first.value == expected)
    let refreshes: [() throws -> Void] = [
      { try context.refresh(ware, mergeChanges: true) },
      { try context.refresh(ware, mergeChanges: false) },
      { context.refreshAllObjects() },
      { _ = try context.fetch(request) },
    ]
    for (number, refresh) in refreshes.enumerated() {
      let task = Task { @MainActor in try await context.fetchInBackground(request).count }
      await Task.yield()
      theirs.count = Int32(100 + number)
      try other.save()
      try refresh()
      #expect(ware.count.map(Int.init) == 100 + number)
      #expect(try await task.value == 4)
      #expect(ware.count.map(Int.init) == 100 + number, "\(number)")
    }
  }
}
