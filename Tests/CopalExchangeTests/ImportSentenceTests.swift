import CopalExchange
import CopalTestTools
import Testing

@Suite("The sentence of a problem of an import")
struct ImportSentenceTests {
  /// One of each code, with what an import puts in.
  private static let problems: [ImportProblem] = [
    .init(.notCSV, found: "a field goes on after its closing quotation mark"),
    .init(.notJSON, found: "a comma or a closing brace is missing"),
    .init(.notUTF8, found: "bytes that are not UTF-8"),
    .init(.tooLong, found: "more than 1024 MB"),
    .init(.templateMismatch, found: "'[' does not follow {level}"),
    .init(.fieldCount, found: "3 fields", expected: "4"),
    .init(
      .unknownProperty, found: "colour", suggestion: "color",
      remedy: .map(column: "colour", property: "color")),
    .init(.header, found: "the file has no column for what each object needs: name"),
    .init(.wrongValue, found: "cheap", expected: "a decimal such as 12.50"),
    .init(.brokenRule, found: "'U' is too short: it has 1 character, and needs 2"),
    .init(.required),
    .init(.missingObject, found: "Kremer"),
    .init(.notUnique, found: "Ochre", remedy: .upsertKey),
    .init(.refused, found: "the store refuses the object"),
    .init(.notAnExport, found: #"its first line has no "$copal""#),
    .init(.newerFormat, found: "2", expected: "1"),
    .init(.cutOff, found: "its last line is missing"),
    .init(.otherModel, found: "version 2 of Shop"),
    .init(.notEmpty),
  ]

  @Test("stands in the guide to errors for every code")
  func everyCode() throws {
    #expect(Self.problems.map(\.code) == ImportProblem.Code.all)
    let all = Self.problems.map(\.description)
    #expect(try ErrorPage.missing(ImportProblem.Code.all.map(\.rawValue), of: all) == [])
  }

  @Test("begins with the place and the property, and has the number of records")
  func place() {
    var problem = ImportProblem(.header, line: 1, column: 7, entity: "Pigment", found: "no column")
    #expect(problem.description == "1:7: Pigment: no column [import.header]")
    (problem.count, problem.column, problem.property) = (3, nil, "name")
    #expect(problem.description == "1: Pigment.name: no column (in 3 records) [import.header]")
  }
}
