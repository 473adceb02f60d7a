import Testing

@Suite("What cannot be generated is told at its line")
struct ProblemTests {
  @Test("Inheritance and relationships, but not those of an entity without code")
  func notYet() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": {
        "Person": {
          "attributes": { "name": "string" },
          "relationships": {
            "friends": { "type": "[Person]", "inverse": "friends" }
          }
        },
        "Painter": {
          "parent": "Person"
        },
        "Collector": { "codegen": "none", "parent": "Person" }
      } }
      """)
    #expect(
      found == [
        "Atelier.model.json:5:7: error: Person.friends: code for relationships is not generated in "
          + "this version; remove it, or set \"codegen\": \"none\" for the entity "
          + "[codegen.relationship]",
        "Atelier.model.json:9:5: error: Painter: code for an entity with a parent ('Person') is not "
          + "generated in this version; write its attributes out, or set \"codegen\": \"none\" "
          + "[codegen.inheritance]",
      ])
  }

  /// Entities of a model `Atelier` from line 2 on, and the place, subject and name of the clash.
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
      "Pigment": { "attributes": {
        "a": { "type": "transformable", "class": "Color", "transformer": "CoreUI.Color" },
        "b": { "type": "transformable", "class": "Color", "transformer": "coreUIColor" }
      } }
      """, "4:53: Pigment.b 'coreUIColor'"
    ),
    (
      #""Pigment": { "attributes": { "a": { "type": "transformable?", "class": "[Attributes]", "transformer": "T" } } }"#,
      "2:30: Pigment.a 'Attributes'"
    ),
  ]

  @Test("Two things with one name in the generated code", arguments: clashes)
  func clash(entities: String, clash: String) throws {
    let found = try problems(
      #"{ "copal": 1, "model": "Atelier", "entities": {"# + "\n\(entities)\n} }")
    let parts = clash.split(separator: " ")
    #expect(
      found == [
        "Atelier.model.json:\(parts[0]) error: \(parts[1]): the generated code has another "
          + "\(parts[2]) already; rename one of them [codegen.nameClash]"
      ])
  }

  @Test("A transformable called id")
  func transformableID() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": { "Pigment": { "attributes": {
        "id": { "type": "transformable", "class": "Color", "transformer": "T" }
      } } } }
      """)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("Atelier.model.json:2:3: error: Pigment.id: ") == true)
    #expect(found.first?.hasSuffix(" [codegen.transformableID]") == true)
  }

  @Test("A class from another module may have any name")
  func otherModule() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": { "Pigment": { "attributes": {
        "a": { "type": "transformable", "class": "Paint.Attributes", "transformer": "T" }
      } } } }
      """)
    #expect(found.isEmpty)
  }
}
