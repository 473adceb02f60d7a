import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// New objects that become stored ones, among other changes, with lists on the screen.
@Suite("Random becomings", .modelAsIs)
struct BecomingSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_BECOMINGS"].flatMap(UInt64.init) ?? 12
  private static let first =
    ProcessInfo.processInfo.environment["COPAL_BECOMINGS_FROM"].flatMap(UInt64.init) ?? 1

  @Test(
    "values, lists and live lists after random becomings are those of plain dictionaries",
    arguments: bothStores)
  func random(_ kind: StoreKind) async throws {
    var (becomings, joins, differences) = (0, 0, 0)
    for seed in Self.first..<Self.first + Self.count {
      await Task.yield()
      let run = try FeedRun(kind, seed: seed)
      var failure = ""
      do {
        for _ in 0..<60 where run.problems.isEmpty { try run.step() }
      } catch {
        failure = "\(error)"
      }
      becomings += run.becomings
      joins += run.joins
      differences += run.differences
      if run.problems.isEmpty, failure.isEmpty { continue }
      Issue.record(
        "seed \(seed), \(kind): \(failure) \(run.problems.prefix(4))\n\(run.log.joined(separator: "\n"))"
      )
      return
    }
    if Self.count >= 100 {
      print("\(kind): \(becomings) becomings, \(joins) of two new ones, \(differences) differences")
    }
    #expect(becomings > 2 * Int(Self.count) && joins > 0 && differences > 20 * Int(Self.count))
  }

  @Test("one statement looks for the values of many becomings, and a link takes one each")
  func statements() throws {
    /// The statements of a save with so many new items that become stored ones, each with a tag.
    func count(_ becomings: Int) throws -> Int {
      let store = try TestStore(.sqlite)
      let container = try PersistentContainer(
        model: ModelBinding(ManagedObjectModel(json: FeedRun.model, file: "Feed")),
        store: store.configuration())
      func insert(_ context: ManagedObjectContext) throws {
        for number in 0..<becomings {
          let item = try context.insert("Item")
          try item.setValue("c\(number)", forKey: "code")
          try context.insert("Tag").setValue([item], forKey: "items")
        }
      }
      let context = container.makeContext()
      try insert(context)
      try context.save()
      context.mergePolicy = .mergeByPropertyObjectTrump
      try insert(context)
      let statements = try store.recorder.statements { try context.save() }
      #expect(try context.count(FetchRequest<ManagedObject>(entityName: "Item")) == becomings)
      return statements.count
    }
    let (few, many) = (try count(50), try count(300))
    #expect(many - few <= 250 + 20, "\(few) statements for 50, \(many) for 300")
  }

  @Test(
    "a feed is imported twice below lists in sections, here and by another context",
    arguments: bothStores)
  func feed(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try PersistentContainer(
      model: ModelBinding(ManagedObjectModel(json: FeedRun.model, file: "Feed")),
      store: store.configuration())
    let view = container.makeContext()
    view.mergePolicy = .mergeByPropertyObjectTrump
    let count: (ManagedObject) throws -> String? = {
      try $0.value(forKey: "count").map { "\($0)" }
    }
    func request(_ keys: [FetchSortKey]) -> FetchRequest<ManagedObject> {
      FetchRequest(entityName: "Item", sortKeys: keys)
    }
    let shapes = [
      try ListShape(
        "by count", view, request([.ascending("count"), .ascending("code")]), "count", count),
      try ListShape("by name", view, request([.descending("name"), .ascending("code")])),
    ]
    var problems: [String] = []
    for shape in shapes {
      shape.subscription = shape.controller.onChange { [unowned shape] change in
        if let problem = shape.apply(change) { problems.append("\(shape.name): \(problem)") }
      }
    }
    /// Inserts the entries of a feed. Each version of it has other names and counts.
    func importFeed(_ version: Int, _ context: ManagedObjectContext) throws {
      context.mergePolicy = .mergeByPropertyObjectTrump
      for number in 0..<60 {
        let item = try context.insert("Item")
        try item.setValue("c\(number)", forKey: "code")
        try item.setValue("n\(number * 7 % (10 + version))", forKey: "name")
        try item.setValue(1 + (number + version) % 4, forKey: "count")
        guard number % 20 == 19 else { continue }
        try context.save()
        view.mergeChanges()
        view.processPendingChanges()
        for shape in shapes {
          let found = try view.fetch(shape.request)
          #expect(shape.lists.flatMap(\.self).map(\.objectID) == found.map(\.objectID))
          #expect(shape.lists.flatMap(\.self).elementsEqual(found, by: ===), "\(shape.name)")
        }
        #expect(problems == [])
      }
      #expect(try context.count(FetchRequest<ManagedObject>(entityName: "Item")) == 60)
    }
    for version in 0..<4 { try importFeed(version, version < 2 ? view : container.makeContext()) }
    let names = try container.makeContext().fetch(request([.ascending("code")]))
      .map { try $0.value(of: "name", as: String.self) }
    let codes = (0..<60).sorted { "c\($0)" < "c\($1)" }
    #expect(names == codes.map { "n\($0 * 7 % 13)" })
  }
}
