import CopalCodegen
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("A class that nobody has written")
struct MissingClassTests {
  @Test("the first error is at the line of the model, and shows which class to write")
  func first() throws {
    // A class that is generated and uses the other comes first.
    let json = """
      { "copal": 1, "model": "Garden", "entities": {
        "Bed": {
          "attributes": { "name": "string" },
          "relationships": { "plants": { "type": "[Plant]", "inverse": "bed" } } },
        "Plant": {
          "codegen": "extension",
          "attributes": { "name": "string" },
          "relationships": { "bed": { "type": "Bed?", "inverse": "plants" } } }
      } }
      """
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "Garden.model.json").path(percentEncoded: false)
    let model = try ManagedObjectModel(json: json, file: path)
    let code = try CodeGenerator(model, file: path, text: json).swiftText()
    func check(_ text: String) throws -> (succeeds: Bool, output: String) {
      let file = folder.url.appending(path: "Garden.swift")
      try text.write(to: file, atomically: true, encoding: .utf8)
      return try Compiler().check(file)
    }
    let (succeeds, output) = try check(code)
    let errors = output.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(!succeeds && errors.count > 1)
    let error = try #require(errors.first)
    #expect(error.hasPrefix("\(path):6:"), "\(output)")
    #expect(error.hasSuffix("error: cannot find type 'Plant' in scope"))

    // What the comment says makes the code compile.
    let comment = "// Write the class: "
    let shown = try #require(output.split(separator: "\n").first { $0.contains(comment) })
    let declaration = try #require(shown.components(separatedBy: comment).last)
    let (compiles, rest) = try check("\(code)\n\(declaration)\n")
    #expect(compiles, "\(rest)")
  }
}
