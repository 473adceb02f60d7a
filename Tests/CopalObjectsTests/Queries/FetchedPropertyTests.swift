import Copal
import CopalTestSupport
import Testing

@Suite("Fetched properties")
struct FetchedPropertyTests {
  @Test(
    "a fetched property finds the objects that its condition names", arguments: StoreKind.allCases)
  func objects(kind: StoreKind) throws {
    let salon = try SalonObjects(try TestStore(kind))
    #expect(try salon.anna.affordable == [salon.red, salon.blue])
    #expect(try salon.ben.affordable == [])
    #expect(try salon.anna.neighbors == [salon.ben])
    #expect(try salon.anna.favorites == [salon.oil])
    #expect(try salon.ben.favorites == [])
    #expect(try salon.anna.fromFavoriteTown == [salon.south])
    #expect(try salon.anna.missing == [])
    #expect(try salon.ben.missing == [salon.oil])
    #expect(try salon.ben.everything == [salon.blue, salon.oil, salon.red])
  }

  @Test("nil of the source is compared as nil")
  func nilSource() throws {
    let salon = try SalonObjects(try TestStore())
    salon.ben.town = nil
    #expect(try salon.ben.neighbors == [])
    salon.anna.town = nil
    #expect(try salon.ben.neighbors == [salon.anna])
    // No favorite has no town: the makers without a town.
    #expect(try salon.ben.fromFavoriteTown == [salon.north])
  }

  @Test("each read is a fetch, which includes unsaved changes")
  func notCached() throws {
    let store = try TestStore()
    let salon = try SalonObjects(store)
    #expect(try salon.anna.affordable.count == 2)
    let statements = try store.recorder.statements { _ = try salon.anna.affordable }
    #expect(statements.count == 1)
    salon.anna.budget = 10
    #expect(try salon.anna.affordable == [salon.blue])
    let new = Tube(context: salon.context, name: "White", price: 5)
    #expect(try salon.anna.affordable == [salon.blue, new])
    salon.context.delete(salon.blue)
    #expect(try salon.anna.affordable == [new])
  }

  @Test("an object that was never saved has fetched properties")
  func newObject() throws {
    let salon = try SalonObjects(try TestStore())
    let cleo = Buyer(context: salon.context, name: "Cleo", budget: 12)
    cleo.town = "Delft"
    #expect(try cleo.affordable == [salon.blue])
    #expect(try cleo.neighbors == [salon.anna, salon.ben])
  }

  @Test("the request of a fetched property counts and pages")
  func request() throws {
    let salon = try SalonObjects(try TestStore())
    var request = try salon.anna.affordableRequest
    #expect(request.limit == 10)
    #expect(request.sortKeys == [.descending("price"), .ascending("name")])
    #expect(try salon.context.count(request) == 2)
    request.offset = 1
    #expect(try salon.context.fetch(request) == [salon.blue])
    // The request has the values of the moment.
    salon.anna.budget = 0
    #expect(try salon.context.fetch(request) == [salon.blue])
  }

  @Test("a fetched property is read by its name")
  func byName() throws {
    let salon = try SalonObjects(try TestStore())
    #expect(try salon.anna.fetchedObjects(of: "affordable") == [salon.red, salon.blue])
    let request = try salon.anna.fetchRequest(forFetchedProperty: "neighbors")
    #expect(try salon.context.count(request) == 1)
    let error = #expect(throws: PersistenceError.self) {
      try salon.anna.fetchedObjects(of: "afordable")
    }
    #expect(error?.code == .unknownProperty)
    #expect(error?.suggestion == "affordable")
  }

  @Test("an object that is marked as deleted has its fetched properties until the save")
  func deleted() throws {
    let salon = try SalonObjects(try TestStore())
    salon.context.delete(salon.anna)
    #expect(try salon.anna.affordable.count == 2)
    try salon.context.save()
    let error = #expect(throws: PersistenceError.self) { try salon.anna.affordable }
    #expect(
      error?.description
        == "Buyer.affordable of Buyer p1 cannot be read: it does not belong to a context any more; keep the context as long as you use its objects [object.missing]"
    )
  }

  @Test("an object without its context throws")
  func detached() throws {
    let anna = try {
      let salon = try SalonObjects(try TestStore())
      return salon.anna
    }()
    #expect(throws: PersistenceError.self) { try anna.affordableRequest }
  }

  @Test("a list behind a path that ends is empty", arguments: StoreKind.allCases)
  func noList(kind: StoreKind) throws {
    let json = """
      { "copal": 1, "model": "Visits", "entities": {
        "Visit": { "relationships": { "gallery": "Gallery?" }, "fetchedProperties": {
          "shown": { "destination": "Work", "where": "artist IN $FETCH_SOURCE.gallery.artists" },
          "others": { "destination": "Work", "where": "NOT artist IN $FETCH_SOURCE.gallery.artists" } } },
        "Gallery": { "relationships": { "artists": "[Artist]" } },
        "Artist": {}, "Work": { "relationships": { "artist": "Artist?" } } } }
      """
    let context = try TestStore(kind).container(
      ModelBinding(name: "Visits", json: json, classes: [])
    ).makeContext()
    let visit = try context.insert("Visit")
    let work = try context.insert("Work")
    #expect(try visit.fetchedObjects(of: "shown") == [])
    #expect(try visit.fetchedObjects(of: "others") == [work])
    try context.save()
    #expect(try visit.fetchedObjects(of: "shown") == [])
    #expect(try visit.fetchedObjects(of: "others") == [work])
  }
}
