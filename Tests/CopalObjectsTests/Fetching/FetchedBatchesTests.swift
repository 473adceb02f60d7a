import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("A result that is read in batches")
struct FetchedBatchesTests {
  private func fill(_ container: PersistentContainer, _ count: Int) throws {
    let writer = container.makeContext()
    for number in 0..<count {
      let work = Work(context: writer, title: "\(number % 7)")
      if number % 10 == 0 { work.artist = Artist(context: writer, name: "\(number)") }
    }
    try writer.save()
  }

  private static func request() -> FetchRequest<Work> {
    Work.fetchRequest().filter { $0.title != "3" }.sorted(by: \.title.descending)
  }

  @Test("it has the objects of the fetch in their order", arguments: bothStores, [1, 3, 7, 1000])
  func same(_ kind: StoreKind, size: Int) throws {
    let container = try TestStore(kind).gallery()
    try fill(container, 50)
    let context = container.makeContext()
    for (limit, offset) in [(nil, 0), (10, 5), (0, 0), (100, 40), (7, 0)] {
      var request = Self.request()
      (request.limit, request.offset) = (limit, offset)
      let all = try context.fetch(request)
      let batches = try context.fetchBatches(request, size: size)
      #expect(batches.count == all.count && batches.isEmpty == all.isEmpty)
      #expect(batches.batchSize == size && Array(batches) == all)
      #expect(batches.reversed() == all.reversed() && batches.last === all.last)
      #expect(batches.dropFirst(3).map(\.title) == all.dropFirst(3).map(\.title))
      #expect(batches.indices == all.indices)
      var sizes: [Int] = []
      var visited: [Work] = []
      try batches.forEachBatch { objects in
        sizes.append(objects.count)
        visited += objects
      }
      #expect(visited == all && sizes.dropLast().allSatisfy { $0 == size })
      #expect(sizes.count == (all.count + size - 1) / size)
    }
  }

  @Test(
    "it includes unsaved changes as a fetch does, also after they are saved", arguments: bothStores)
  func pending(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    try fill(container, 40)
    let context = container.makeContext()
    let works = try context.fetch(Work.self)
    works[0].title = "9"
    works[1].title = "3"
    context.delete(works[2])
    let new = (0..<5).map { Work(context: context, title: "\($0)") }
    let all = try context.fetch(Self.request())
    let batches = try context.fetchBatches(Self.request(), size: 4)
    #expect(Array(batches) == all && batches[0] === works[0])
    #expect(batches.contains(new[2]) && !batches.contains(new[3]))
    try context.save()
    #expect(Array(batches) == all)
    #expect(batches.allSatisfy { !$0.objectID.isTemporary && !$0.isFault && !$0.isMissingInStore })
  }

  @Test("a new object that was rolled back stays in the collection, without a context")
  func rolledBack() throws {
    let container = try TestStore(.memory).gallery()
    let context = container.makeContext()
    let new = Work(context: context, title: "new")
    let batches = try context.fetchBatches(Work.fetchRequest(), size: 4)
    context.rollback()
    #expect(batches[0] === new && batches[0].managedObjectContext == nil)
  }

  @Test(
    "an object that was deleted since is a fault whose row is missing", .modelAsIs,
    arguments: bothStores)
  func deleted(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try test.gallery()
    try fill(container, 20)
    let context = container.makeContext()
    let fault = try #require(
      try context.objects(with: context.fetchIDs(Work.fetchRequest()), as: Work.self).dropFirst(5)
        .first)
    let batches = try context.fetchBatches(Work.fetchRequest(), size: 10)
    let other = container.makeContext()
    let theirs = try other.fetch(Work.self)
    for position in [4, 5, 15] { other.delete(theirs[position]) }
    try other.save()
    #expect(batches.map(\.isMissingInStore) == (0..<20).map { [4, 5, 15].contains($0) })
    #expect(batches[5] === fault && test.takeReadFailures().isEmpty)
    #expect(batches[4].title == "" && batches[6].title == "6")
    #expect(test.takeReadFailures().map(\.code) == [.objectMissing])
  }

  @Test("objects without changes take the values of the store where the request says so")
  func refreshing() throws {
    let container = try TestStore(.sqlite).gallery()
    try fill(container, 10)
    let context = container.makeContext()
    let held = try context.fetch(Work.self)
    let other = container.makeContext()
    for work in try other.fetch(Work.self) { work.title = "changed" }
    try other.save()
    var request = Work.fetchRequest()
    #expect(try context.fetchBatches(request)[3].title == "3")
    request.refreshesObjects = true
    held[2].title = "mine"
    let batches = try context.fetchBatches(request)
    #expect(batches[3].title == "changed" && batches[2].title == "mine")
    #expect(held[3].title == "changed")
  }

  // MARK: Statements

  @Test(
    "one statement reads the keys, and one each batch that is not one of the last two", .modelAsIs)
  func statements() throws {
    let test = try TestStore(.sqlite)
    let container = try test.gallery()
    try fill(container, 2500)
    let context = container.makeContext()
    var found = try test.recorder.statements {
      let batches = try context.fetchBatches(Work.fetchRequest())
      #expect(batches.reduce(0) { $0 + $1.title.count } == 2500)
    }
    #expect(found.count == 4, "\(found)")
    context.reset()
    let batches = try context.fetchBatches(Work.fetchRequest(), size: 100)
    found = test.recorder.statements {
      for position in [2400, 2499, 0, 2401, 99, 2402] { _ = batches[position].title }
    }
    #expect(found.count == 2)
    found = test.recorder.statements {
      for position in [500, 2400, 600, 501] { _ = batches[position] }
    }
    #expect(found.count == 3, "that of 2400 was one of the last two, and that of 500 is not")
  }

  @Test("relationships are prefetched for each batch, and what is lazy names the fetch", .modelAsIs)
  func prefetching() throws {
    let test = try TestStore(.sqlite)
    let container = try test.gallery()
    try fill(container, 300)
    let context = container.makeContext()
    var request = Work.fetchRequest().prefetching(\.artist)
    let found = try test.recorder.statements {
      try context.forbiddingLazyLoads {
        let batches = try context.fetchBatches(request, size: 100)
        #expect(batches.compactMap { $0.artist?.name }.count == 30)
      }
    }
    #expect(found.count == 1 + 3 * 2)
    context.reset()
    let error = try #require(throws: PersistenceError.self) {
      try context.forbiddingLazyLoads {
        _ = try context.fetchBatches(request, size: 100).map(\.artist?.works.count)
      }
    }
    #expect(
      (error.causes.first as? PersistenceError)?.found
        == "counted lazily for 30 objects of Work.artist of the fetch of Work, with 30 reads")
    request.prefetchedPaths = ["painter"]
    #expect(throws: PersistenceError.self) { try context.fetchBatches(request) }
  }

  // MARK: Failures

  @Test("a batch that cannot be read is reported, and has faults that are read later")
  func failure() throws {
    let outage = Outage()
    let container = try PersistentContainer(model: .gallery, store: outage.configuration)
    try fill(container, 20)
    let context = container.makeContext()
    var failures: [PersistenceError] = []
    context.readFailureHandler = { failures.append($0) }
    let batches = try context.fetchBatches(Work.fetchRequest(), size: 10)
    outage.isDown = true
    #expect(batches[3].isFault && batches[4].isFault)
    #expect(failures.map(\.code) == [.inputOutput] && failures.map(\.entity) == ["Work"])
    var visited = 0
    let error = try #require(throws: PersistenceError.self) {
      try batches.forEachBatch { visited += $0.count }
    }
    #expect(error.code == .inputOutput && visited == 0)
    outage.isDown = false
    #expect(batches[3].title == "3" && !batches[4].isFault && !batches[13].isFault)
    try batches.forEachBatch { visited += $0.count }
    #expect(visited == 20 && failures.count == 1)
    struct Enough: Error {}
    #expect(throws: Enough.self) { try batches.forEachBatch { _ in throw Enough() } }
  }

  @Test("a class that is not that of the entity is an error")
  func wrongClass() throws {
    let context = try TestStore(.memory).gallery().makeContext()
    let error = try #require(throws: PersistenceError.self) {
      try context.fetchBatches(FetchRequest<Artist>(entityName: "Work"))
    }
    #expect(error.code == .wrongClass)
  }

  // MARK: Memory

  /// The number of rows; a million to measure the memory of the process.
  private static let rowCount =
    ProcessInfo.processInfo.environment["COPAL_BATCH_ROWS"].flatMap(Int.init) ?? 100_000

  @Test("a context has few objects at a time, whatever the size of the result", .modelAsIs)
  func memory() throws {
    let test = try TestStore(.sqlite)
    let container = try test.gallery()
    #expect(
      try test.sqlite3(
        """
        INSERT INTO Work (copal_id, copal_version, title) \
        SELECT value, 1, 'title ' || value FROM generate_series(1, \(Self.rowCount));
        """) == "")
    let context = container.makeContext()
    let batches = try context.fetchBatches(Work.fetchRequest().sorted(by: \.title.ascending))
    #expect(batches.count == Self.rowCount)
    let map = context.state.maps[try context.runtime(named: "Work").index]
    var (most, bytes) = (0, 0)
    for work in batches {
      bytes += work.title.utf8.count
      most = max(most, map.count)
    }
    #expect(bytes > 6 * Self.rowCount)
    #expect(most <= 4000, "two batches are held, and as many objects wait for their release")
    try batches.forEachBatch { objects in
      #expect(objects.count == 1000)
      most = max(most, map.count)
    }
    #expect(most <= 4000)
    context.state.sweep()
    #expect(map.count <= 2000, "the collection keeps two batches")
    var random = SplitMix(seed: 7)
    for _ in 0..<30 {
      let position = Int.random(in: 0..<Self.rowCount, using: &random)
      #expect(!batches[position].isFault && map.count <= 4000)
    }
  }
}
