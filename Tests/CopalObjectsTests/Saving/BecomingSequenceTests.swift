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

  @Test("a becoming takes one look-up of its value, and its links one statement each")
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
    #expect(many - few <= 2 * 250 + 20, "\(few) statements for 50, \(many) for 300")
  }
}
