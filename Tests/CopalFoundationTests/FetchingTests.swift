import Copal
import CopalFoundation
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Fetching with #Predicate and SortDescriptor")
struct FetchingTests {
  private func context(_ kind: StoreKind) throws -> ManagedObjectContext {
    let context = try TestStore(kind).container(.collection, transformers: []).makeContext()
    World.fill(context)
    try context.save()
    return context
  }

  private let sold = #Predicate<Work> { $0.isSold }
  private let dear = #Predicate<Work> { $0.price > 8 }

  @Test("a context fetches, counts and finds objects", arguments: bothStores)
  func functions(_ kind: StoreKind) throws {
    let context = try context(kind)
    let order = [SortDescriptor(\Work.price, order: .reverse), SortDescriptor(\Work.title)]
    #expect(
      try context.fetch(dear, sortBy: order).map(\.title) == ["Harbor of Éze", "Boats", "Torso"])
    #expect(try context.fetch(dear, sortBy: order, limit: 1, offset: 1).map(\.title) == ["Boats"])
    #expect(try context.fetchIDs(dear, sortBy: order, limit: 1).count == 1)
    #expect(try context.count(dear) == 3)
    #expect(try context.first(dear, sortBy: order)?.title == "Harbor of Éze")
    #expect(try context.one(sold)?.title == "Boats")
    #expect(try context.exists(sold))
    #expect(try !context.exists(and(sold, not(dear))))
    let error = try #require(throws: PersistenceError.self) { try context.one(dear) }
    #expect(error.code == .severalObjects)
  }

  @Test("! makes no value of a choice whose optional has none", arguments: bothStores)
  func choiceOfNil(_ kind: StoreKind) throws {
    let context = try context(kind)
    // swift-format-ignore: NeverForceUnwrap
    let light = #Predicate<Work> { work in work.weight.flatMap { $0 > 1 ? 1 : 2 }! == 2 }
    #expect(try context.count(light) == context.count(Work.self) { $0.weight <= 1 })
    #expect(try context.exists(Work.self) { $0.weight == nil })
  }

  @Test("a request has the condition and the order, and its other parts can be set")
  func requests() throws {
    let request = try FetchRequest(
      predicate: dear, sortDescriptors: [SortDescriptor(\.title), SortDescriptor(\.code)])
    #expect(
      request.predicate
        == .comparison(.property("price"), .greater, .constant(.decimal(8))))
    #expect(request.sortKeys == [.ascending("title"), .ascending("code")])
    #expect(try FetchRequest<Work>(predicate: nil).predicate == nil)
  }

  @Test("a sort descriptor becomes a key, also for an inherited attribute")
  func sortKeys() throws {
    #expect(try FetchSortKey(SortDescriptor(\Work.price)) == .ascending("price"))
    #expect(try FetchSortKey(SortDescriptor(\Work.due, order: .reverse)) == .descending("due"))
    #expect(try FetchSortKey(SortDescriptor(\Sculpture.title)) == .ascending("title"))
    #expect(
      try FetchSortKey(SortDescriptor(\Work.title, comparator: .lexical)) == .ascending("title"))
    let error = try #require(throws: PersistenceError.self) {
      try FetchSortKey(SortDescriptor(\Work.objectID.description))
    }
    #expect(error.code == .predicateKeyPath)
  }

  @Test("objects are compared by their ids", arguments: bothStores)
  func ids(_ kind: StoreKind) throws {
    let context = try context(kind)
    let berthe = try #require(try context.one(#Predicate<Artist> { $0.name == "Berthe" }))
    let (id, works) = (berthe.objectID, berthe.works.map(\.objectID))
    #expect(
      try FetchPredicate(#Predicate<Artist> { $0.objectID == id })
        == (Artist.properties.objectID == id))
    #expect(try context.fetch(#Predicate<Artist> { $0.objectID == id }) == [berthe])
    #expect(try context.fetch(#Predicate<Artist> { $0.id == id }) == [berthe])
    #expect(try context.count(#Predicate<Artist> { $0.objectID != id }) == 2)
    #expect(
      try FetchPredicate(#Predicate<Work> { works.contains($0.objectID) })
        == Work.properties.objectID.isIn(works))
    #expect(try context.count(#Predicate<Work> { works.contains($0.objectID) }) == 2)
    #expect(
      try FetchPredicate(#Predicate<Work> { $0.artist?.objectID == id })
        == (Work.properties.artist == id))
    #expect(try context.count(#Predicate<Work> { $0.artist?.objectID == id }) == 2)
    let work = works[0]
    #expect(
      try FetchPredicate(#Predicate<Artist> { $0.works.contains { $0.objectID == work } })
        == Artist.properties.works.contains(work))
    #expect(
      try context.fetch(#Predicate<Artist> { $0.works.contains { $0.objectID == work } })
        == [berthe])
    // Before its first save, an object is found by its temporary id.
    let temporary = Artist(context: context, name: "Dora")
    let key = temporary.objectID
    #expect(try context.fetch(#Predicate<Artist> { $0.objectID == key }) == [temporary])
  }

  @Test(
    "joined predicates have the conditions of their parts, and can be evaluated",
    arguments: bothStores)
  func joined(_ kind: StoreKind) throws {
    let context = try context(kind)
    let old = #Predicate<Work> { $0.year < 1881 }
    let joined = or(and(dear, not(sold)), and(old, sold, dear))
    let expected: FetchPredicate = {
      let (dear, sold, old): (FetchPredicate, FetchPredicate, FetchPredicate) = (
        Work.properties.price > 8, Work.properties.isSold == true, Work.properties.year < 1881
      )
      return (dear && !sold) || (old && sold && dear)
    }()
    #expect(try FetchPredicate(joined) == expected)
    let titles = ["Boats", "Harbor of Éze", "Torso"]
    #expect(try context.fetch(joined).map(\.title) == titles)
    let all = try context.fetch(Work.self)
    #expect(try all.filter { try joined.evaluate($0) }.map(\.title) == titles)
    // The same predicate twice, and one with a closure in it.
    #expect(try context.count(and(sold, sold)) == 1)
    let admired = #Predicate<Work> { $0.admirers.contains { $0.prizes == 0 } }
    #expect(try context.fetch(and(admired, sold)).map(\.title) == ["Boats"])
    #expect(try context.fetch(and(admired, not(sold))).map(\.title) == ["Head"])
  }

  @Test("a joined predicate has the parts of a written one inside a closure")
  func inside() throws {
    let first = #Predicate<Artist> { artist in artist.works.contains { $0.price > artist.budget } }
    #expect(
      try FetchPredicate(not(first))
        == .not(Artist.properties.works.contains { $0.price > Artist.properties.budget }))
  }

  @Test(
    "localizedStandardContains ignores case and diacritics, in a store and in Swift",
    arguments: bothStores)
  func standardContains(_ kind: StoreKind) throws {
    let context = try context(kind)
    let eze = #Predicate<Work> { $0.title.localizedStandardContains("ÉZE") }
    let part = "harbor of e\u{301}ze, 1882"
    let reversed = #Predicate<Work> { part.localizedStandardContains($0.title) }
    let optional = #Predicate<Work> { $0.code?.localizedStandardContains("b") == true }
    #expect(try context.fetch(eze).map(\.title) == ["Harbor of Éze"])
    #expect(try context.fetch(reversed).map(\.title) == ["Harbor of Éze", ""])
    #expect(try context.fetch(optional).map(\.title) == ["Boats"])
    for predicate in [eze, reversed, optional] {
      let evaluated = try context.fetch(Work.self).filter { try predicate.evaluate($0) }
      #expect(try context.fetch(predicate) == evaluated)
    }
  }
}
