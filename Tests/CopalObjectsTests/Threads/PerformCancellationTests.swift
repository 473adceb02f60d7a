import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalStore

@Suite("A canceled task ends what perform runs")
struct PerformCancellationTests {
  /// Runs a body, cancels its task when the body has opened the gate, and waits for its end.
  private func canceling<R: Sendable>(
    _ container: PersistentContainer, after begun: Tally, opening canceled: Gate = Gate(),
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> R
  ) async -> Result<R, any Error> {
    let task = Task { try await container.perform(endsWhenCanceled: true) { try body($0) } }
    // Without blocking one of Swift's threads.
    #expect(await Gate.waits { begun.value > 0 })
    task.cancel()
    canceled.open()
    return await task.result
  }

  private func isCanceled<R>(_ result: Result<R, any Error>) -> Bool {
    if case .failure(let error) = result { error is CancellationError } else { false }
  }

  @Test("a statement that runs is ended")
  func longStatement() async throws {
    let container = try TestStore(.sqlite).atelier()
    let begun = Tally()
    let result = await canceling(container, after: begun) { context in
      begun.add(1)
      return try context.fetchRows(
        sql:
          "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000000000) SELECT count(*) FROM c"
      ).count
    }
    #expect(isCanceled(result))
    // The connection serves the next context.
    #expect(try await container.perform { try $0.count(Pigment.self) } == 0)
  }

  @Test(
    "between two calls, every later call throws, and a property goes to the handler",
    arguments: StoreKind.allCases)
  func between(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let writer = container.makeContext()
    for name in ["Ochre", "Umber"] { _ = Pigment(context: writer, name: name) }
    try writer.save()
    let (begun, canceled) = (Tally(), Gate())
    let found = Locked<[String]>([])
    let result = await canceling(container, after: begun, opening: canceled) { context in
      func note<R>(_ name: String, _ body: () throws -> R) {
        do {
          _ = try body()
          found.withLock { $0.append("\(name) passed") }
        } catch {
          found.withLock { $0.append("\(name) \(error is CancellationError)") }
        }
      }
      context.readFailureHandler = { error in
        found.withLock { $0.append("\(error.code) \(error.causes.first is CancellationError)") }
      }
      let request = FetchRequest<Pigment>(sortKeys: [.ascending("name")])
      let pigments = try context.fetch(request)
      context.refreshAllObjects()
      let id = pigments[1].objectID
      begun.add(1)
      canceled.pass()
      note("fetch") { try context.fetch(request) }
      note("count") { try context.count(request) }
      note("look-up") { try context.existingObject(with: id) }
      let name = pigments[0].name
      found.withLock { $0.append("'\(name)'") }
      pigments[0].name = "changed"
      note("save") { try context.save() }
      note("empty") { try context.transaction {} }
      note("batch") { try context.deleteAll(Pigment.self) }
      note("metadata") { try context.metadata.values() }
      return try context.count(request)
    }
    #expect(isCanceled(result))
    #expect(
      found.withLock { $0 } == [
        "fetch true", "count true", "look-up true", "store.canceled true", "''", "save true",
        "empty true", "batch true", "metadata true",
      ])
    #expect(try container.makeContext().fetch(Pigment.self).map(\.name) == ["Ochre", "Umber"])
  }

  @Test(
    "the wait for another writer is ended, and nothing is written", arguments: StoreKind.allCases)
  func waiting(_ kind: StoreKind) async throws {
    let store = try TestStore(kind)
    // A wait that is not ended would hang.
    let container = try PersistentContainer(
      model: .atelier,
      store: store.configuration(SQLiteStore.Options(busyTimeoutSeconds: 100_000)),
      transformers: TestTransformers.atelier)
    let begun = Tally()
    let writer = container.makeContext()
    var result: Result<Int, any Error>?
    let (locked, end) = (Tally(), Gate())
    let holder = Task {
      try await container.perform { other in
        try other.transaction {
          locked.add(1)
          end.pass()
        }
      }
    }
    #expect(await Gate.waits { locked.value > 0 })
    result = await canceling(container, after: begun) { context in
      _ = Pigment(context: context, name: "Ochre")
      begun.add(1)
      // A memory store waits for five seconds at a time, and the cancellation may come later.
      while true {
        do {
          try context.save()
          return 1
        } catch let error as PersistenceError where error.code == .busy {
          continue
        }
      }
    }
    end.open()
    try await holder.value
    #expect(result.map(isCanceled) == true)
    #expect(try writer.count(Pigment.self) == 0)
  }

  @Test("in a hook, the save ends, and nothing is written", arguments: StoreKind.allCases)
  func hook(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let (begun, canceled) = (Tally(), Gate())
    let result = await canceling(container, after: begun, opening: canceled) { context in
      let subscription = context.onWillSave {
        begun.add(1)
        canceled.pass()
      }
      _ = Pigment(context: context, name: "Ochre")
      try context.save()
      withExtendedLifetime(subscription) {}
    }
    #expect(isCanceled(result))
    #expect(try container.makeContext().count(Pigment.self) == 0)
  }

  @MainActor
  @Test(
    "what was saved before stays saved and is published, and nothing more",
    arguments: StoreKind.allCases)
  func afterCommit(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let view = container.viewContext
    #expect(try view.count(Pigment.self) == 0)
    var saves = container.saves.makeAsyncIterator()
    let (begun, canceled) = (Tally(), Gate())
    let result = await canceling(container, after: begun, opening: canceled) { context in
      _ = Pigment(context: context, name: "Ochre")
      try context.save()
      begun.add(1)
      canceled.pass()
      _ = Pigment(context: context, name: "Umber")
      try context.save()
    }
    #expect(isCanceled(result))
    #expect(try view.fetch(Pigment.self).map(\.name) == ["Ochre"])
    #expect(await saves.next()?.inserted.count == 1)
    try await container.perform { context in
      _ = Pigment(context: context, name: "Woad")
      _ = Pigment(context: context, name: "Weld")
      try context.save()
    }
    #expect(await saves.next()?.inserted.count == 2)
  }

  @Test(
    "a transaction is undone as a whole, and its keys are not used again",
    arguments: StoreKind.allCases)
  func transaction(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let (begun, canceled) = (Tally(), Gate())
    let result = await canceling(container, after: begun, opening: canceled) { context in
      try context.transaction {
        _ = Pigment(context: context, name: "Ochre")
        try context.save()
        begun.add(1)
        canceled.pass()
      }
    }
    #expect(isCanceled(result))
    let context = container.makeContext()
    #expect(try context.count(Pigment.self) == 0)
    let pigment = Pigment(context: context, name: "Woad")
    try context.save()
    #expect(pigment.objectID.shortDescription == "Pigment p2")
  }

  @Test("a task that is canceled before the body begins runs nothing; without the wish, all")
  func before() async throws {
    let container = try TestStore(.memory).atelier()
    let ran = Locked(0)
    for wish in [true, false] {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await container.perform(endsWhenCanceled: wish) { context in
          ran.withLock { $0 += 1 }
          _ = Pigment(context: context, name: "Ochre")
          try context.save()
        }
      }
      task.cancel()
      #expect(isCanceled(await task.result) == wish)
    }
    #expect(ran.withLock { $0 } == 1)
    #expect(try container.makeContext().count(Pigment.self) == 1)
  }

  @Test(
    "canceled at any moment, each save is whole or has done nothing", arguments: 1...8,
    StoreKind.allCases)
  func anyMoment(seed: UInt64, kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    var random = SplitMix(seed: seed)
    var total = 0
    for round in 0..<12 {
      let saved = Locked(0)
      let (first, moment) = (total, Int.random(in: 0..<8000, using: &random))
      let task = Task {
        try await container.perform(endsWhenCanceled: true) { context in
          for number in 0..<400 {
            for part in 0..<3 {
              _ = Pigment(context: context, name: "\(round) \(number) \(part)")
            }
            context.metadata["count"] = .integer(Int64(first + number + 1))
            try context.save()
            saved.withLock { $0 = number + 1 }
            _ = try context.count(Pigment.self) { $0.price < 5 }
          }
        }
      }
      try? await Task.sleep(for: .microseconds(moment))
      task.cancel()
      _ = await task.result
      let known = saved.withLock { $0 }
      let context = container.makeContext()
      let count = try context.count(Pigment.self)
      // A save whose commit had begun may be there before the body could note it.
      #expect(count == 3 * (first + known) || count == 3 * (first + known + 1))
      total = count / 3
      #expect(context.metadata["count"]?.integer ?? 0 == Int64(total))
    }
  }
}
