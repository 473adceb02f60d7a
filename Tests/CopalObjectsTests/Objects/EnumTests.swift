import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

final class Sketch: ManagedObject {
  /// A custom property on the primitive value.
  var medium: Medium {
    get { primitiveMedium }
    set {
      primitiveMedium = newValue
      didChangeValue(forKey: PropertyNames.medium)
    }
  }
}

@Suite("Attributes with cases")
struct EnumTests {
  private func context(_ kind: StoreKind = .sqlite) throws -> ManagedObjectContext {
    try TestStore(kind).container(.workshop).makeContext()
  }

  // MARK: Values

  @Test("a value is read back, and its raw value is stored", arguments: bothStores)
  func roundTrip(kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try test.container(.workshop)
    let context = container.makeContext()
    let work = Artwork(context: context, title: "Poppies")
    #expect(work.technique == .oil && work.rank == .low && work.ground == nil && work.type == nil)
    (work.technique, work.ground, work.rank, work.type) = (.default, .paper, .unknown, .portrait)
    work.mood = .wild
    try context.save()
    #expect(work.mood == .wild)
    let other = container.makeContext()
    let found = try #require(try other.fetch(Artwork.self).first)
    #expect(found.technique == .default && found.ground == .paper && found.rank == .unknown)
    #expect(found.type == .portrait && found.mood == nil)
    if kind == .sqlite, ModelShape.current == .alone {
      #expect(
        try test.sqlite3("SELECT technique, ground, rank, type FROM Artwork")
          == #"default|Papier "A"|-1|1"#)
    }
    found.ground = nil
    try other.save()
    #expect(try container.makeContext().fetch(Artwork.self).first?.ground == nil)
  }

  @Test("a subentity has the enums of its parent and its own", arguments: bothStores)
  func subentity(kind: StoreKind) throws {
    let context = try context(kind)
    let etching = Etching(context: context, title: "Mill", plate: .copper)
    etching.technique = .tempera
    try context.save()
    #expect(
      try context.count(Etching.self) { $0.plate == .copper && $0.technique == .tempera } == 1)
    #expect(try context.count(Artwork.self) { $0.as(Etching.self).plate == .zinc } == 0)
  }

  @Test("a custom property can be on the primitive enum")
  func custom() throws {
    let context = try context()
    let sketch = Sketch(context: context)
    #expect(sketch.medium == .ink)
    sketch.medium = .chalk
    try context.save()
    #expect(try context.count(Sketch.self) { $0.medium == .chalk } == 1)
  }

  @Test("an enum has its cases in the order of the model, and is compared by its raw value")
  func cases() throws {
    #expect(Artwork.Technique.allCases == [.oil, .tempera, .default])
    #expect(Artwork.Rank.allCases.sorted() == [.unknown, .low, .high])
    #expect(Artwork.Rank(rawValue: 20) == .high && Artwork.Rank.high.rawValue == 20)
    #expect(
      Artwork.Rank(rawValue: 3) == .unrecognized(3) && !Artwork.Rank.unrecognized(3).isRecognized)
    #expect(Artwork.Technique.unrecognized("oil") == .oil && Artwork.Technique.oil.isRecognized)
    #expect(Set([Artwork.Technique.oil, .unrecognized("oil")]).count == 1)
    let json = try JSONEncoder().encode([Artwork.Technique.oil, .unrecognized("gouache")])
    #expect(String(decoding: json, as: UTF8.self) == #"["oil","gouache"]"#)
    #expect(
      try JSONDecoder().decode([Artwork.Technique].self, from: json) == [
        .oil, .unrecognized("gouache"),
      ])
    // A typo in code does not compile, and a switch has to say what an unrecognized value means.
    switch Artwork.Genre.portrait {
    case .landscape, .unrecognized: Issue.record("another case")
    case .portrait: break
    }
  }

  // MARK: Queries

  /// A condition, and the titles that it finds.
  static let conditions:
    [(condition: @Sendable (QueryProperties<Artwork>) -> FetchPredicate, titles: [String])] = [
      ({ $0.technique == .oil }, ["A", "B"]), ({ $0.technique != .oil }, ["C", "D"]),
      ({ $0.ground == nil }, ["A"]), ({ $0.ground == .wood || $0.ground == .canvas }, ["B", "C"]),
      ({ $0.technique.isIn([.tempera, .default]) }, ["C", "D"]),
      ({ $0.rank > .low }, ["C", "D"]), ({ $0.rank < .low }, ["B"]),
      ({ $0.rank.isBetween(.unknown, and: .low) }, ["A", "B"]),
      ({ $0.type == .portrait }, ["D"]), ({ $0.technique == .unrecognized("gouache") }, []),
    ]

  @Test(
    "a condition compares raw values, in the store and among unsaved objects",
    arguments: bothStores, conditions.indices)
  func condition(kind: StoreKind, index: Int) throws {
    let context = try context(kind)
    let works = ["A", "B", "C", "D"].map { Artwork(context: context, title: $0) }
    (works[1].ground, works[1].rank) = (.wood, .unknown)
    (works[2].technique, works[2].ground, works[2].rank) = (.tempera, .canvas, .high)
    (works[3].technique, works[3].ground, works[3].rank) = (.default, .paper, .high)
    works[3].type = .portrait
    let (condition, titles) = Self.conditions[index]
    func found() throws -> [String] {
      try context.fetch(Artwork.self, sortedBy: \.title.ascending, where: condition).map(\.title)
    }
    #expect(try found() == titles)
    try context.save()
    #expect(try found() == titles)
  }

  @Test("a fetch sorts by the raw value", arguments: bothStores)
  func sorting(kind: StoreKind) throws {
    let context = try context(kind)
    for rank in [Artwork.Rank.high, .unknown, .low] {
      Artwork(context: context, title: "\(rank)").rank = rank
    }
    try context.save()
    let titles = try context.fetch(Artwork.self, sortedBy: \.rank.ascending).map(\.title)
    #expect(titles == ["unknown", "low", "high"])
  }

  // MARK: Values that no case has

  /// A store with a row that a newer program has written.
  private func newer() throws -> (TestStore, PersistentContainer) {
    let test = try TestStore()
    let container = try test.container(.workshop)
    let context = container.makeContext()
    _ = Artwork(context: context, title: "Poppies")
    try context.save()
    _ = try test.sqlite3("UPDATE Artwork SET technique = 'gouache', rank = 7, ground = ''")
    return (test, container)
  }

  @Test("a raw value that no case has is read as unrecognized, found, and kept", .modelAsIs)
  func unrecognized() throws {
    let (test, container) = try newer()
    let context = container.makeContext()
    let work = try #require(
      try context.fetch(Artwork.self) { $0.technique == .unrecognized("gouache") }.first)
    #expect(work.technique == .unrecognized("gouache") && work.rank == .unrecognized(7))
    #expect(work.ground == .unrecognized(""))
    work.title = "Poppies in gouache"
    try context.save()
    // Set to what it is: no change.
    work.technique = .unrecognized("gouache")
    work.title = "Poppies"
    try context.save()
    #expect(
      try test.sqlite3("SELECT title, technique, rank, ground FROM Artwork") == "Poppies|gouache|7|"
    )
    #expect(test.takeReadFailures().isEmpty)
  }

  @Test("a save refuses a raw value that no case has, and names the cases", .modelAsIs)
  func refused() throws {
    let (test, container) = try newer()
    let context = container.makeContext()
    let work = try #require(try context.fetch(Artwork.self).first)
    work.technique = .unrecognized("temperra")
    work.rank = .unrecognized(8)
    let new = Artwork(context: context, title: "New")
    new.ground = .unrecognized("Stein")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    let causes = error?.causes.compactMap { $0 as? PersistenceError } ?? []
    #expect(
      causes.map(\.code) == [.unrecognizedCase, .unrecognizedCase, .unrecognizedCase])
    #expect(Set(causes.map(\.property)) == ["technique", "rank", "ground"])
    let technique = try #require(causes.first { $0.property == "technique" })
    #expect(technique.found == nil && technique.suggestion == "tempera")
    #expect(technique.expected == "oil, tempera, default" && technique.objectID == work.objectID)
    #expect(try test.sqlite3("SELECT technique, rank FROM Artwork") == "gouache|7")
    (work.technique, work.rank, new.ground) = (.tempera, .high, .wood)
    try context.save()
    #expect(
      try test.sqlite3("SELECT technique, rank FROM Artwork WHERE title = 'Poppies'")
        == "tempera|20")
  }

  @Test("a required value that is missing in the row is the case of the empty string", .modelAsIs)
  func missing() throws {
    let test = try TestStore()
    let container = try test.container(.workshop)
    let context = container.makeContext()
    let etching = Etching(context: context)
    (etching.title, etching.technique) = ("Mill", .oil)
    #expect(etching.plate == .unrecognized(""))
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.required])
  }

  // MARK: By name

  @Test("by name, an attribute has its raw value, and takes a raw value or its enum")
  func byName() throws {
    let context = try context()
    let work = Artwork(context: context, title: "Poppies")
    try work.setValue("tempera", forKey: "technique")
    #expect(work.technique == .tempera)
    try work.setValue(Artwork.Technique.default, forKey: "technique")
    #expect(try work.value(forKey: "technique") as? String == "default")
    #expect(try work.value(of: "technique", as: Artwork.Technique.self) == .default)
    #expect(try work.value(of: "technique", as: String.self) == "default")
    #expect(try work.value(of: "ground", as: Artwork.Ground.self) == nil)
    try work.setValue(Artwork.Rank.high, forKey: "rank")
    #expect(work.rank == .high)
    let error = #expect(throws: PersistenceError.self) {
      try work.setValue(Artwork.Rank.high, forKey: "technique")
    }
    #expect(error?.code == .wrongValueType)
    try work.setValue("gouache", forKey: "technique")
    let refusal = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(refusal?.causeCodes == [.unrecognizedCase])
  }

  // MARK: Another model

  @Test("a store opens with a model that has other cases, without a migration", .modelAsIs)
  func otherCases() throws {
    let (test, container) = try newer()
    let before = try test.sqlite3(".dump")
    let entities = container.model.entities.map { entity in
      var entity = entity
      for index in entity.attributes.indices where entity.attributes[index].name == "technique" {
        entity.attributes[index].cases = ["gouache", "oil"]
      }
      return entity
    }
    let model = try ManagedObjectModel(name: "Workshop", entities: entities)
    _ = try test.open(StoreSchema(model))
    #expect(try test.sqlite3(".dump") == before)
  }
}
