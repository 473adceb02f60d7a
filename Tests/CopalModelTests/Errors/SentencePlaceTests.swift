import CopalModel
import Testing

@Suite("The places of a model's sentences")
struct SentencePlaceTests {
  private let position = ModelProblem.Position(file: "A.model.json", line: 1, column: 2)

  @Test("a code that was made from its name has the sentence of the code with this name")
  func codeFromItsName() {
    let problem = ModelProblem(
      ModelError.Code(rawValue: "model.missingKey"), at: position, subject: "Pigment",
      expected: "type")
    #expect(
      problem.description
        == "A.model.json:1:2: error: the key 'type' is missing in Pigment; add it [model.missingKey]"
    )
  }

  @Test("a text of the file that looks like a place is shown as it is")
  func placeInText() {
    let problem = ModelProblem(
      .unknownKey, at: position, subject: "{found}", found: "{owner}", suggestion: "{expected}")
    #expect(
      problem.description
        == "A.model.json:1:2: error: unknown key '{owner}' in {found}; did you mean '{expected}'? [model.unknownKey]"
    )
  }
}
