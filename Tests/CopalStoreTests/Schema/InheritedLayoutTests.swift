import Copal
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Testing

@Suite("Layouts along the line of inheritance")
struct InheritedLayoutTests {
  private static func model(
    ofPersons extra: [AttributeDescription] = [], ofRestorers: [AttributeDescription] = []
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      name: "Studio",
      entities: [
        EntityDescription(
          "Restorer", parent: "Painter",
          attributes: [AttributeDescription("rate", .double)] + ofRestorers),
        EntityDescription(
          "Person",
          attributes: [
            AttributeDescription(
              "greeting", .string, isOptional: true, isTransient: true, dependsOn: ["name"]),
            AttributeDescription("name", .string),
          ] + extra, uniqueConstraints: [["name"]]),
        EntityDescription(
          "Painter", parent: "Person",
          attributes: [AttributeDescription("style", .string, isOptional: true)],
          relationships: [
            RelationshipDescription("teacher", to: "Painter", isOptional: true, inverse: "pupils"),
            RelationshipDescription("pupils", to: "Painter", isToMany: true, inverse: "teacher"),
          ]),
      ])
  }

  @Test(
    "the slots of an entity begin with those of its parent; in a segment, transients come last",
    arguments: [
      ("Person", ["name", "greeting"], [0]),
      ("Painter", ["name", "greeting", "style", "teacher"], [0, 2, 3]),
      ("Restorer", ["name", "greeting", "style", "teacher", "rate"], [0, 2, 3, 4]),
    ])
  func slots(entity: String, names: [String], columns: [Int]) throws {
    let layout = try #require(StoreSchema(try Self.model()).layout(entity))
    #expect(layout.slots.map(\.propertyName) == names)
    #expect(layout.columns.map(\.slot) == columns)
    #expect(Array(layout.storedSlots) == columns)
    #expect(layout.transientSlots == [1])
    #expect(layout.slotByName["name"] == 0)
    #expect(layout.dependents[0] == [1])
    #expect(layout.uniqueConstraints.map(\.slots) == [[0]])
  }

  @Test("a schema knows the root, the ancestors and the subentities of each entity")
  func family() throws {
    let schema = StoreSchema(try Self.model())
    let (restorer, person, painter) = (0, 1, 2)
    #expect(schema.entities.map(\.root) == [person, person, person])
    #expect(schema.entities.map(\.ancestors) == [[person, painter], [], [person]])
    #expect(schema.descendants == [[], [restorer, painter], [restorer]])
  }

  @Test("an accessor of the parent reads the row of a subentity at the same slot")
  func readThroughParent() throws {
    let schema = StoreSchema(try Self.model())
    let layout = try #require(schema.layout("Restorer"))
    let parent = try #require(schema.layout("Person"))
    let row = try PackedRow.of(
      layout, ["name": .string("Rosa Bonheur"), "rate": .double(12.5), "teacher": .integer(7)],
      version: 3)
    withExtendedLifetime(row) {
      #expect(parent.value(row.base, 0) == .string("Rosa Bonheur"))
      #expect(PackedRowValues.isNull(row.base, 1))
      #expect(PackedRowValues.isNull(row.base, 2))
      #expect(PackedRowValues.integer(row.base, 3) == 7)
      #expect(layout.value(row.base, 4) == .double(12.5))
    }
  }

  @Test("the layout hash of an entity changes with an attribute of any ancestor, and with no other")
  func hashes() throws {
    let email = [AttributeDescription("email", .string, isOptional: true)]
    let model = try Self.model()
    let (restorer, person, painter) = (0, 1, 2)
    func changed(_ other: ManagedObjectModel) -> [Int] {
      model.entities.indices.filter {
        model.layoutHash(ofEntity: $0) != other.layoutHash(ofEntity: $0)
      }
    }
    #expect(changed(try Self.model()) == [])
    #expect(changed(try Self.model(ofPersons: email)) == [restorer, person, painter])
    #expect(changed(try Self.model(ofRestorers: email)) == [restorer])
  }
}
