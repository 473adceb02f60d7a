import Copal
import CopalFoundation
import CopalTestSupport
import Foundation
import Testing

@Suite("A #Predicate means what its closure means")
struct MeaningTests {
  @Test("a predicate of works", arguments: WorkCases.all + ClassCases.works)
  func works(_ each: Case<Work>) throws { try check(each) }

  @Test("a predicate of artists and their works", arguments: ArtistCases.all)
  func artists(_ each: Case<Artist>) throws { try check(each) }

  @Test("a predicate of a subclass", arguments: ClassCases.sculptures)
  func sculptures(_ each: Case<Sculpture>) throws { try check(each) }

  private func check<Object>(_ each: Case<Object>) throws {
    if each.isSame {
      #expect(try FetchPredicate(each.predicate) == each.closure(QueryProperties()))
    }
    for kind in bothStores {
      let container = try TestStore(kind).container(.collection, transformers: [])
      let context = container.makeContext()
      World.fill(context)
      try compare(each, in: context)
      try context.save()
      try compare(each, in: container.makeContext())
    }
  }

  private func compare<Object>(_ each: Case<Object>, in context: ManagedObjectContext) throws {
    let expected = try context.fetchIDs(Object.self, where: each.closure)
    let condition = try FetchPredicate(each.predicate)
    #expect(try context.fetchIDs(each.predicate) == expected, "\(condition)")
    #expect(try context.fetch(each.predicate).map(\.objectID) == expected)
    #expect(try context.count(each.predicate) == expected.count)
    // Foundation's own evaluation, in Swift, has the same result.
    guard each.evaluates else { return }
    let evaluated = try context.fetch(Object.self).filter { try each.predicate.evaluate($0) }
    #expect(evaluated.map(\.objectID) == expected)
  }
}
