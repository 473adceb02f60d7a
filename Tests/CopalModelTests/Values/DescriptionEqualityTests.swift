import CopalModel
import Testing

@Suite("Equal models")
struct DescriptionEqualityTests {
  /// The members of a model, each with another value.
  static let changes: [(from: String, to: String)] = [
    (#""model": "Atelier""#, #""model": "Museum""#), (#""version": 2"#, #""version": 3"#),
    (#""imports": ["CopalColor"]"#, #""imports": []"#),
    (#""access": "public""#, #""access": "internal""#),
    (#""doc": "All""#, #""doc": "Most""#),
    (#""owner": "Ada""#, #""owner": "Eve""#),
    (#""removed": ["Old"]"#, #""removed": ["Older"]"#),
    (#""title": "string""#, #""title": "string?""#),
    (#""inverse": "paintings""#, #""inverse": "paintings", "delete": "deny""#),
  ]

  static let text = #"""
    { "copal": 1, "model": "Atelier", "version": 2, "imports": ["CopalColor"], "access": "public",
      "doc": "All", "userInfo": { "owner": "Ada" }, "removed": ["Old"],
      "entities": {
        "Painter": { "attributes": { "name": "string" },
          "relationships": { "paintings": { "type": "[Painting]", "inverse": "painter" } } },
        "Painting": { "attributes": { "title": "string" },
          "relationships": { "painter": { "type": "Painter?", "inverse": "paintings" } } } } }
    """#

  @Test("two models of one text are equal, and so are their hashes")
  func sameTextIsEqual() throws {
    let model = try ManagedObjectModel(json: Self.text, file: "a")
    let other = try ManagedObjectModel(json: Self.text, file: "b")
    #expect(model == other && model.hashValue == other.hashValue)
    #expect(Set([model, other]).count == 1)
    let painting = try #require(model.entity("Painting"))
    #expect(Set(model.entities + other.entities).count == 2)
    #expect(Set(painting.attributes + other.entities[1].attributes).count == 1)
  }

  @Test("a model with another value of one member is another model", arguments: changes)
  func eachMemberCounts(_ change: (from: String, to: String)) throws {
    #expect(Self.text.contains(change.from))
    let model = try ManagedObjectModel(json: Self.text, file: "a")
    let text = Self.text.replacing(change.from, with: change.to)
    #expect(try ManagedObjectModel(json: text, file: "a") != model)
  }
}
