import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Sentences of PersistenceError")
struct ErrorSentenceTests {
  @Test("say what happened to what and what to do", .modelAsIs, arguments: ErrorSentence.all)
  func sentence(row: ErrorSentence) throws {
    #expect(try row.description() == row.sentence)
  }

  @Test("are in the table for every code, and the guide to errors shows one of them")
  func everyCode() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../Docs/Errors.md").standardized
    let page = try String(contentsOf: file, encoding: .utf8)
    for code in PersistenceError.Code.all {
      let sentences = ErrorSentence.all.compactMap { $0.head(of: code) }
      #expect(
        sentences.contains { page.contains("\n## \(code)\n\n> `\($0)`\n") },
        "\(code): no sentence, or not this one in the guide")
    }
  }

  @Test("of codes of another library say what the error concerns and what was found")
  func otherLibrary() {
    let error = PersistenceError("cloud.tokenExpired", entity: "Pigment", found: "since Monday")
    #expect(error.description == "Pigment: since Monday [cloud.tokenExpired]")
  }
}
