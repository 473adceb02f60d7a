import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Values and aggregates of a graph of objects")
struct GraphValueTests {
  /// The rows of a request, or its error.
  private static func rows(_ request: ValueRequest, _ context: ManagedObjectContext) -> [String] {
    do {
      return try context.fetchValues(request).map { "\($0)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test("a request for values has the same result in SQL and in memory", arguments: 1...6)
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
    for _ in 0..<GraphConditionTests.count / 6 {
      for entity in ["Maker", "Ware", "Mark"] {
        let request = conditions.request(entity)
        let first = Self.rows(request, contexts[0])
        #expect(first == Self.rows(request, contexts[1]), "\(Self.text(request))")
      }
    }
  }

  @Test(
    "unsaved changes count in values as if they were saved", arguments: 1...6, StoreKind.allCases)
  func unsavedChanges(seed: UInt64, kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.container(.graph)
    var graph = RandomGraph(seed: seed)
    try graph.fill(container.makeContext(), count: 45)
    var conditions = RandomConditions(seed: seed &+ 100)
    for round in 0..<GraphConditionTests.count / 60 {
      let changing = container.makeContext()
      try graph.change(changing)
      let requests = (0..<6).map { conditions.request(["Maker", "Ware", "Mark"][$0 % 3]) }
      let unsaved = requests.map { Self.rows($0, changing) }
      try changing.save()
      let other = container.makeContext()
      for (request, unsaved) in zip(requests, unsaved) {
        #expect(unsaved == Self.rows(request, other), "round \(round), \(Self.text(request))")
      }
    }
  }

  private static func text(_ request: ValueRequest) -> String {
    let columns = request.columns.map {
      FetchPredicate.comparison($0.expression, .notEqual, .constant(.null)).format
    }
    return "\(request.entityName) \(columns) where \(request.predicate?.format ?? "-") "
      + "having \(request.having?.format ?? "-") distinct \(request.isDistinct) order \(request.sortKeys) "
      + "limit \(request.limit ?? -1) offset \(request.offset)"
  }
}
