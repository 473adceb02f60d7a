import CopalModel
import Testing

@Suite("The sentences of problems")
struct WordingTests {
  private func firstSentence(_ json: String) -> String? {
    problems(in: Array(json.utf8)).first?.description
  }

  @Test(
    "say what was found and what to write",
    arguments: [
      (
        #""attributes": { "name": "sting" }"#,
        "unknown attribute type 'sting'; did you mean 'string'? [model.unknownType]"
      ),
      (
        #""attributes": { "name": "bool" }"#,
        "unknown attribute type 'bool'; did you mean 'boolean'? [model.unknownType]"
      ),
      (
        #""colour": 1"#,
        "unknown key 'colour' in Pigment; the keys are class, codegen, parent, abstract, "
          + "attributes, relationships, unique, indexes, renamedFrom, doc, userInfo [model.unknownKey]"
      ),
      (
        #""attributes": { "price": { "type": "integer16", "default": 40000 } }"#,
        #""default" of Pigment.price: 40000 does not fit integer16: "#
          + "-32768 to 32767 [model.valueOutOfRange]"
      ),
      (
        #""relationships": { "twin": "Pigment?" }"#,
        #"Pigment.twin lacks an inverse; write "inverse": "twin" [model.missingInverse]"#
      ),
      (
        #""attributes": { "color": { "type": "transformable", "class": "Color" } }"#,
        #"the transformable Pigment.color lacks a "transformer"; "#
          + "name one, or make it transient [model.missingTransformer]"
      ),
      (
        #""attributes": { "value": "string" }"#,
        "the name 'value' is taken: it is a member of ManagedObject; "
          + "choose another, such as 'pigmentValue' [model.reservedName]"
      ),
      (
        #""attributes": { "RowID": "integer" }"#,
        "the name 'RowID' is taken: SQLite calls the number of a row so; "
          + "choose another, such as 'pigmentRowID' [model.reservedName]"
      ),
      (
        #""attributes": { "_copalSlot": "integer" }"#,
        "the name '_copalSlot' is taken: generated code keeps names with '_copal' in front for "
          + "members of its own; choose another, such as 'pigment_copalSlot' [model.reservedName]"
      ),
      (
        #""attributes": { "SQLite_stat": "integer" }"#,
        "the name 'SQLite_stat' is taken: SQLite keeps names with 'sqlite_' in front for tables "
          + "and columns of its own; choose another, such as 'pigmentSQLite_stat' "
          + "[model.reservedName]"
      ),
      (
        #""attributes": { "self": "string" }"#,
        "the name 'self' is taken: Swift does not take it, even between backquotes; "
          + "choose another, such as 'pigmentSelf' [model.reservedName]"
      ),
      (
        #""class": "Type""#,
        "the name 'Type' is taken: Swift does not take it, even between backquotes; "
          + "choose another, such as 'TypeObject' [model.reservedName]"
      ),
      (
        #""class": "Any""#,
        #"a class 'Any' would hide the type that generated code uses; give Pigment another "#
          + #""class", such as "AnyEntity" [model.hidingClass]"#
      ),
      (
        #""class": "Set""#,
        #"a class 'Set' would hide the type that generated code uses; give Pigment another "#
          + #""class", such as "SetObject" [model.hidingClass]"#
      ),
      (
        #""attributes": { "made": { "type": "date", "default": "today" } }"#,
        #""default" of Pigment.made: 'today' is no such value; expected "now", or an ISO 8601 "#
          + #"date with time and zone, such as "2024-05-17T09:30:00Z" [model.invalidValue]"#
      ),
      (
        #""attributes": { "made": { "type": "date", "minimum": "now" } }"#,
        #""minimum" of Pigment.made: 'now' is no such value; expected an ISO 8601 "#
          + #"date with time and zone, such as "2024-05-17T09:30:00Z" [model.invalidValue]"#
      ),
      (
        #""attributes": { "color": { "type": "transformable", "class": "Color?", "transformer": "T" } }"#,
        #"'Color?' cannot be a "class"; expected Color, and the ? on the attribute's type: "#
          + #""transformable?" [model.invalidClass]"#
      ),
      (
        #""attributes": { "code": { "type": "string", "pattern": "(\\d)\\1" } }"#,
        #"found '\1' in the pattern of Pigment.code; expected no back-reference, which can take "#
          + "exponential time; compare the parts in code [model.invalidPattern]"
      ),
      (
        #""parent": "Pigment""#,
        "entities inherit from themselves: Pigment → Pigment; one of them must have no parent "
          + "[model.inheritanceCycle]"
      ),
    ])
  func sentences(members: String, expected: String) {
    #expect(firstSentence(pigmentModel(members))?.hasSuffix("error: " + expected) == true)
  }

  @Test func `a problem prints as a compiler prints it`() {
    #expect(
      firstSentence(#"{ "copal": 2 }"#)
        == "Test.model.json:1:12: error: the file has format 2, and this Copal reads up to 1; "
        + "update Copal [model.newerFormat]")
  }

  @Test func `nothing from the file breaks the line or makes it endless`() throws {
    let name = "\\n\\u0007\\u202E" + String(repeating: "x", count: 100_000)
    let sentence = try #require(firstSentence(pigmentModel(#""\#(name)": 1"#)))
    #expect(sentence.count < 400)
    #expect(!sentence.contains { $0.isNewline })
    #expect(!sentence.unicodeScalars.contains("\u{202E}"))
  }

  @Test("every code has a sentence of its own", arguments: ModelError.Code.all)
  func everyCode(code: ModelError.Code) {
    let position = ModelProblem.Position(file: "f", line: 1, column: 1)
    let sentence = ModelProblem(code, at: position, subject: "S", found: "F", expected: "E")
      .description
    #expect(!sentence.contains("found F; expected E [") || sentence.contains("S: found F"))
    #expect(sentence.hasSuffix("[\(code)]"))
  }
}
