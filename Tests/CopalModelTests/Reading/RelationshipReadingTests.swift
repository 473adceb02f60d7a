import CopalModel
import Testing

@Suite("Relationships of a model file")
struct RelationshipReadingTests {
  /// A model of painters and paintings, with the text of `Painter.paintings`.
  private func model(
    paintings: String, painter: String = #"{ "type": "Painter?", "inverse": "paintings" }"#
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "Atelier", "entities": {
          "Painter": { "relationships": { "paintings": \(paintings) } },
          "Painting": {
            "attributes": { "title": "string", "year": "integer16?" },
            "relationships": { "painter": \(painter) }
          } } }
        """, file: "Test.model.json")
  }

  private func paintings(_ members: String) throws -> RelationshipDescription {
    let text = #"{ "type": "[Painting]", "inverse": "painter"\#(members) }"#
    return try #require(try model(paintings: text).entity("Painter")?.relationship("paintings"))
  }

  /// The text of `Painter.paintings` in the canonical form, on one line.
  private func canonical(_ members: String) throws -> String {
    let text = #"{ "type": "[Painting]", "inverse": "painter"\#(members) }"#
    let lines = try model(paintings: text).canonicalJSON.split(separator: "\n")
    let first = try #require(lines.firstIndex { $0.contains(#""paintings": {"#) })
    let last = try #require(lines[first...].firstIndex { $0.contains("}") })
    return lines[first...last].map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  @Test func `a relationship may have no inverse, also in its short form`() throws {
    for type in ["Painting", "Painting?", "[Painting]"] {
      let short = try model(paintings: "\"\(type)\"", painter: #""Painter""#)
      let long = try model(paintings: #"{ "type": "\#(type)" }"#, painter: #""Painter""#)
      #expect(short == long)
      #expect(short.entity("Painter")?.relationship("paintings")?.inverse == nil)
      #expect(short.canonicalJSON.contains(#""paintings": "\#(type)""#))
    }
  }

  @Test func `the order, the rule for orphans and prefetching are read`() throws {
    let plain = try paintings("")
    #expect(plain.sortKeys == [] && plain.orphanRule == .keep && !plain.isPrefetched)
    #expect(
      try paintings(#", "sort": ["title", "-year"], "orphans": "delete", "prefetch": true"#)
        == RelationshipDescription(
          "paintings", to: "Painting", isToMany: true,
          sortKeys: [.ascending("title"), .descending("year")], inverse: "painter",
          orphanRule: .delete, isPrefetched: true))
    #expect(try paintings(#", "sort": "-year""#).sortKeys == [.descending("year")])
    #expect(try paintings(#", "orphans": "keep", "prefetch": false"#) == plain)
  }

  @Test(
    "the canonical form writes the keys of a relationship in a fixed order, and no defaults",
    arguments: [
      (#", "orphans": "keep", "prefetch": false, "optional": true"#, ""),
      (#", "sort": ["title"]"#, #""sort": "title", "#),
      (#", "sort": ["-year", "title"]"#, #""sort": ["-year", "title"], "#),
    ])
  func canonicalSort(members: String, text: String) throws {
    #expect(
      try canonical(members)
        == #""paintings": { "type": "[Painting]", \#(text)"inverse": "painter" }"#)
  }

  @Test func `the canonical form has every key of a relationship`() throws {
    #expect(
      try canonical(
        #", "prefetch": true, "maximum": 9, "optional": false, "orphans": "delete", "sort": "-year""#
      )
        == #""paintings": { "type": "[Painting]", "sort": "-year", "inverse": "painter", "#
        + #""orphans": "delete", "minimum": 1, "maximum": 9, "prefetch": true }"#)
  }

  @Test(
    "a to-many relationship may be empty unless it has a minimum, and not optional is a minimum of 1",
    arguments: [
      ("", true, nil, nil), (#", "optional": true"#, true, nil, nil),
      (#", "optional": false"#, false, 1, 1...Int.max),
      (#", "optional": false, "maximum": 3"#, false, 1, 1...3),
      (#", "minimum": 0"#, true, 0, nil), (#", "minimum": 1"#, false, 1, 1...Int.max),
      (#", "minimum": 2, "maximum": 2"#, false, 2, 2...2), (#", "maximum": 5"#, true, nil, 0...5),
    ] as [(String, Bool, Int?, ClosedRange<Int>?)])
  func counts(members: String, isOptional: Bool, minimum: Int?, range: ClosedRange<Int>?) throws {
    let relationship = try paintings(members)
    #expect(relationship.isOptional == isOptional)
    #expect(relationship.minimumCount == minimum)
    #expect(relationship.countRange == range)
  }

  @Test func `a to-many relationship made by a program is the same as one that was read`() throws {
    func made(_ isOptional: Bool?, _ minimum: Int?) -> RelationshipDescription {
      RelationshipDescription(
        "paintings", to: "Painting", isToMany: true, isOptional: isOptional, inverse: "painter",
        minimumCount: minimum)
    }
    #expect(made(nil, nil) == (try paintings("")))
    #expect(made(true, nil) == (try paintings("")))
    #expect(made(false, nil) == (try paintings(#", "optional": false"#)))
    #expect(made(nil, 2) == (try paintings(#", "minimum": 2"#)))
    #expect(made(false, 2) == (try paintings(#", "minimum": 2"#)))
    // Changed afterwards, the relationship is read as a model file would be.
    var changed = made(nil, nil)
    changed.isOptional = false
    let model = try ManagedObjectModel(
      name: "Atelier",
      entities: [
        EntityDescription("Painter", relationships: [changed]),
        EntityDescription(
          "Painting",
          relationships: [
            RelationshipDescription(
              "painter", to: "Painter", isOptional: true, inverse: "paintings")
          ]),
      ])
    #expect(model.entity("Painter")?.relationship("paintings")?.minimumCount == 1)
    #expect(changed.countRange == 1...Int.max)
  }

  @Test func `a to-one relationship has no numbers`() {
    #expect(RelationshipDescription("painter", to: "Painter").countRange == nil)
    #expect(!RelationshipDescription("painter", to: "Painter").isOptional)
  }

  @Test func `the objects of a to-one relationship whose inverse is to-one can be orphans`() throws
  {
    let model = try model(
      paintings: #"{ "type": "Painting?", "inverse": "painter", "orphans": "delete" }"#)
    #expect(model.entity("Painter")?.relationship("paintings")?.orphanRule == .delete)
  }

  @Test func `what a save or a reader of objects uses does not change the layout`() throws {
    let text = #"{ "type": "[Painting]", "inverse": "painter""#
    let plain = try model(paintings: text + "}")
    let other = try model(
      paintings: text
        + #", "sort": "title", "orphans": "delete", "prefetch": true, "minimum": 1, "maximum": 9"#
        + "}")
    #expect(plain != other)
    for index in plain.entities.indices {
      #expect(plain.layoutHash(ofEntity: index) == other.layoutHash(ofEntity: index))
    }
  }

  @Test func `the model of a store is read without the keys that do not concern a store`() throws {
    let model = try model(
      paintings:
        #"{ "type": "[Painting]", "sort": "title", "inverse": "painter", "delete": "deny", "#
        + #""orphans": "delete", "minimum": 1, "maximum": 9, "prefetch": true }"#)
    // A later version may know more rules, and refuse some numbers.
    let json = model.canonicalJSON
      .replacing(#""orphans": "delete""#, with: #""orphans": "archive""#)
      .replacing(#""maximum": 9"#, with: #""maximum": -9"#)
    #expect(json != model.canonicalJSON)
    let stored = try ManagedObjectModel(stored: json)
    #expect(
      stored.entity("Painter")?.relationship("paintings")
        == RelationshipDescription(
          "paintings", to: "Painting", isToMany: true, inverse: "painter", deleteRule: .deny))
  }
}
