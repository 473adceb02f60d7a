import CopalModel
import Testing

@Suite("The key project")
struct ProjectionKeyTests {
  private func model(_ project: String, attribute: String = "", entity: String = "")
    throws(ModelError)
    -> ManagedObjectModel
  {
    try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "M", "entities": { "Paint": { \(entity) "attributes": {
          "color": { "type": "transformable?", "transformer": "T", "class": "Color",
            \(attribute) "project": \(project) } } } } }
        """, file: "M.model.json")
  }

  @Test("projections are read in their order, and written in the canonical form")
  func read() throws {
    let json = #"{ "lightness": "double", "name": "string", "isDark": "boolean" }"#
    let model = try model(json, entity: #""indexes": ["color.lightness", ["color.name desc"]],"#)
    let attribute = try #require(model.entities[0].attributes.first)
    #expect(
      attribute.projections == [
        ProjectionDescription("lightness", .double), ProjectionDescription("name", .string),
        ProjectionDescription("isDark", .boolean),
      ])
    #expect(
      model.entities[0].indexes.map(\.directedAttributes) == [
        ["color.lightness"], ["color.name desc"],
      ])
    #expect(model.canonicalJSON.contains("\"project\""))
    let again = try ManagedObjectModel(json: model.canonicalJSON, file: "M.model.json")
    #expect(again.entities[0].attributes.first?.projections == attribute.projections)
    #expect(
      model.slots(ofEntity: 0).suffix(3) == [
        .projection(attribute.projections[0], of: "color"),
        .projection(attribute.projections[1], of: "color"),
        .projection(attribute.projections[2], of: "color"),
      ])
  }

  @Test(
    "mistakes, each with its place and its remedy",
    arguments: [
      (
        "{}", "", "",
        #"3:17: error: "project" of Paint.color contains an empty list; name one projection at least, or remove the list"#
      ),
      (
        #"{ "a": "decimal" }"#, "", "",
        #"3:24: error: unknown keyword 'decimal' for "project" of Paint.color; the keywords are double, integer, string, boolean, date"#
      ),
      (
        #"{ "a": "double", "A": "double" }"#, "", "",
        #"3:34: error: "project" of Paint.color lists 'A' twice; remove one of them"#
      ),
      (#"{ "1a": "double" }"#, "", "", "3:19: error: invalid name '1a'"),
      (
        #"{ "a": "double" }"#, #""external": true,"#, "",
        "3:23: error: the key 'project' does not apply to Paint.color; it is only for attributes without \"external\"; remove it, or change the type"
      ),
      (
        #"{ "a": "double" }"#, "", #""unique": ["color.a"],"#,
        #"1:65: error: "unique" of Paint names 'color.a', a projection; a unique constraint has attributes only"#
      ),
      (
        #"{ "hue": "double" }"#, "", #""indexes": ["color.hoe"],"#,
        "did you mean 'color.hue'?"
      ),
    ])
  func mistakes(project: String, attribute: String, entity: String, sentence: String) {
    let error = #expect(throws: ModelError.self) {
      try model(project, attribute: attribute, entity: entity)
    }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.problems.count == 1)
  }

  @Test("conditions of the model name projections, and a wrong name is found")
  func conditions() throws {
    func check(_ condition: String) throws(ModelError) {
      _ = try model(
        #"{ "hue": "double", "name": "string" }"#,
        entity: "\"fetchRequests\": { \"found\": \"\(condition)\" },")
    }
    try check("color.hue > 20 AND color.name BEGINSWITH 'a' AND color.name.length > 2")
    for (wrong, code) in [
      ("color.hoe > 20", ModelError.Code.conditionType), ("color.hue == 'a'", .conditionType),
      ("color > 20", .conditionType),
    ] {
      let error = #expect(throws: ModelError.self) { try check(wrong) }
      #expect(error?.problems.map(\.code) == [code], "\(wrong)")
    }
  }
}
