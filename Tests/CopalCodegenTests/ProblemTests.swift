import CopalCodegen
import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("Problems of the code generator")
struct ProblemTests {
  /// Entities of a model `Atelier` from line 2 on, and the location, subject and name of the clash.
  static let clashes: [(entities: String, clash: String)] = [
    (#""AtelierModel": { "attributes": {} }"#, "2:1: AtelierModel 'AtelierModel'"),
    (#""atelier": { "attributes": {} }"#, "2:1: atelier 'atelier'"),
    (#""name": { "attributes": {} }"#, "2:1: name 'name'"),
    (
      """
      "Pigment": { "attributes": {
        "origin": { "type": "uri?", "accessor": "custom" },
        "primitiveOrigin": "uri?"
      } }
      """, "3:3: Pigment.origin 'primitiveOrigin'"
    ),
    (
      """
      "Pigment": {
        "attributes": { "primitiveMaker": "string" },
        "relationships": { "maker": { "type": "Pigment?", "accessor": "custom" } }
      }
      """, "4:22: Pigment.maker 'primitiveMaker'"
    ),
    (
      """
      "Pigment": { "attributes": { "origin": { "type": "uri?", "accessor": "custom" } } },
      "Lake": { "parent": "Pigment", "attributes": { "primitiveOrigin": "uri?" } }
      """, "3:48: Lake.primitiveOrigin 'primitiveOrigin'"
    ),
    (
      """
      "Pigment": { "identity": "code", "attributes": { "code": "string" } },
      "Lake": { "parent": "Pigment", "attributes": { "id": "integer" } }
      """, "3:48: Lake.id 'id'"
    ),
    (
      """
      "Pigment": { "attributes": {
        "a": { "type": "transformable", "class": "Color", "transformer": "CoreUI.Color" },
        "b": { "type": "transformable", "class": "Color", "transformer": "coreUIColor" }
      } }
      """, "4:53: Pigment.b 'coreUIColor'"
    ),
    (
      #""Pigment": { "attributes": { "a": { "type": "transformable?", "class": "[Properties]", "transformer": "T" } } }"#,
      "2:30: Pigment.a 'Properties'"
    ),
  ]

  @Test(
    "the generator reports two parts of a model that get the same name in Swift", arguments: clashes
  )
  func clash(entities: String, clash: String) throws {
    let found = try problems(
      #"{ "copal": 1, "model": "Atelier", "entities": {"# + "\n\(entities)\n} }")
    let parts = clash.split(separator: " ")
    #expect(
      found == [
        "Atelier.model.json:\(parts[0]) error: \(parts[1]): the generated code already contains "
          + "the name \(parts[2]); rename one of them [codegen.nameClash]"
      ])
  }

  static let transformableID = """
    { "copal": 1, "model": "Atelier", "entities": { "Pigment": { "attributes": {
      "id": { "type": "transformable", "class": "Color", "transformer": "T" }
    } } } }
    """

  @Test("the generator refuses a transformable attribute with the name id")
  func transformableCalledID() throws {
    let found = try problems(Self.transformableID)
    #expect(
      found == [
        "Atelier.model.json:2:3: error: Pigment.id: a transformable attribute cannot be the identity "
          + "of a class, because its values need not be Hashable; rename it [codegen.transformableID]"
      ])
  }

  @Test("the generator refuses a transformable attribute as the identity")
  func transformableIdentity() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": { "Pigment": {
        "identity": "color",
        "attributes": { "color": { "type": "transformable", "class": "Color", "transformer": "T" } }
      } } }
      """)
    #expect(
      found == [
        "Atelier.model.json:3:19: error: Pigment.color: a transformable attribute cannot be the identity "
          + "of a class, because its values need not be Hashable; name another attribute as "
          + "\"identity\" [codegen.transformableID]"
      ])
  }

  @Test("every code is in the tables above, and the guide to errors shows one of its sentences")
  func everyCode() throws {
    let models =
      [Self.transformableID]
      + Self.clashes.map { #"{ "copal": 1, "model": "Atelier", "entities": { \#($0.entities) } }"# }
    let ofSeveralModels =
      try problemsOf(
        model: "Shelf",
        beside: #"{ "copal": 1, "model": "Shelf", "entities": { "Jar": {} } }"#)
      + problemsWithoutProduct()
    let sentences = try (models.map { try problems($0) }.joined() + ofSeveralModels)
      .map { $0.components(separatedBy: ": error: ")[1] }
    #expect(try ErrorPage.missing(CodegenError.Code.all.map(\.rawValue), of: sentences) == [])
  }

  static let shelf = """
    { "copal": 1,
      "model": "NAME",
      "imports": ["Foundation", "CopalColor"],
      "entities": {
        "Jar": { "attributes": { "label": "string" } },
        "Lid": { "codegen": "none", "attributes": { "label": "string" } }
      } }
    """

  private func problemsOf(model name: String, beside other: String) throws -> [String] {
    let (json, file) = (Self.shelf.replacing("NAME", with: name), "Shelf.model.json")
    var generator = CodeGenerator(
      try ManagedObjectModel(json: json, file: file), file: file, text: json)
    generator.otherModels = [("Old.model.json", try ManagedObjectModel(json: other, file: ""))]
    do {
      _ = try generator.swiftText()
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test("another model of the target with the same name", arguments: ["Shelf", "ShelfModel"])
  func otherModel(name: String) throws {
    let found = try problemsOf(
      model: "Shelf", beside: #"{ "copal": 1, "model": "\#(name)", "entities": {} }"#)
    #expect(
      found == [
        "Shelf.model.json:2:3: error: another model of the target has the name 'Shelf' too: "
          + "Old.model.json; give one of them another \"model\" [codegen.duplicateModel]"
      ])
  }

  @Test("a class that another model of the target has too")
  func otherClass() throws {
    let other = #"""
      { "copal": 1, "model": "Old", "entities": {
        "Pot": { "class": "Jar" },
        "Cap": { "class": "Lid" }
      } }
      """#
    #expect(
      try problemsOf(model: "Shelf", beside: other) == [
        "Shelf.model.json:5:5: error: Jar: another model of the target has a class 'Jar' too: "
          + "Old.model.json; give one of them another \"class\" [codegen.duplicateClass]"
      ])
  }

  private func problemsWithoutProduct() throws -> [String] {
    let file = "Shelf.model.json"
    let json = Self.shelf.replacing("NAME", with: "Shelf")
    var generator = CodeGenerator(
      try ManagedObjectModel(json: json, file: file), file: file, text: json)
    generator.missingProduct = .init(
      "CopalColor", target: "Kitchen",
      dependency: #".product(name: "CopalColor", package: "Copal")"#)
    let error = #expect(throws: CodegenError.self) { try generator.swiftText() }
    return error?.problems.map(\.description) ?? []
  }

  @Test("an import of a product that the target does not depend on")
  func missingProduct() throws {
    #expect(
      try problemsWithoutProduct() == [
        "Shelf.model.json:3:29: error: the model imports 'CopalColor', but the target 'Kitchen' "
          + "does not depend on it; add .product(name: \"CopalColor\", package: \"Copal\") to the "
          + "dependencies of the target in Package.swift [codegen.missingProduct]"
      ])
  }

  @Test("a class of another module may have any name")
  func otherModule() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": { "Pigment": { "attributes": {
        "a": { "type": "transformable", "class": "Paint.Properties", "transformer": "T" }
      } } } }
      """)
    #expect(found.isEmpty)
  }
}
