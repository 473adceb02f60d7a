import Copal
import CopalTestSupport
import Foundation
import Testing

extension TestStore {
  /// A container of `Models/AtelierWithRelationships.model.json`, which has no generated classes.
  fileprivate func atelierWithRelationships() throws -> PersistentContainer {
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../Models/AtelierWithRelationships.model.json").standardized
    return try container(ModelBinding(try ManagedObjectModel(contentsOf: file)), transformers: [])
  }
}

extension ManagedObjectContext {
  fileprivate func insert(_ entity: String, _ values: [String: Any]) throws -> ManagedObject {
    let object = try insert(entity)
    for (name, value) in values { try object.setValue(value, forKey: name) }
    return object
  }

  fileprivate func all(_ entity: String) throws -> [ManagedObject] {
    try fetch(FetchRequest<ManagedObject>(entityName: entity))
  }
}

extension ManagedObject {
  fileprivate func list(_ name: String) throws -> OrderedToMany<ManagedObject> {
    try #require(try value(of: name, as: OrderedToMany<ManagedObject>.self))
  }

  fileprivate func set(_ name: String) throws -> ToMany<ManagedObject> {
    try #require(try value(of: name, as: ToMany<ManagedObject>.self))
  }
}

extension Sequence where Element == ManagedObject {
  /// The names of painters, pigments and collectors, and the titles of paintings.
  fileprivate var names: [String] {
    get throws {
      try map {
        try $0.value(of: $0.entityName == "Painting" ? "title" : "name", as: String.self) ?? ""
      }
    }
  }
}

@Suite("The atelier with relationships, by name")
struct AtelierWithRelationshipsTests {
  /// Vermeer with three paintings, and two pigments in them.
  private func fill(_ context: ManagedObjectContext) throws {
    let vermeer = try context.insert("Painter", ["name": "Jan Vermeer"])
    let ultramarine = try context.insert("Pigment", ["name": "Ultramarine"])
    let ochre = try context.insert("Pigment", ["name": "Ochre"])
    let titles = [("The Milkmaid", 1658), ("View of Delft", 1661), ("The Geographer", 1669)]
    for (title, year) in titles {
      let painting = try context.insert("Painting", ["title": title, "year": year])
      try painting.set("pigments").insert(ultramarine)
      try vermeer.list("paintings").append(painting)
    }
    try vermeer.list("paintings")[1].set("pigments").insert(ochre)
    try context.save()
  }

  @Test("painters have paintings in an order, and paintings share pigments", arguments: bothStores)
  func graph(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.atelierWithRelationships()
    let context = container.makeContext()
    try fill(context)
    let vermeer = try #require(try context.all("Painter").first)
    try vermeer.list("paintings").move(fromOffsets: [2], toOffset: 0)
    try context.save()

    let other = container.makeContext()
    let again = try #require(try other.all("Painter").first)
    let paintings = try again.list("paintings")
    #expect(try paintings.names == ["The Geographer", "The Milkmaid", "View of Delft"])
    #expect(try paintings[2].set("pigments").names == ["Ochre", "Ultramarine"])
    let ultramarine = try #require(try other.all("Pigment").first)
    let titles = try ultramarine.set("paintings").names
    #expect(titles == ["The Milkmaid", "View of Delft", "The Geographer"])
    #expect(try paintings[0].value(forKey: "painter") as? ManagedObject === again)
    if kind == .sqlite {
      #expect(try store.sqlite3("PRAGMA foreign_key_check").isEmpty)
      #expect(try container.check().isEmpty)
    }
  }

  @Test("a friend is a friend in both directions, and a pupil has a teacher", arguments: bothStores)
  func people(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelierWithRelationships().makeContext()
    let rembrandt = try context.insert("Painter", ["name": "Rembrandt"])
    let lievens = try context.insert("Painter", ["name": "Jan Lievens"])
    let dou = try context.insert("Painter", ["name": "Gerrit Dou"])
    try rembrandt.setValue([lievens, dou], forKey: "friends")
    try dou.setValue(rembrandt, forKey: "teacher")
    #expect(try rembrandt.set("friends").names == ["Gerrit Dou", "Jan Lievens"])
    #expect(try lievens.set("friends").names == ["Rembrandt"])
    #expect(try rembrandt.set("pupils").names == ["Gerrit Dou"])
    try context.save()
    context.delete(rembrandt)
    try context.save()
    #expect(try lievens.set("friends").isEmpty && dou.value(forKey: "teacher") == nil)
  }

  @Test("a save refuses a painting without a painter or a pigment", arguments: bothStores)
  func required(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelierWithRelationships().makeContext()
    _ = try context.insert("Painting", ["title": "Untitled"])
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(Set(error.causeCodes) == [.required, .tooFewObjects])
  }

  @Test("deleting a painter deletes the paintings; a pigment in use stays", arguments: bothStores)
  func deleting(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelierWithRelationships().makeContext()
    try fill(context)
    let collector = try context.insert("Collector", ["name": "Pieter van Ruijven"])
    let vermeer = try #require(try context.all("Painter").first)
    try collector.setValue(vermeer.list("paintings"), forKey: "collection")
    try context.save()

    for owner in [collector, try #require(try context.all("Pigment").first)] {
      context.delete(owner)
      let error = try #require(throws: PersistenceError.self) { try context.save() }
      #expect(error.causeCodes == [.deletionDenied])
      context.rollback()
    }
    context.delete(vermeer)
    try context.save()
    #expect(try context.all("Painting").isEmpty && collector.set("collection").isEmpty)
    #expect(try context.all("Pigment").count == 2)
    context.delete(collector)
    for pigment in try context.all("Pigment") { context.delete(pigment) }
    try context.save()
  }

  @Test("a relationship that is read by name with another type has its type in the error")
  func wrongType() throws {
    let context = try TestStore(.memory).atelierWithRelationships().makeContext()
    try fill(context)
    let painting = try #require(try context.all("Painting").first)
    for (name, expected) in [("painter", "Painter"), ("pigments", "ToMany<ManagedObject>")] {
      let error = #expect(throws: PersistenceError.self) {
        try painting.value(of: name, as: [ManagedObject].self)
      }
      #expect(error?.code == .wrongValueType && error?.property == name)
      #expect(error?.found == "Array<ManagedObject>" && error?.expected == expected)
    }
  }

  @Test(
    "fetch requests and fetched properties of the model are used by name", arguments: bothStores)
  func fetchRequests(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelierWithRelationships().makeContext()
    try fill(context)
    let vermeer = try #require(try context.all("Painter").first)
    let model = context.model
    let used = try model.fetchRequest(
      named: "usedBy", in: "Pigment", variables: ["painter": vermeer.objectID])
    #expect(try context.fetch(used).names == ["Ultramarine", "Ochre"])
    let cheap = try model.fetchRequest(named: "cheap", in: "Pigment", variables: ["limit": 13])
    #expect(try context.fetch(cheap).names == ["Ochre", "Ultramarine"])
    let fabritius = try context.insert("Painter", ["name": "Carel Fabritius"])
    #expect(try vermeer.fetchedObjects(of: "contemporaries") == [fabritius])
  }
}
