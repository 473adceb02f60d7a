import Copal
import CopalModel
import CopalSQLite
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Other programs are noticed")
struct OtherProgramsTests {
  private func container(_ test: TestStore, _ interval: Duration? = .milliseconds(10)) throws
    -> PersistentContainer
  {
    var options = SQLiteStore.Options()
    options.noticesOtherPrograms = interval
    return try PersistentContainer(
      model: .atelier, store: test.configuration(options), transformers: TestTransformers.atelier)
  }

  /// Waits until something is true, and merges meanwhile.
  private func wait(_ context: ManagedObjectContext, until isTrue: () -> Bool) async throws {
    for _ in 0..<1000 where !isTrue() {
      try await Task.sleep(for: .milliseconds(5))
      context.mergeChanges()
    }
  }

  /// Waits until the store was looked at some times.
  private func looks(_ test: TestStore, _ count: Int) async throws {
    var seen = 0
    _ = test.recorder.take()
    for _ in 0..<2000 where seen < count {
      try await Task.sleep(for: .milliseconds(5))
      seen += test.recorder.take().count { $0 == "PRAGMA data_version" }
    }
    try #require(seen >= count)
  }

  // Two containers for one file do not know each other, as two processes.
  @Test("a commit of another container, with the option or without it", arguments: [true, false])
  func noticed(_ counts: Bool) async throws {
    let test = try TestStore()
    let (here, there) = (try container(test), try container(test, counts ? .seconds(9) : nil))
    let (context, theirs) = (here.makeContext(), there.makeContext())
    context.automaticallyMergesChanges = true
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    try await looks(test, 2)
    try theirs.existingObject(with: painter.objectID, as: Painter.self).name = "R"
    try theirs.save()
    try await wait(context) { painter.name == "R" }
    #expect(painter.name == "R")
  }

  @Test("an object that another program has deleted leaves a context with listeners")
  func deleted() async throws {
    let test = try TestStore()
    let (here, there) = (try container(test), try container(test))
    let (context, theirs) = (here.makeContext(), there.makeContext())
    context.automaticallyMergesChanges = true
    let painters = (0..<1200).map { Painter(context: context, name: "p\($0)") }
    try context.save()
    var deleted: Set<ManagedObject> = []
    let subscription = context.onChange { deleted.formUnion($0.deleted) }
    try await looks(test, 2)
    for painter in [painters[3], painters[1100]] {
      theirs.delete(try theirs.existingObject(with: painter.objectID))
    }
    try theirs.save()
    try await wait(context) { !deleted.isEmpty }
    #expect(deleted == [painters[3], painters[1100]])
    #expect(painters[3].isDeleted && painters[3].managedObjectContext == nil)
    #expect(painters[4].name == "p4" && !painters[4].isDeleted)
    withExtendedLifetime(subscription) {}
  }

  @Test("an interval that is no interval counts as a short one", arguments: [0, -5])
  func noInterval(_ seconds: Int) throws {
    let container = try container(TestStore(), .seconds(seconds))
    #expect(container.runtime.store.foreignCommits?.interval == .milliseconds(10))
  }

  @Test("commits of this program, of every kind, make no fault")
  func own() async throws {
    let test = try TestStore()
    let container = try container(test, .milliseconds(1))
    let (context, other) = (container.makeContext(), container.makeContext())
    context.automaticallyMergesChanges = true
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    var reloads = 0
    let subscription = context.onChange { if $0.invalidatesAll { reloads += 1 } }
    for number in 1...40 {
      let added = Painter(context: other, name: "p\(number)")
      try other.save()
      try other.transaction {
        added.prizes = 1
        try other.save()
        try? other.transaction {
          added.prizes = 2
          try other.save()
          throw CancellationError()
        }
      }
      try? other.transaction {
        _ = Painter(context: other, name: "gone")
        try other.save()
        throw CancellationError()
      }
      other.delete(added)
      try other.save()
      painter.prizes = Int16(number % 50)
      try context.save()
      context.mergeChanges()
      await Task.yield()
    }
    try await looks(test, 2)
    context.mergeChanges()
    #expect(reloads == 0 && !painter.isFault)
    withExtendedLifetime(subscription) {}
  }

  @Test("a thousand idle looks run nothing but the PRAGMA")
  func idle() throws {
    let test = try TestStore()
    var options = SQLiteStore.Options()
    options.noticesOtherPrograms = .seconds(1)
    let store = try test.open(StoreModels.atelier(), options)
    let watch = try #require(store.foreignCommits)
    #expect(try watch.look() == false)
    let idle = try test.recorder.statements {
      for _ in 0..<1000 where try watch.look() { Issue.record("nobody has committed") }
    }
    #expect(idle.count == 1000 && idle.allSatisfy { $0 == "PRAGMA data_version" }, "\(Set(idle))")
    _ = try test.sqlite3("INSERT INTO copal_metadata VALUES ('tool', '1')")
    #expect(try watch.look() == true, "a tool that does not count")
    #expect(try watch.look() == false)
  }

  @Test("values of a server follow other programs, and the looks end with the container")
  func values() async throws {
    let test = try TestStore()
    var here: PersistentContainer? = try container(test)
    let there = try container(test)
    var counts = try #require(here).count(of: Painter.fetchRequest()).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    let theirs = there.makeContext()
    _ = Painter(context: theirs, name: "Rosa")
    try theirs.save()
    #expect(try await counts.next() == 1)
    weak let runtime = here?.runtime
    here = nil
    for _ in 0..<200 where runtime != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(runtime == nil)
  }
}
