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
    #expect(
      words("$defs", "attribute", "properties", "storage", "enum")
        == Set(StorageType.allCases.map(\.rawValue)))
    #expect(
      words("$defs", "relationship", "properties", "delete", "enum")
        == Set(RelationshipDescription.DeleteRule.allCases.map(\.rawValue)))
  }
}
