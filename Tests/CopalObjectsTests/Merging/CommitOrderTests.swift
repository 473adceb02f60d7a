import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// The log and the order of commits, without a store, and with many writers.
@Suite("The order of commits", .modelAsIs)
struct CommitOrderTests {
  // MARK: The log alone

  /// A log of a container whose store answers when the test says so.
  private struct Desk {
    let container: PersistentContainer
    let writer: ManagedObjectContext
    let log: CommitLog
    let order = CommitOrder()
    let reader: UInt64

    init() throws {
      container = try Society.container(TestStore(.memory))
      writer = container.makeContext()
      log = CommitLog(order, entityCount: 20) {}
      reader = log.addReader()
    }

    func publish(_ entity: Int, at place: CommitPlace) {
      var seen = 0
      let commit = Commit(uncertain: [entity], by: writer.state.writer)
      _ = log.publish(commit, at: place, nil, &seen)
    }

    var taken: [Set<Int>] { log.take(reader, after: 0).commits.map(\.entities) }
  }

  @Test("a commit is published when every commit has ended that was open when it arrived")
  func waits() throws {
    let desk = try Desk()
    let (first, second) = (desk.order.reserve(), desk.order.reserve())
    desk.publish(2, at: second)
    #expect(desk.taken.isEmpty, "the first one may still come")
    let third = desk.order.reserve()
    desk.publish(1, at: first)
    #expect(desk.taken == [[1], [2]], "in the order of their numbers; the third has begun later")
    desk.publish(3, at: third)
    #expect(desk.taken == [[3]])
  }

  @Test("numbers may have gaps, and may be known only with the answer")
  func lateNumbers() throws {
    let desk = try Desk()
    // As a server does it: three commits begin, and their numbers come with their answers.
    let tickets = (0..<3).map { _ in desk.order.begin() }
    desk.publish(5, at: CommitPlace(tickets[0], number: 500))
    desk.publish(1, at: CommitPlace(tickets[2], number: 10))
    #expect(desk.taken.isEmpty)
    // A commit that begins now gets a greater number than any of them that has arrived, but for one
    // that has a smaller number it is ready with the others.
    let late = desk.order.begin()
    desk.publish(3, at: CommitPlace(tickets[1], number: 200))
    #expect(desk.taken == [[1], [3], [5]])
    desk.publish(6, at: CommitPlace(late, number: 501))
    #expect(desk.taken == [[6]])
  }

  @Test("with a commit, every one with a smaller number is published")
  func smaller() throws {
    let desk = try Desk()
    let (a, b) = (desk.order.begin(), desk.order.begin())
    desk.publish(9, at: CommitPlace(a, number: 90))
    let c = desk.order.begin()
    // It has begun after the first one has arrived, and so its number is greater.
    desk.publish(8, at: CommitPlace(b, number: 80))
    #expect(desk.taken == [[8], [9]])
    desk.publish(10, at: CommitPlace(c, number: 100))
    #expect(desk.taken == [[10]])
  }

  @Test("a commit that has failed holds nobody up")
  func abandoned() throws {
    let desk = try Desk()
    let (first, second) = (desk.order.reserve(), desk.order.reserve())
    desk.publish(2, at: second)
    #expect(desk.taken.isEmpty)
    desk.order.end(first)
    #expect(desk.taken == [[2]])
  }

  @Test("a commit that nobody needs is published at once, unless another one is open")
  func unkept() throws {
    let desk = try Desk()
    desk.log.removeCursor(desk.reader)
    func publishUnkept(_ entity: Int, at place: CommitPlace) -> Bool {
      var seen = 0
      let contents = CommitContents.batch(WrittenObjects(of: [entity], keys: nil))
      let schema = desk.container.runtime.schema
      return desk.log.publishUnkept(contents, schema, at: place.ticket, &seen)
    }
    let alone = desk.order.reserve()
    #expect(publishUnkept(1, at: alone))
    #expect(desk.log.position == 1)

    // Two are open, and a reader begins between their publications. If the second one were
    // published before it, it would get the first one only, which is older.
    let (first, second) = (desk.order.reserve(), desk.order.reserve())
    #expect(!publishUnkept(3, at: second), "the first one is open")
    desk.publish(3, at: second)
    let reader = desk.log.addReader()
    #expect(!publishUnkept(2, at: first), "the other one waits for it")
    desk.publish(2, at: first)
    #expect(desk.log.take(reader, after: 0).commits.map(\.entities) == [[2], [3]])

    let last = desk.order.reserve()
    #expect(!publishUnkept(4, at: last), "a reader needs it")
    desk.publish(4, at: last)
    #expect(desk.log.take(reader, after: 0).commits.map(\.entities) == [[4]])
  }

  // MARK: A store without an order

  /// A store in memory that gives its commits no order.
  private final class Disorderly: PersistentStore {
    let memory: MemoryStore
    init(_ schema: StoreSchema) { memory = MemoryStore(schema) }
    var identifier: UUID { memory.identifier }
    var schema: StoreSchema { memory.schema }
    func makeSession() throws -> sending any StoreSession { memory.makeSession() }
  }

  @Test("without an order, rows are merged while one writer is open, and entities otherwise")
  func disorderly() throws {
    let container = try PersistentContainer(
      model: Society.binding(),
      store: StoreConfiguration(name: "disorderly") { Disorderly($0) },
      transformers: [SpokenTransformer()])
    let (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let tag = try mine.insert("Tag")
    try mine.save()
    try other.existingObject(with: tag.objectID).setValue("a", forKey: "name")
    try other.save()
    #expect(mine.mergeChanges().refreshed == [tag], "one writer after the other")
    // Two commits that were open at once.
    let ticket = try #require(container.runtime.log.begin())
    try other.existingObject(with: tag.objectID).setValue("b", forKey: "name")
    try other.save()
    container.runtime.log.end(ticket)
    let changes = mine.mergeChanges()
    #expect(changes.refreshed.isEmpty && changes.invalidatesAll)
    #expect(try tag.value(of: "name") == "b")
  }

  // MARK: Many writers

  @Test(
    "8 writers add and remove one link; a merging reader equals the store at each rest",
    arguments: bothStores)
  func oneLink(_ kind: StoreKind) async throws {
    let rounds =
      ProcessInfo.processInfo.environment["COPAL_LINK_ROUNDS"].flatMap(Int.init) ?? 10
    let container = try Society.container(TestStore(kind))
    let setup = container.makeContext()
    let (tag, work) = (try setup.insert("Tag"), try setup.insert("Work"))
    try setup.save()
    let (tagID, workID) = (tag.objectID, work.objectID)
    let reader = container.makeContext()
    reader.automaticallyMergesChanges = true
    let (myTag, myWork) = (
      try reader.existingObject(with: tagID), try reader.existingObject(with: workID)
    )
    #expect(try myTag.shown()["works"] == "" && myWork.shown()["tags"] == "")
    for round in 0..<rounds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<8 {
          group.addTask {
            try await container.perform { context in
              var random = SplitMix(seed: UInt64(round * 8 + writer))
              for _ in 0..<25 {
                // A new look each time: a link has no version, so nothing is refused.
                context.reset()
                let tag = try context.object(with: tagID)
                let works = try #require(
                  try tag.value(forKey: "works") as? OrderedToMany<ManagedObject>)
                let work = try context.object(with: workID)
                if Bool.random(using: &random) { works.append(work) } else { works.remove(work) }
                try context.save()
              }
            }
          }
        }
        // The reader merges in the middle, too.
        for _ in 0..<20 {
          reader.mergeChanges()
          _ = try myTag.shown()
          await Task.yield()
        }
        try await group.waitForAll()
      }
      reader.mergeChanges()
      #expect(try reader.differences(from: container) == [], "round \(round)")
    }
  }

  @Test("contexts and readers end on any thread while others save")
  func ends() async throws {
    let container = try Society.container(TestStore(.memory))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let context = container.makeContext()
            context.automaticallyMergesChanges = true
            _ = try context.insert("Tag")
            try context.save()
            context.mergeChanges()
            let saves = container.saves
            let task = Task { for await _ in saves { break } }
            task.cancel()
            await task.value
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(container.runtime.log.keptRowCount == 0)
    #expect(
      try container.makeContext().count(FetchRequest<ManagedObject>(entityName: "Tag")) == 400)
  }
}
