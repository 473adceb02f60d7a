import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Conditions on a graph of objects")
struct GraphConditionTests {
  /// The number of conditions; `COPAL_CONDITIONS` sets another one.
  static let count =
    ProcessInfo.processInfo.environment["COPAL_CONDITIONS"].flatMap(Int.init) ?? 600

  /// What a context finds, or the code of its error.
  private static func found(
    _ predicate: FetchPredicate, _ entity: String, _ context: ManagedObjectContext
  )
    -> [String]
  {
    var request = FetchRequest<ManagedObject>(entityName: entity, predicate: predicate)
    // Orders by related objects, and parts of the result.
    if entity == "Ware" {
      request.sortKeys = [.descending("maker.teacher.name").alphabetical, .ascending("maker.fee")]
      (request.limit, request.offset) = (20, 1)
    }
    do {
      return try context.fetch(request).map { "\(try $0.value(forKey: "label") ?? "nil")" }
    } catch {
      return ["\(error)"]
    }
  }

  /// The same for the objects of the entity that the context has already, in no order.
  private static func foundInMemory(
    _ predicate: FetchPredicate, _ entity: String, _ context: ManagedObjectContext
  ) -> [String] {
    do {
      var objects = try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).shuffled()
      objects = try objects.filter(predicate)
      if entity == "Ware" {
        objects = try objects.sorted(by: [
          .descending("maker.teacher.name").alphabetical, .ascending("maker.fee"),
        ])
        objects = Array(objects.dropFirst().prefix(20))
      } else {
        objects = try objects.sorted(by: [])
      }
      return try objects.map { "\(try $0.value(forKey: "label") ?? "nil")" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test("a condition has the same result in SQL, in memory, and as text", arguments: 1...6)
  func stores(seed: UInt64) throws {
    let (sqlite, memory) = (try TestStore(.sqlite), try TestStore(.memory))
    let contexts = [
      try sqlite.container(.graph).makeContext(), try memory.container(.graph).makeContext(),
    ]
    for context in contexts {
      var graph = RandomGraph(seed: seed)
      try graph.fill(context, count: 60)
    }
    var conditions = RandomConditions(seed: seed)
    var foundSome = 0
    for _ in 0..<Self.count / 6 {
      for entity in ["Maker", "Ware", "Mark"] {
        let predicate = conditions.predicate(entity)
        let first = Self.found(predicate, entity, contexts[0])
        let second = Self.found(predicate, entity, contexts[1])
        #expect(first == second, "\(entity): \(predicate.format)")
        let parsed = try FetchPredicate(format: predicate.format)
        let third = Self.found(parsed, entity, contexts[0])
        // A part that can only be nil is written as false, so that it has no error.
        #expect(
          first == third || first.first?.contains("[request.") == true,
          "\(entity): \(predicate.format)")
        if first.count > 1 { foundSome += 1 }
      }
    }
    #expect(foundSome > Self.count / 20)
  }

  @Test(
    "unsaved changes count as if they were saved",
    arguments: 1...6, [StoreKind.sqlite, .memory, .decided])
  func unsavedChanges(seed: UInt64, kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.container(.graph)
    var graph = RandomGraph(seed: seed)
    try graph.fill(container.makeContext(), count: 45)
    var conditions = RandomConditions(seed: seed &+ 100)
    for round in 0..<Self.count / 60 {
      let changing = container.makeContext()
      try graph.change(changing)
      let asked = (0..<6).map { number in
        let entity = ["Maker", "Ware", "Mark"][number % 3]
        return (entity, conditions.predicate(entity))
      }
      let unsaved = asked.map { Self.found($1, $0, changing).sorted() }
      for (number, (entity, predicate)) in asked.enumerated() {
        let inMemory = Self.foundInMemory(predicate, entity, changing)
        #expect(
          inMemory == Self.found(predicate, entity, changing),
          "round \(round), \(number), \(entity): \(predicate.format)")
      }
      try changing.save()
      let other = container.makeContext()
      for (number, (entity, predicate)) in asked.enumerated() {
        let saved = Self.found(predicate, entity, other).sorted()
        #expect(unsaved[number] == saved, "round \(round), \(entity): \(predicate.format)")
      }
    }
  }
}
