import Copal
import CopalTestSupport
import Testing

@Suite("Conditions on the objects of to-one relationships")
struct RelatedConditionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let titles: [String]
    let condition: @Sendable (Work.Properties) -> FetchPredicate

    init(
      _ text: String, _ titles: [String],
      _ condition: @escaping @Sendable (Work.Properties) -> FetchPredicate
    ) {
      (testDescription, self.titles, self.condition) = (text, titles, condition)
    }
  }

  // A condition, and the titles of the works that it finds, among: Lace and Milk of Vermeer, of
  // which Lace is in the Louvre, Night of Rembrandt in the Rijksmuseum, and Panel of nobody.
  static let cases = [
    Case("an attribute equals", ["Lace", "Milk"]) { $0.artist.name == "Vermeer" },
    Case("an attribute differs, and so does nil", ["Night", "Panel"]) {
      $0.artist.name != "Vermeer"
    },
    Case("an order is false without an object", ["Night"]) { $0.artist.name < "S" },
    Case("and its negation true", ["Lace", "Milk", "Panel"]) { !($0.artist.name < "S") },
    Case("nil for no object", ["Panel"]) { $0.artist.name == nil },
    Case("not nil", ["Lace", "Milk", "Night"]) { $0.artist.name != nil },
    Case("isIn", ["Night"]) { $0.artist.name.isIn(["Rembrandt", "Nobody"]) },
    Case("not isIn", ["Lace", "Milk", "Panel"]) { !$0.artist.name.isIn(["Rembrandt"]) },
    Case("a range", ["Lace", "Milk"]) { $0.artist.name.isIn("S"...) },
    Case("hasPrefix", ["Lace", "Milk"]) { $0.artist.name.hasPrefix("Ver") },
    Case("contains without case", ["Lace", "Milk"]) {
      $0.artist.name.contains("ME", .caseInsensitive)
    },
    Case("not contains", ["Night", "Panel"]) { !$0.artist.name.contains("me") },
    Case("two relationships", ["Lace"]) {
      $0.artist.name == "Vermeer" && $0.museum.name == "Louvre"
    },
    Case("either", ["Lace", "Night"]) {
      $0.artist.name == "Rembrandt" || $0.museum.name == "Louvre"
    },
    Case("with an attribute of the work", ["Milk"]) {
      $0.artist.name == "Vermeer" && $0.title > "Lace"
    },
    Case("two conditions on one object", []) {
      $0.artist.name > "S" && $0.artist.name < "T"
    },
    Case("a path back to the work", ["Lace"]) { $0.frame.work.title == "Lace" },
    Case("a number", ["Lace"]) { $0.frame.width > 5 },
    Case("two attributes of one object", ["Lace", "Milk", "Night", "Panel"]) {
      $0.artist.name == $0.artist.name
    },
  ]

  private func fill(_ context: ManagedObjectContext) {
    let vermeer = Artist(context: context, name: "Vermeer")
    let rembrandt = Artist(context: context, name: "Rembrandt")
    let louvre = Museum(context: context, name: "Louvre")
    let rijksmuseum = Museum(context: context, name: "Rijksmuseum")
    for (title, artist, museum) in [
      ("Lace", vermeer, louvre), ("Milk", vermeer, nil), ("Night", rembrandt, rijksmuseum),
      ("Panel", nil, nil),
    ] as [(String, Artist?, Museum?)] {
      let work = Work(context: context, title: title)
      (work.artist, work.museum) = (artist, museum)
      if title == "Lace" {
        let frame = Frame(context: context)
        (frame.width, work.frame) = (9, frame)
      }
    }
  }

  @Test(
    "a condition on a related object has one meaning, saved or not", arguments: bothStores, cases)
  func meaning(_ kind: StoreKind, _ query: Case) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    fill(context)
    for _ in 0..<2 {
      let found = try context.fetch(Work.self, where: query.condition).map(\.title)
      #expect(found == query.titles)
      #expect(try context.count(Work.self, where: query.condition) == query.titles.count)
      let others = try context.fetch(Work.self) { !query.condition($0) }.map(\.title)
      #expect((found + others).sorted() == ["Lace", "Milk", "Night", "Panel"])
      try context.save()
    }
    #expect(
      try container.makeContext().fetch(Work.self, where: query.condition).map(\.title)
        == query.titles)
  }

  @Test("a path through several relationships, also of one entity to itself", arguments: bothStores)
  func deep(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    fill(context)
    var topic: Topic?
    for name in ["Art", "Painting", "Genre", "Kitchen"] {
      let child = Topic(context: context, name: name)
      child.parent = topic
      topic = child
    }
    let work = try #require(try context.one(Work.self) { $0.title == "Lace" })
    let artist = try #require(work.artist)
    for _ in 0..<2 {
      #expect(try context.fetch(Frame.self) { $0.work.artist.name == "Vermeer" }.count == 1)
      #expect(try context.fetch(Frame.self) { $0.work.artist == artist }.count == 1)
      #expect(try context.fetch(Frame.self) { $0.work.artist.isIn([artist]) }.count == 1)
      #expect(try context.fetch(Frame.self) { $0.work.artist != artist }.isEmpty)
      #expect(try context.fetch(Frame.self) { $0.work.artist == nil }.isEmpty)
      #expect(
        try context.fetch(Topic.self) { $0.parent.parent.name == "Art" }.map(\.name) == ["Genre"])
      #expect(
        try context.fetch(Topic.self) { $0.parent.parent.name == nil }.map(\.name)
          == ["Art", "Painting"])
      #expect(
        try context.fetch(Topic.self) { $0.parent.parent.parent.name != "Art" }.map(\.name)
          == ["Art", "Painting", "Genre"])
      try context.save()
    }
  }

  @Test(
    "an unsaved change of a related object changes what matches, of works that were never read",
    arguments: bothStores)
  func unsaved(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let filling = container.makeContext()
    fill(filling)
    try filling.save()
    let context = container.makeContext()
    let vermeer = try #require(try context.one(Artist.self) { $0.name == "Vermeer" })
    vermeer.name = "van der Meer"
    #expect(try context.fetch(Work.self) { $0.artist.name == "Vermeer" }.isEmpty)
    #expect(
      try context.fetchIDs(Work.self) { $0.artist.name == "van der Meer" }.count == 2)
    #expect(try context.count(Work.self) { $0.artist.name != "Vermeer" } == 4)
    #expect(try context.count(Work.self) { $0.artist.name != "van der Meer" } == 2)
    #expect(try context.count(Frame.self) { $0.work.artist.name.hasPrefix("van") } == 1)
    context.delete(vermeer)
    #expect(try context.fetch(Work.self) { $0.artist.name == "van der Meer" }.isEmpty)
    #expect(try context.fetch(Work.self).map(\.title) == ["Night", "Panel"])
    context.rollback()
    #expect(try context.count(Work.self) { $0.artist.name == "Vermeer" } == 2)
    #expect(try filling.count(Work.self) { $0.artist.name == "Vermeer" } == 2)
  }

  @Test(
    "a condition on a related object is one statement, with the keys of the related objects",
    .modelAsIs)
  func statements() throws {
    let store = try TestStore()
    let container = try store.gallery()
    let context = container.makeContext()
    fill(context)
    try context.save()
    context.reset()
    let statements = try store.recorder.statements {
      _ = try context.fetchIDs(Work.self) {
        $0.artist.name == "Vermeer" && $0.museum.name != "Louvre"
      }
    }
    #expect(
      statements == [
        #"SELECT "copal_id" FROM "Work" WHERE ("artist" IN (SELECT "copal_id" FROM "Artist" WHERE "name" = ?) "#
          + #"AND ("museum" NOT IN (SELECT "copal_id" FROM "Museum" WHERE "name" = ?) OR "museum" IS NULL)) "#
          + #"ORDER BY "copal_id""#
      ])
  }

  @Test(
    "a fetch with unsaved changes of related objects gives the same result as after the save",
    arguments: bothStores)
  func random(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    var schedule = Schedule(seed: kind == .memory ? 5 : 6)
    var context = container.makeContext()
    for round in 0..<300 {
      if round % 20 == 0 { context = container.makeContext() }
      try schedule.change(context)
      let requests = (0..<4).map { _ in schedule.request() }
      let pending = try requests.map { try context.fetch($0) }
      let counts = try requests.map { try context.count($0) }
      for (request, found) in zip(requests, pending) {
        #expect(try context.fetchIDs(request) == found.map(\.objectID))
      }
      try context.save()
      let reader = container.makeContext()
      for (index, request) in requests.enumerated() {
        let saved = try reader.fetch(request)
        #expect(
          pending[index].map(\.objectID) == saved.map(\.objectID), "round \(round): \(request)")
        #expect(counts[index] == saved.count, "round \(round): \(request)")
      }
    }
  }

  /// Random changes of works, artists and museums with few names, and requests for works.
  struct Schedule {
    private var random: SplitMix
    private static let names = ["a", "b", "c", "C"]

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private mutating func pick<T>(_ values: [T]) -> T {
      values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func chance(_ count: Int) -> Bool {
      Int.random(in: 0..<count, using: &random) == 0
    }

    mutating func change(_ context: ManagedObjectContext) throws {
      // Sometimes only a few objects are read, so that the store finds the others.
      let artists = try context.fetch(Artist.self, limit: chance(2) ? 2 : nil)
      let museums = try context.fetch(Museum.self)
      let works = chance(2) ? [] : try context.fetch(Work.self)
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: _ = Artist(context: context, name: pick(Self.names))
        case 1: _ = Museum(context: context, name: pick(Self.names))
        case 2, 3:
          let work = Work(context: context, title: pick(Self.names))
          set(work, artists, museums)
        case 4:
          if let work = works.randomElement(using: &random), !work.isDeleted {
            set(work, artists, museums)
          }
        case 5:
          if let museum = museums.randomElement(using: &random) { museum.name = pick(Self.names) }
        case 6:
          if chance(3), let artist = artists.randomElement(using: &random) {
            context.delete(artist)
          }
        default:
          if let artist = artists.randomElement(using: &random), !artist.isDeleted {
            artist.name = pick(Self.names)
          }
        }
      }
    }

    private mutating func set(_ work: Work, _ artists: [Artist], _ museums: [Museum]) {
      let artist = artists.filter { !$0.isDeleted }.randomElement(using: &random)
      work.artist = chance(4) ? nil : artist
      work.museum = chance(3) ? nil : museums.randomElement(using: &random)
    }

    mutating func request() -> FetchRequest<Work> {
      var request = Work.fetchRequest()
      request.predicate = predicate(depth: 2)
      if chance(2) { request.sortKeys = [.ascending("title")] }
      if chance(3) { request.limit = Int.random(in: 0...5, using: &random) }
      if chance(4) { request.offset = Int.random(in: 0...3, using: &random) }
      return request
    }

    private mutating func predicate(depth: Int) -> FetchPredicate {
      let path = FetchExpression.property(
        pick(["artist.name", "museum.name", "artist.name", "title"]))
      let name = PropertyValue.string(pick(Self.names))
      switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
      case 0...1: return .comparison(path, pick(FetchPredicate.Operator.allCases), .constant(name))
      case 2: return .isIn(path, chance(2) ? [name, .null] : [name])
      case 3: return .text(path, .equal(.caseInsensitive), .constant(name))
      case 4: return .comparison(path, pick([.equal, .notEqual]), .constant(.null))
      case 5: return .not(predicate(depth: depth - 1))
      case 6: return .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
      default: return .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
      }
    }
  }

  @Test("a property of a class is an argument of %K", arguments: bothStores)
  func keyPathArguments(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    for (name, title) in [("Hals", "b"), ("Vermeer", "A")] {
      Work(context: context, title: title).artist = Artist(context: context, name: name)
    }
    let (work, artist) = (Work.properties, Artist.properties)
    let pairs: [(FetchPredicate, FetchPredicate)] = [
      (try FetchPredicate(format: "%K == %@", work.title, "b"), work.title == "b"),
      (
        try FetchPredicate(format: "%K == %@", work.artist.name, "Hals"),
        work.artist.name == "Hals"
      ),
      (try FetchPredicate(format: "%K == nil", work.artist), work.artist == nil),
      (
        try FetchPredicate(format: "%K.%K == %@", work.artist, artist.name, "Hals"),
        work.artist.name == "Hals"
      ),
      (
        try FetchPredicate(format: "%K.@count > 0", artist.works),
        try FetchPredicate(format: "works.@count > 0")
      ),
    ]
    for (text, typed) in pairs { #expect(text == typed) }
    #expect(try context.fetch(Work.self, where: pairs[1].0).map(\.title) == ["b"])
    let error = #expect(throws: PredicateFormatError.self) {
      try FetchPredicate(format: "title == %@", work.title)
    }
    #expect(error?.code == .argumentKind && "\(String(describing: error))".contains("write %K"))
  }

  @Test("a mistake in a path names the entity where it is")
  func mistakes() throws {
    let context = try TestStore(.memory).gallery().makeContext()
    func error(_ path: String, _ other: FetchExpression = .constant("x")) -> PersistenceError? {
      #expect(throws: PersistenceError.self) {
        try context.fetch(
          FetchRequest<Work>(predicate: .comparison(.property(path), .equal, other)))
      }
    }
    let misspelled = error("artist.nam")
    #expect(misspelled?.code == .unknownProperty && misspelled?.entity == "Artist")
    #expect(misspelled?.suggestion == "name")
    #expect(error("artst.name")?.code == .unknownProperty)
    #expect(error("artist.")?.code == .unknownProperty)
    #expect(error(".name")?.code == .unknownProperty)
    #expect(error("title.name")?.code == .notQueryable)
    #expect(error("artist.works.title")?.code == .notQueryable)
    #expect(error("artist.name", .constant(1))?.code == .predicateType)
    #expect(error("artist", .constant("x"))?.code == .predicateType)
    let long = "frame.work." + String(repeating: "frame.work.", count: 50_000) + "title"
    #expect(error(long)?.code == .tooComplex)
  }
}
