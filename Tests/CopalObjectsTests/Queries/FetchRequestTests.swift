import Copal
import CopalTestSupport
import Testing

/// Brands with tubes, and buyers.
struct SalonObjects {
  let context: ManagedObjectContext
  let north: Brand
  let south: Brand
  let blue: Tube
  let red: Tube
  let oil: OilTube
  let anna: Buyer
  let ben: Buyer

  /// Saved objects.
  init(_ store: TestStore) throws {
    context = try store.container(.salon, transformers: []).makeContext()
    north = Brand(context: context, name: "North")
    south = Brand(context: context, name: "South")
    south.town = "Delft"
    blue = Tube(context: context, name: "Blue", price: 10)
    (blue.maker, blue.code, blue.year) = (north, "PB29", 1828)
    red = Tube(context: context, name: "Red", price: 20)
    (red.maker, red.grade) = (north, .student)
    oil = OilTube(context: context, name: "Green", price: 30, oil: "walnut")
    oil.maker = south
    anna = Buyer(context: context, name: "Anna", budget: 25)
    (anna.town, anna.favorite) = ("Delft", south)
    anna.owned.insert(oil)
    ben = Buyer(context: context, name: "Ben", budget: 5)
    ben.town = "Delft"
    try context.save()
  }

  func names(_ request: FetchRequest<Tube>) throws -> [String] {
    try context.fetch(request).map(\.name)
  }
}

@Suite("Fetch requests of the model")
struct FetchRequestTests {
  @Test("a generated function makes the request", arguments: StoreKind.allCases)
  func function(kind: StoreKind) throws {
    let salon = try SalonObjects(try TestStore(kind))
    let request = Tube.cheap(limit: 21, maker: "NORTH")
    #expect(request.limit == 2)
    #expect(request.sortKeys == [.descending("price"), .ascending("name")])
    #expect(
      request.predicate
        == .and([
          .comparison(.property("price"), .less, .constant(.decimal(21))),
          .text(.property("maker.name"), .equal(.caseInsensitive), .constant("NORTH")),
        ]))
    #expect(try salon.names(request) == ["Red", "Blue"])
    #expect(try salon.context.count(Tube.cheap(limit: 15, maker: "north")) == 1)
    #expect(try salon.names(Tube.inOrder()) == ["Blue", "Green", "Red"])
    #expect(try salon.context.fetch(Brand.busy(count: 2)).map(\.name) == ["North"])
    #expect(try salon.context.fetch(Brand.withGrade(grade: .student)).map(\.name) == ["North"])
  }

  @Test("a variable that is compared with an optional attribute may be nil")
  func nilVariable() throws {
    let salon = try SalonObjects(try TestStore())
    #expect(try salon.names(Tube.coded(code: "PB29")) == ["Blue"])
    #expect(try salon.names(Tube.coded(code: nil)) == ["Red", "Green"])
    #expect(try salon.names(Tube.made(maker: salon.north, year: nil)) == ["Blue", "Red"])
    #expect(try salon.names(Tube.made(maker: salon.north, year: 1850)) == ["Red"])
    #expect(try salon.names(Tube.made(maker: nil, year: nil)) == [])
  }

  @Test("lists, objects and enums are variables")
  func kinds() throws {
    let salon = try SalonObjects(try TestStore())
    #expect(
      try salon.names(Tube.oneOf(codes: ["PB29"], makers: [salon.south], grades: [])) == [
        "Blue", "Green",
      ])
    #expect(try salon.names(Tube.oneOf(codes: [], makers: [], grades: [.student])) == ["Red"])
    #expect(try salon.names(Tube.`class`(in: .artist, tube: salon.blue)) == ["Green"])
  }

  @Test("a subclass has the requests of its superclass, for its own objects")
  func subclass() throws {
    let salon = try SalonObjects(try TestStore())
    let request = OilTube.inOrder()
    #expect(try salon.context.fetch(request).map(\.oil) == ["walnut"])
    #expect(try salon.context.fetch(OilTube.withOil(oil: "walnut", limit: 31)) == [salon.oil])
  }

  @Test("a request can be changed after it was made")
  func change() throws {
    let salon = try SalonObjects(try TestStore())
    let request = Tube.cheap(limit: 100, maker: "north").filter { $0.year < 1900 }
    #expect(try salon.names(request.limited(to: 5)) == ["Blue"])
  }

  // MARK: By name

  @Test("a request is made by name, with values for its variables")
  func byName() throws {
    let salon = try SalonObjects(try TestStore())
    let model = salon.context.model
    let request = try model.fetchRequest(
      named: "cheap", in: "Tube", variables: ["limit": 15, "maker": "north"])
    #expect(try salon.context.fetch(request) == [salon.blue])
    let coded = try model.fetchRequest(named: "coded", in: "OilTube", variables: ["code": nil])
    #expect(try salon.context.fetch(coded) == [salon.oil])
    let list = try model.fetchRequest(
      named: "oneOf", in: "Tube",
      variables: ["codes": ["PB29"], "makers": [salon.south.objectID], "grades": [String]()])
    #expect(try salon.context.fetch(list) == [salon.blue, salon.oil])
  }

  /// A name, an entity and variables that do not fit, and the error.
  static let wrong:
    [(
      name: String, entity: String, variables: [String: (any PredicateArgument & Sendable)?],
      error: String
    )] = [
      (
        "cheap", "Tbe", [:],
        "the model has no entity 'Tbe'; did you mean 'Tube'? [request.unknownEntity]"
      ),
      (
        "cheep", "Tube", [:],
        "Tube has no fetch request 'cheep' in the model; did you mean 'cheap'? [request.unknownTemplate]"
      ),
      (
        "withOil", "Tube", [:],
        "Tube has no fetch request 'withOil' in the model; add it to \"fetchRequests\", or correct the name [request.unknownTemplate]"
      ),
      (
        "cheap", "Tube", ["limit": 1],
        "the fetch request Tube.cheap needs a value for $maker; give each variable a value [request.missingVariable]"
      ),
      (
        "cheap", "Tube", ["limt": 1, "maker": "a"],
        "the fetch request Tube.cheap has no variable 'limt'; did you mean 'limit'? [request.unknownVariable]"
      ),
      (
        "coded", "Tube", ["code": "a", "maker": "b"],
        "the fetch request Tube.coded has no variable 'maker'; its variables are $code [request.unknownVariable]"
      ),
      (
        "inOrder", "Tube", ["code": "a"],
        "the fetch request Tube.inOrder has no variable 'code'; it has no variables [request.unknownVariable]"
      ),
      (
        "coded", "Tube", ["code": ["a", "b"]],
        "the variable 'code' of the fetch request Tube.coded stands for a value, and has a list or a key path; give it a value [request.variableList]"
      ),
      (
        "coded", "Tube", ["code": FormatArgument.keyPath("maker")],
        "the variable 'code' of the fetch request Tube.coded stands for a value, and has a list or a key path; give it a value [request.variableList]"
      ),
    ]

  @Test("a name or a variable that the model does not have is an error")
  func wrongNames() throws {
    let model = try ModelBinding.salon.model
    for (name, entity, variables, text) in Self.wrong {
      let error = #expect(throws: PersistenceError.self) {
        try model.fetchRequest(named: name, in: entity, variables: variables)
      }
      #expect(error?.description == text)
    }
  }

  @Test("a value of another type is refused by the fetch")
  func wrongType() throws {
    let salon = try SalonObjects(try TestStore())
    let request = try salon.context.model.fetchRequest(
      named: "cheap", in: "Tube", variables: ["limit": "ten", "maker": "a"])
    let error = #expect(throws: PersistenceError.self) { try salon.context.fetch(request) }
    #expect(error?.code == .predicateType)
  }

  // MARK: The store

  @Test("a store does not change when a fetch request of its model changes")
  func migration() throws {
    let store = try TestStore()
    func model(_ limit: Int) throws -> ModelBinding {
      ModelBinding(
        try ManagedObjectModel(
          json: """
            { "copal": 1, "model": "Shelf", "entities": { "Jar": {
              "attributes": { "price": "decimal" },
              "fetchRequests": { "cheap": { "where": "price < $limit", "limit": \(limit) } },
              "fetchedProperties": { "cheaper": { "destination": "Jar", "limit": \(limit) } } } } }
            """, file: "Shelf.model.json"))
    }
    do {
      let context = try store.container(try model(1), transformers: []).makeContext()
      for price in 1...3 {
        try context.insert("Jar").setValue(price, forKey: "price")
      }
      try context.save()
    }
    _ = store.recorder.take()
    let container = try store.container(try model(2), transformers: [])
    let changes = store.recorder.take().filter {
      $0.hasPrefix("CREATE") || $0.hasPrefix("ALTER") || $0.hasPrefix("INSERT")
    }
    #expect(changes == [])
    let request = try container.model.fetchRequest(
      named: "cheap", in: "Jar", variables: ["limit": 10])
    #expect(try container.makeContext().fetch(request).count == 2)
  }
}
