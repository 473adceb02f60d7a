import Copal
import CopalStore
import CopalTestSupport
import Testing

@Suite("The order in which a store deletes the rows of entities")
struct DeletionRankTests {
  /// A schema of entities, each with to-one relationships to others.
  private func ranks(_ references: [(String, [String])]) throws -> [String: Int] {
    let model = try ManagedObjectModel(
      name: "Ranks",
      entities: references.map { name, others in
        EntityDescription(
          name, attributes: [AttributeDescription("name", .string, isOptional: true)],
          relationships: others.map {
            RelationshipDescription("to\($0)", to: $0, isOptional: true)
          })
      })
    let schema = StoreSchema(model)
    return Dictionary(uniqueKeysWithValues: zip(schema.entities.map(\.name), schema.deletionRanks))
  }

  @Test("an entity comes after all that refer to it")
  func chain() throws {
    let ranks = try ranks([
      ("Painter", ["Town"]), ("Town", []), ("Painting", ["Painter", "Town"]),
      ("Frame", ["Painting"]), ("Pigment", []),
    ])
    for (one, other) in [
      ("Frame", "Painting"), ("Painting", "Painter"), ("Painting", "Town"), ("Painter", "Town"),
    ] {
      #expect(try #require(ranks[one]) < #require(ranks[other]))
    }
    #expect(ranks.values.sorted() == [0, 1, 2, 3, 4])
  }

  @Test("entities that refer to themselves or to each other have an order, too")
  func rings() throws {
    let ranks = try ranks([("A", ["B"]), ("B", ["C"]), ("C", ["A", "C"]), ("D", ["A"])])
    #expect(ranks.values.sorted() == [0, 1, 2, 3])
    #expect(try #require(ranks["D"]) < #require(ranks["A"]))
  }

  @Test("a chain of 10,000 entities needs no deep stack")
  func longChain() throws {
    let count = 10_000
    let ranks = try ranks((0..<count).map { ("E\($0)", $0 + 1 < count ? ["E\($0 + 1)"] : []) })
    #expect(ranks["E0"] == 0 && ranks["E\(count - 1)"] == count - 1)
  }
}
