import CopalModel
import Testing

@Suite("Indexes in a model")
struct IndexReadingTests {
  private static func model(_ indexes: String) -> String {
    """
    { "copal": 1, "model": "Atelier", "entities": { "Pigment": {
      "attributes": { "name": "string", "date": "date?", "desc": "integer" },
      "indexes": [\(indexes)] } } }
    """
  }

  static let read: [(indexes: String, index: IndexDescription, canonical: String)] = [
    (#""date""#, IndexDescription(["date"]), #""date""#),
    (#""date asc""#, IndexDescription(["date"]), #""date""#),
    (#""date desc""#, IndexDescription(["date"], descending: ["date"]), #""date desc""#),
    (
      #"["date desc", "name"]"#, IndexDescription(["date", "name"], descending: ["date"]),
      #"["date desc", "name"]"#
    ),
    (#"["desc desc"]"#, IndexDescription(["desc"], descending: ["desc"]), #""desc desc""#),
  ]

  @Test("an attribute is ascending or descending, and the canonical form says so", arguments: read)
  func directions(indexes: String, index: IndexDescription, canonical: String) throws {
    let model = try ManagedObjectModel(json: Self.model(indexes), file: "Atelier.model.json")
    #expect(model.entities[0].indexes == [index])
    let text = model.canonicalJSON.filter { $0 != "\n" && $0 != " " }
    #expect(text.contains(#""indexes":[\#(canonical.filter { $0 != " " })]"#))
    #expect(try ManagedObjectModel(json: model.canonicalJSON, file: "").entities == model.entities)
  }

  static let refused: [(indexes: String, problem: String)] = [
    (#""date dsc""#, "unknown keyword 'dsc' for \"indexes\" of Pigment; did you mean 'asc'?"),
    (#""date descending""#, "unknown keyword 'descending' for \"indexes\" of Pigment"),
    (#""date  desc""#, "unknown keyword ' desc' for \"indexes\" of Pigment"),
    (#""dat desc""#, "'dat'"),
    (#"["date", "date desc"]"#, "lists 'date' twice"),
    (#""date desc", ["date desc"]"#, "lists (date desc) twice"),
  ]

  @Test("another word, an unknown attribute and a repeated one are refused", arguments: refused)
  func problems(indexes: String, problem: String) throws {
    let found = CopalModelTests.problems(in: Array(Self.model(indexes).utf8))
    #expect(found.count == 1 && found.first?.description.contains(problem) == true, "\(found)")
  }

  @Test("indexes of other directions are other indexes")
  func distinct() throws {
    let text = Self.model(#""date", "date desc", ["name", "date desc"]"#)
    let model = try ManagedObjectModel(json: text, file: "")
    #expect(model.entities[0].indexes.count == 3)
    let unique = text.replacing("indexes", with: "unique")
    #expect(
      CopalModelTests.problems(in: Array(unique.utf8)).map(\.code).contains(.unknownAttribute))
  }

  // MARK: Unique constraints

  private static func unique(_ constraints: String) -> String {
    """
    { "copal": 1, "model": "Atelier", "entities": { "Pigment": {
      "attributes": {
        "name": { "type": "string", "search": ["normalized", "case"] }, "number": "integer"
      },
      "unique": [\(constraints)] } } }
    """
  }

  @Test(
    "a unique constraint can ignore case, or case and diacritics",
    arguments: [
      (#""name""#, UniqueConstraintDescription(["name"]), #""name""#),
      (
        #"{ "attribute": "name", "ignoring": ["case"] }"#,
        UniqueConstraintDescription(["name"], ignoring: ["name": [.case]]),
        #"{"attribute":"name","ignoring":["case"]}"#
      ),
      (
        #"["number", { "attribute": "name", "ignoring": ["diacritics", "case"] }]"#,
        UniqueConstraintDescription(["number", "name"], ignoring: ["name": [.case, .diacritics]]),
        #"["number",{"attribute":"name","ignoring":["case","diacritics"]}]"#
      ),
    ])
  func ignoring(
    constraint: String, description: UniqueConstraintDescription, canonical: String
  ) throws {
    let model = try ManagedObjectModel(json: Self.unique(constraint), file: "")
    #expect(model.entities[0].uniqueConstraints == [description])
    let text = model.canonicalJSON.filter { $0 != "\n" && $0 != " " }
    #expect(text.contains(#""unique":[\#(canonical)]"#), "\(text)")
    #expect(try ManagedObjectModel(json: model.canonicalJSON, file: "").entities == model.entities)
  }

  @Test(
    "what is wrong about a unique constraint that ignores something",
    arguments: [
      (#"{ "attribute": "name" }"#, "the key 'ignoring' is missing in Pigment; add it"),
      (#"{ "ignoring": ["case"] }"#, "the key 'attribute' is missing in Pigment; add it"),
      (
        #"{ "attribute": "name", "ignoring": "case" }"#,
        "\"ignoring\" of Pigment: found a string; expected an array of what is ignored"
      ),
      (
        #"{ "attribute": "name", "ignoring": [] }"#,
        "\"ignoring\" of Pigment contains an empty list; name \"case\", or remove the list"
      ),
      (
        #"{ "attribute": "name", "ignoring": ["cases"] }"#,
        "unknown keyword 'cases' for \"ignoring\" of Pigment; did you mean 'case'?"
      ),
      (#"{ "attribute": "nam", "ignoring": ["case"] }"#, "'nam'"),
      (
        #""name", { "attribute": "name", "ignoring": ["case"], "x": 1 }"#,
        "unknown key 'x' in Pigment"
      ),
      (
        #"{ "attribute": "name", "ignoring": ["case"] }, { "attribute": "name", "ignoring": ["case"] }"#,
        "lists (name ignoring case) twice"
      ),
    ])
  func ignoringProblems(constraint: String, problem: String) {
    let found = CopalModelTests.problems(in: Array(Self.unique(constraint).utf8))
    #expect(found.count == 1 && found.first?.description.contains(problem) == true, "\(found)")
  }
}
