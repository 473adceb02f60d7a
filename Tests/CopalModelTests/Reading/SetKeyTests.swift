import CopalModel
import CopalStore
import Testing

@Suite("The key set")
struct SetKeyTests {
  private func model(
    _ entity: String, attribute: String = "", relationship: String = "", access: String = "public"
  ) throws(ModelError) -> ManagedObjectModel {
    try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "M", "access": "\(access)", "entities": { "Paint": { \(entity)
          "attributes": {
            "name": { "type": "string"\(attribute) }, "code": "string" },
          "relationships": {
            "maker": { "type": "Maker?"\(relationship) }, "next": "Paint?" } },
          "Enamel": { "parent": "Paint", "attributes": { "oven": "boolean" } },
          "Maker": { "attributes": { "city": "string" } } } }
        """, file: "M.model.json")
  }

  private func setters(_ model: ManagedObjectModel) -> [String] {
    model.entities.flatMap { entity in
      entity.attributes.map { "\($0.name) \($0.setAccess)" }
        + entity.relationships.map { "\($0.name) \($0.setAccess)" }
    }
  }

  @Test("the key of a property, and the key of an entity for its properties that have none")
  func read() throws {
    #expect(
      try setters(model("")) == [
        "name public", "code public", "maker public", "next public", "oven public", "city public",
      ])
    #expect(
      try setters(
        model("", attribute: #", "set": "internal""#, relationship: #", "set": "package""#)) == [
          "name internal", "code public", "maker package", "next public", "oven public",
          "city public",
        ])
    // A subentity has a key of its own for what it declares.
    let whole = try model(
      #""set": "internal", "#, attribute: #", "set": "public""#,
      relationship: #", "set": "package""#)
    #expect(
      setters(whole) == [
        "name public", "code internal", "maker package", "next internal", "oven public",
        "city public",
      ])
    #expect(try ManagedObjectModel(json: whole.canonicalJSON, file: "M.model.json") == whole)
  }

  @Test("a set access is no change of a store, and no change of the layout")
  func store() throws {
    let (old, new) = (try model(""), try model(#""set": "internal", "#))
    #expect(ModelDifference(ModelMapping(from: old, to: new)).changes.isEmpty)
    #expect(old.layoutHash(ofEntity: 0) == new.layoutHash(ofEntity: 0))
    #expect(try setters(ManagedObjectModel(stored: new.canonicalJSON)) == setters(old))
  }

  @Test(
    "mistakes, each with its place and its remedy",
    arguments: [
      (
        "", #", "set": "internl""#, "", "public",
        #"3:40: error: unknown keyword 'internl' for "set" of Paint.name; did you mean 'internal'?"#
      ),
      (
        "", "", #", "set": "fileprivate""#, "public",
        #"5:41: error: "set" of Paint.maker cannot be 'fileprivate': the property is in a generated file, where no code of yours could set it; write one of public, package, internal, or "accessor": "custom" and the property yourself"#
      ),
      (
        #""set": "private", "#, "", "", "public",
        #"1:81: error: "set" of Paint cannot be 'private': the property is in a generated file"#
      ),
      (
        "", #", "set": true"#, "", "public",
        #"3:40: error: "set" of Paint.name: found true; expected a string"#
      ),
      (
        "", #", "sett": "internal""#, "", "public",
        "3:33: error: unknown key 'sett' in Paint.name; did you mean 'set'?"
      ),
      (
        #""set": "internal", "#, "", "", "internal",
        #"1:76: error: the key 'set' does not apply to Paint; it is only for models with "access": "public"; remove it, or make the model public"#
      ),
      (
        "", #", "set": "public""#, "", "internal",
        "3:33: error: the key 'set' does not apply to Paint.name; it is only for models"
      ),
      (
        "", "", #", "set": "package""#, "internal",
        "5:34: error: the key 'set' does not apply to Paint.maker; it is only for models"
      ),
    ])
  func mistakes(
    entity: String, attribute: String, relationship: String, access: String, sentence: String
  ) {
    let error = #expect(throws: ModelError.self) {
      try model(entity, attribute: attribute, relationship: relationship, access: access)
    }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.problems.count == 1)
  }
}
