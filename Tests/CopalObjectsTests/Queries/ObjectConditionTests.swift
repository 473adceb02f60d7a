import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Objects in conditions")
struct ObjectConditionTests {
  private let names = ["Ochre", "Ultramarine", "Lead white", "Vermilion"]

  private func fill(_ context: ManagedObjectContext) throws -> [Pigment] {
    let pigments = names.map { Pigment(context: context, name: $0) }
    try context.save()
    return pigments
  }

  @Test("a condition compares the object by its id", arguments: bothStores)
  func saved(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let ids = try fill(container.makeContext()).map(\.objectID)
    let context = container.makeContext()
    func found(_ condition: @escaping (Pigment.Properties) -> FetchPredicate) throws -> [String] {
      let found = try context.fetch(Pigment.self, where: condition)
      #expect(try context.count(Pigment.self, where: condition) == found.count)
      #expect(try context.fetchIDs(Pigment.self, where: condition) == found.map(\.objectID))
      return found.map(\.name)
    }
    #expect(try found { $0.objectID == ids[1] } == ["Ultramarine"])
    #expect(try found { $0.objectID != ids[1] } == ["Ochre", "Lead white", "Vermilion"])
    #expect(try found { !($0.objectID == ids[1]) } == ["Ochre", "Lead white", "Vermilion"])
    #expect(try found { $0.objectID.isIn([ids[3], ids[0]]) } == ["Ochre", "Vermilion"])
    #expect(try found { !$0.objectID.isIn(Set(ids.dropFirst())) } == ["Ochre"])
    #expect(try found { $0.objectID.isIn([]) } == [])
    #expect(
      try found { $0.objectID == ids[1] || $0.name == "Ochre" } == ["Ochre", "Ultramarine"])
    #expect(try found { $0.objectID == ids[1] && $0.name == "Ochre" } == [])
    let none: ManagedObjectID? = nil
    #expect(try found { $0.objectID == none } == [])
    #expect(try found { $0.objectID != none } == names)
    #expect(
      try context.fetch(Pigment.self, limit: 1) { $0.objectID != ids[0] }.map(\.name)
        == ["Ultramarine"])
  }

  @Test(
    "an id of another entity or of another store equals no object", .modelAsIs,
    arguments: bothStores)
  func others(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let pigment = try #require(try fill(context).first)
    let painter = Painter(context: context, name: "Anna")
    try context.save()
    let elsewhere = try fill(TestStore(kind).atelier().makeContext())[0].objectID
    // The key of the pigment, too.
    let id = try #require(ManagedObjectID(uri: pigment.objectID.description))
    let text = id.description.replacing("/Pigment/", with: "/Painter/")
    let unknown = id.description.replacing("/Pigment/", with: "/Brush/")
    let ids = [
      painter.objectID, elsewhere, try #require(ManagedObjectID(uri: text)),
      try #require(ManagedObjectID(uri: unknown)),
    ]
    for other in ids {
      #expect(try context.count(Pigment.self) { $0.objectID == other } == 0, "\(other)")
      #expect(try context.count(Pigment.self) { $0.objectID != other } == 4, "\(other)")
      #expect(try context.fetch(Pigment.self) { $0.objectID.isIn([other, id]) } == [pigment])
    }
    #expect(try context.fetch(Pigment.self) { $0.objectID == id } == [pigment])
  }

  @Test(
    "a condition finds unsaved objects by their temporary ids, also after the save",
    arguments: bothStores)
  func unsaved(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let saved = try fill(context)
    saved[0].name = "Yellow ochre"
    context.delete(saved[1])
    let new = Pigment(context: context, name: "Woad")
    let temporary = new.objectID
    func found(_ id: ManagedObjectID) throws -> [Pigment] {
      let found = try context.fetch(Pigment.self) { $0.objectID == id }
      #expect(try context.count(Pigment.self) { $0.objectID.isIn([id]) } == found.count)
      #expect(try context.count(Pigment.self) { $0.objectID != id } == 4 - found.count)
      #expect(try context.fetchIDs(Pigment.self) { $0.objectID == id } == found.map(\.objectID))
      return found
    }
    #expect(try found(temporary) == [new])
    #expect(try found(saved[0].objectID) == [saved[0]])
    #expect(try found(saved[1].objectID) == [])
    #expect(try found(saved[2].objectID) == [saved[2]])
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.name.ascending) {
        $0.objectID.isIn([temporary, saved[0].objectID, saved[3].objectID])
      } == [saved[3], new, saved[0]])
    // Another context does not know the temporary id.
    let other = container.makeContext()
    #expect(try other.count(Pigment.self) { $0.objectID == temporary } == 0)

    try context.save()
    #expect(new.objectID != temporary)
    #expect(try found(temporary) == [new])
    #expect(try found(new.objectID) == [new])
    #expect(try other.count(Pigment.self) { $0.objectID == temporary } == 0)
    new.price = 99
    #expect(try found(temporary) == [new])
    context.delete(new)
    try context.save()
    #expect(try context.count(Pigment.self) { $0.objectID == temporary } == 0)
  }

  @Test("a condition finds an object among many unsaved ones", arguments: bothStores)
  func manyUnsaved(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigments = (0..<100).map { Pigment(context: context, name: "\($0)") }
    let id = pigments[70].objectID
    #expect(try context.fetch(Pigment.self) { $0.objectID == id } == [pigments[70]])
    #expect(
      try context.fetch(Pigment.self) { $0.objectID == id && $0.name == "70" } == [pigments[70]])
    #expect(try context.count(Pigment.self) { $0.objectID != id } == 99)
  }

  @Test("an attribute cannot have an object as its value")
  func values() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let pigment = try fill(context)[0]
    let id = pigment.objectID
    for name in ["name", "price", "origin", "spectrum"] {
      for value in [id, PropertyValue.object(id)] as [Any] {
        let error = #expect(throws: PersistenceError.self) {
          try pigment.setValue(value, forKey: name)
        }
        #expect(error?.code == .wrongValueType)
      }
    }
    #expect(!pigment.hasChanges)
    for type in AttributeType.allCases { #expect(!type.accepts(.object(id)), "\(type)") }
    #expect(throws: ModelError.self) {
      try ManagedObjectModel(
        name: "Links",
        entities: [
          EntityDescription(
            "Link",
            attributes: [
              AttributeDescription("target", .string, defaultValue: .value(.object(id)))
            ])
        ])
    }
  }
}
