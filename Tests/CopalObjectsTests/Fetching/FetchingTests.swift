import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Fetching")
struct FetchingTests {
  private func atelier(_ kind: StoreKind) throws -> PersistentContainer {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let prices = [("Ochre", 4), ("Ultramarine", 20), ("Lead white", 9), ("Vermilion", 20)]
    for (name, price) in prices { Pigment(context: context, name: name).price = Decimal(price) }
    try context.save()
    return container
  }

  @Test("a fetch sorts by several keys, by the first key first", arguments: bothStores)
  func sorting(_ kind: StoreKind) throws {
    let context = try atelier(kind).makeContext()
    let byPrice = try context.fetch(Pigment.self, sortedBy: \.price.descending, \.name.descending)
    #expect(byPrice.map(\.name) == ["Vermilion", "Ultramarine", "Lead white", "Ochre"])
    let byName = try context.fetch(Pigment.self, sortedBy: \.name.ascending)
    #expect(byName.map(\.name) == ["Lead white", "Ochre", "Ultramarine", "Vermilion"])
  }

  @Test("a fetch sorts nil before every value", arguments: bothStores)
  func nilFirst(_ kind: StoreKind) throws {
    let context = try atelier(kind).makeContext()
    try #require(try context.fetch(Pigment.self).first).density = 3
    try context.save()
    let sorted = try context.fetch(Pigment.self, sortedBy: \.density.ascending)
    #expect(sorted.map(\.density) == [nil, nil, nil, 3])
    #expect(try context.fetch(Pigment.self, sortedBy: \.density.descending).first?.density == 3)
  }

  @Test(
    "a fetch with limit and offset gives that part of the result", arguments: bothStores,
    [
      (2, 0, ["Lead white", "Ochre"]), (2, 1, ["Ochre", "Ultramarine"]), (0, 0, []),
      (9, 3, ["Vermilion"]), (9, 4, []), (Int.max, 3, ["Vermilion"]), (1, Int.max, []),
    ])
  func parts(_ kind: StoreKind, part: (limit: Int, offset: Int, names: [String])) throws {
    let context = try atelier(kind).makeContext()
    func names() throws -> [String] {
      try context.fetch(
        Pigment.self, sortedBy: \.name.ascending, limit: part.limit, offset: part.offset
      ).map(\.name)
    }
    #expect(try names() == part.names)
    // The same with a change that is pending and moves nothing.
    try #require(try context.fetch(Pigment.self).first).opacity = 0.5
    #expect(try names() == part.names)
    let request = Pigment.fetchRequest().limited(to: part.limit, offset: part.offset)
    #expect(try context.count(request) == part.names.count)
  }

  @Test(
    "a fetch with a negative limit or offset throws",
    arguments: [(-1, 0), (1, -1), (Int.min, Int.min)])
  func negative(limit: Int, offset: Int) throws {
    let context = try atelier(.memory).makeContext()
    let request = Pigment.fetchRequest().limited(to: limit, offset: offset)
    #expect(throws: PersistenceError.self) { try context.fetch(request) }
    #expect(throws: PersistenceError.self) { try context.count(request) }
  }

  @Test("fetchIDs gives ids, and a context gives the objects of ids", arguments: bothStores)
  func ids(_ kind: StoreKind) throws {
    let container = try atelier(kind)
    let request = Pigment.fetchRequest().filter { $0.price == 20 }.sorted(by: \.name.ascending)
    let ids = try container.makeContext().fetchIDs(request)
    let context = container.makeContext()
    #expect(
      try ids.map { try context.existingObject(with: $0, as: Pigment.self).name }
        == ["Ultramarine", "Vermilion"])
    #expect(try context.objects(with: ids).map(\.objectID) == ids)
  }

  @Test("a context has one instance for each id", arguments: bothStores)
  func instances(_ kind: StoreKind) throws {
    let context = try atelier(kind).makeContext()
    let first = try context.fetch(Pigment.self)
    let second = try context.fetch(Pigment.self, sortedBy: \.name.ascending)
    #expect(Set(first) == Set(second) && Set(first).count == 4)
    for pigment in first {
      #expect(try context.existingObject(with: pigment.objectID) === pigment)
    }
  }

  @Test(
    "a fetch keeps the values of registered objects, unless the request refreshes unchanged objects",
    arguments: bothStores)
  func freshness(_ kind: StoreKind) throws {
    let container = try atelier(kind)
    let (mine, other) = (container.makeContext(), container.makeContext())
    let pigments = try mine.fetch(Pigment.self)
    for pigment in try other.fetch(Pigment.self) { pigment.opacity = 0.25 }
    try other.save()
    pigments[0].opacity = 0.75
    #expect(pigments.map(\.opacity) == [0.75, 1, 1, 1])
    _ = try mine.fetch(Pigment.self)
    #expect(pigments.map(\.opacity) == [0.75, 1, 1, 1])
    var request = Pigment.fetchRequest()
    request.refreshesObjects = true
    _ = try mine.fetch(request)
    #expect(pigments.map(\.opacity) == [0.75, 0.25, 0.25, 0.25])
  }

  @Test("a request that does not fit the model throws before the store is read")
  func refusals() throws {
    let context = try atelier(.memory).makeContext()
    func code(_ request: FetchRequest<ManagedObject>) -> PersistenceError.Code? {
      do {
        _ = try context.fetch(request)
        return nil
      } catch {
        return (error as? PersistenceError)?.code
      }
    }
    func request(_ predicate: FetchPredicate) -> FetchRequest<ManagedObject> {
      FetchRequest(entityName: "Pigment", predicate: predicate)
    }
    #expect(code(FetchRequest(entityName: "Pigmint")) == .unknownEntity)
    #expect(
      code(request(.comparison(.property("nam"), .equal, .constant("x")))) == .unknownProperty)
    #expect(code(request(.comparison(.property("name"), .equal, .constant(1)))) == .predicateType)
    #expect(
      code(request(.comparison(.property("swatch"), .equal, .constant(.null)))) == .notQueryable)
    #expect(
      code(FetchRequest(entityName: "Pigment", sortKeys: [.ascending("color")])) == .notQueryable)
    #expect(throws: PersistenceError.self) {
      try context.fetch(FetchRequest<Painter>(entityName: "Pigment"))
    }
  }

  @Test("an order can have a direction that is known when the program runs", arguments: bothStores)
  func directions(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    for (name, title) in [("Hals", "b"), ("Vermeer", "A"), ("Leyster", "c")] {
      Work(context: context, title: title).artist = Artist(context: context, name: name)
    }
    for isUp in [true, false] {
      func titles(_ titles: [String]) -> [String] { isUp ? titles : titles.reversed() }
      #expect(
        try context.fetch(Work.self, sortedBy: \.title[ascending: isUp]).map(\.title)
          == titles(["A", "b", "c"]))
      #expect(
        try context.fetch(Work.self, sortedBy: \.artist.name[ascending: isUp]).map(\.title)
          == titles(["b", "c", "A"]))
      #expect(
        try context.fetch(
          Work.fetchRequest().sorted(by: \.title.caseInsensitive[ascending: isUp])
        ).map(\.title) == titles(["A", "b", "c"]))
      #expect(
        Pigment.properties.code[ascending: isUp].nilsLast
          == FetchSortKey("code", isAscending: isUp).nilsLast)
    }
  }

  @Test("objectID in a text has a remedy")
  func objectID() throws {
    let context = try TestStore(.memory).gallery().makeContext()
    func message(_ request: FetchRequest<Work>) -> String {
      #expect(throws: PersistenceError.self) { try context.fetch(request) }.map { "\($0)" } ?? ""
    }
    let remedy =
      "is the id of an object, and no property; compare SELF, or the relationship itself, with an "
      + "id, and leave it out of an order: without an order, objects come in that of their "
      + "insertion [request.notQueryable]"
    #expect(message(FetchRequest(sortKeys: [.ascending("objectID")])) == "Work.objectID " + remedy)
    let id = Artist(context: context, name: "Hals").objectID
    for (text, entity) in [("objectID == %@", "Work"), ("artist.objectID == %@", "Artist")] {
      #expect(
        try message(FetchRequest(predicate: FetchPredicate(format: text, id)))
          == "\(entity).objectID " + remedy)
    }
    let error = #expect(throws: PersistenceError.self) {
      try FetchedResultsController(Work.fetchRequest(), sectionedBy: "objectID", in: context)
    }
    #expect(error?.code == .notQueryable)
  }

  @Test("the result of a fetch is an ordinary array", arguments: bothStores)
  func arrays(_ kind: StoreKind) throws {
    let context = try atelier(kind).makeContext()
    var pigments = try context.fetch(Pigment.self)
    pigments.append(Pigment(context: context, name: "Umber"))
    pigments.sort { $0.name > $1.name }
    #expect(pigments.first?.name == "Vermilion" && pigments.count == 5)
    let objects: [ManagedObject] = pigments
    #expect((objects as Any) as? [Pigment] == pigments)
    #expect((objects as Any) as? [Painter] == nil)
    #expect(pigments.withUnsafeBufferPointer { $0.allSatisfy { $0.price > 0 } })
  }

  @Test("objects can be fetched by the name of their entity", arguments: bothStores)
  func asManagedObject(_ kind: StoreKind) throws {
    let context = try atelier(kind).makeContext()
    let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Pigment", limit: 1))
    #expect(try found.first?.value(of: "name", as: String.self) == "Ochre")
  }
}
