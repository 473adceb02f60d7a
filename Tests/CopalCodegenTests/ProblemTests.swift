import Testing

@Suite("What cannot be generated is told at its line")
struct ProblemTests {
  @Test("What no container serves yet, of an entity without code too")
  func notYet() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "version": 2, "entities": {
        "Person": { "abstract": true,
          "attributes": { "name": "string" },
          "relationships": {
            "friends": { "type": "[Person]", "inverse": "friends" }
          }
        },
        "Painter": {
          "parent": "Person"
        },
        "Collector": { "codegen": "none", "parent": "Person", "renamedFrom": "Buyer",
          "attributes": { "funds": { "type": "decimal", "renamedFrom": "money" } }
        }
      } }
      """)
    #expect(
      found == [
        "Atelier.model.json:1:35: error: this version does not support migration between versions "
          + "of a model (version 2); remove \"version\" [codegen.migration]",
        "Atelier.model.json:2:15: error: Person: this version does not support abstract entities; "
          + "remove \"abstract\" [codegen.inheritance]",
        "Atelier.model.json:5:7: error: Person.friends: this version does not support "
          + "relationships; remove it [codegen.relationship]",
        "Atelier.model.json:9:5: error: Painter: this version does not support inheritance (the "
          + "parent 'Person'); write the parent's attributes out in Painter [codegen.inheritance]",
        "Atelier.model.json:11:37: error: Collector: this version does not support inheritance "
          + "(the parent 'Person'); write the parent's attributes out in Collector "
          + "[codegen.inheritance]",
        "Atelier.model.json:11:57: error: Collector: this version does not support renaming "
          + "('Buyer' before); remove \"renamedFrom\" [codegen.migration]",
        "Atelier.model.json:12:51: error: Collector.funds: this version does not support renaming "
          + "('money' before); remove \"renamedFrom\" [codegen.migration]",
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
      #""Pigment": { "attributes": { "a": { "type": "transformable?", "class": "[Properties]", "transformer": "T" } } }"#,
      "2:30: Pigment.a 'Properties'"
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
        "a": { "type": "transformable", "class": "Paint.Properties", "transformer": "T" }
      } } } }
      """)
    #expect(found.isEmpty)
  }
}
