import CopalModel
import Testing

@Suite("The JSON Schema of model files")
struct JSONSchemaTests {
  private func problems(of path: String) throws -> [String] {
    let schema = try JSONNode(
      json: Repository.text("Models/copal-model.schema.json"), file: "schema")
    let model = try JSONNode(json: Repository.text(path), file: path)
    return try JSONSchemaValidator(schema: schema).problems(of: model)
  }

  @Test(
    "the JSON Schema accepts every good model of the repository",
    arguments: try Repository.goodModels())
  func goodModels(path: String) throws {
    #expect(try problems(of: path) == [])
  }

  @Test(
    "the JSON Schema refuses models of another form",
    arguments: [
      "emptyList", "invalidImport", "invalidName", "invalidRelationshipType", "missingKey",
      "newerFormat", "nullDefault", "outOfRange", "repeatedName", "unknownKey", "unknownType",
      "unknownKeyword", "wrongType",
    ])
  func brokenModels(name: String) throws {
    #expect(try problems(of: "Models/Broken/\(name).model.json") != [])
  }

  /// Members of a to-many relationship, and whether the schema accepts them.
  static let keysOfRelationships: [(members: String, isValid: Bool)] = [
    (#""optional": false, "orphans": "delete", "prefetch": true"#, true),
    (#""sort": "-title""#, true),
    (#""sort": ["title", "-jahrGrößer"], "minimum": 0, "maximum": 1"#, true),
    (#""inverse": "painter""#, true),
    (#""sort": []"#, false),
    (#""sort": ["title", "title"]"#, false),
    (#""sort": "--title""#, false),
    (#""sort": "-""#, false),
    (#""sort": ["title", 1]"#, false),
    (#""sort": { "title": 1 }"#, false),
    (#""orphans": "remove""#, false),
    (#""prefetch": 1"#, false),
    (#""maximum": 0"#, false),
    (#""minimum": -1"#, false),
    (#""orphan": "delete""#, false),
  ]

  @Test(
    "the JSON Schema accepts the keys of a relationship as the reader does",
    arguments: keysOfRelationships)
  func relationships(members: String, isValid: Bool) throws {
    let schema = try JSONNode(
      json: Repository.text("Models/copal-model.schema.json"), file: "schema")
    let json = """
      { "copal": 1, "model": "Atelier", "entities": {
        "Painter": { "relationships": { "paintings": { "type": "[Painting]", \(members) } } },
        "Painting": {
          "attributes": { "title": "string", "jahrGrößer": "integer" },
          "relationships": { "painter": { "type": "Painter?", "inverse": "paintings" } } } } }
      """
    let model = try JSONNode(json: json, file: "Test.model.json")
    #expect(try JSONSchemaValidator(schema: schema).problems(of: model).isEmpty == isValid)
    let codes = CopalModelTests.problems(in: Array(json.utf8)).map(\.code)
      // The schema does not compare the parts of a file with each other.
      .filter { $0 != .missingInverse && $0 != .notOwner }
    #expect(codes.isEmpty == isValid)
  }

  @Test("the JSON Schema has the same types and keywords as the reader")
  func words() throws {
    let schema = try JSONNode(
      json: Repository.text("Models/copal-model.schema.json"), file: "schema")
    func words(_ path: String...) -> Set<String> {
      let node = path.reduce(schema) { $0[$1] ?? JSONNode(.null) }
      guard case .array(let elements) = node.kind else { return [] }
      return Set(elements.compactMap { if case .string(let text) = $0.kind { text } else { nil } })
    }
    let types = AttributeType.allCases.map(\.rawValue)
    #expect(words("$defs", "attributeType", "enum") == Set(types + types.map { $0 + "?" }))
    #expect(
      words("properties", "access", "enum")
        == Set(ManagedObjectModel.Access.allCases.map(\.rawValue)))
    #expect(
      words("$defs", "entity", "properties", "codegen", "enum")
        == Set(EntityDescription.Codegen.allCases.map(\.rawValue)))
    for kind in ["entity", "attribute", "relationship"] {
      #expect(
        words("$defs", kind, "properties", "set", "enum")
          == Set(AttributeDescription.SetAccess.allCases.map(\.rawValue)))
    }
    #expect(
      words("$defs", "attribute", "properties", "storage", "enum")
        == Set(StorageType.allCases.map(\.rawValue)))
    #expect(
      words("$defs", "relationship", "properties", "delete", "enum")
        == Set(RelationshipDescription.DeleteRule.allCases.map(\.rawValue)))
    #expect(
      words("$defs", "relationship", "properties", "orphans", "enum")
        == Set(RelationshipDescription.OrphanRule.allCases.map(\.rawValue)))
  }
}
