import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Sentences of PersistenceError", .serialized)
struct RecordedSentenceTests {
  private static let file = RecordedText("CopalObjects")

  @Test("say what happened to what and what to do, as it is recorded", .modelAsIs)
  func recorded() throws {
    let now = try ErrorSentence.all.map { try $0.description() }
    #expect(try Self.file.differences(from: now.joined(separator: "\n\n") + "\n") == [])
  }

  @Test("are recorded for every code, and the guide to errors shows one of them")
  func everyCode() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../Docs/Errors.md").standardized
    let page = try String(contentsOf: file, encoding: .utf8)
    let all = try Self.file.text().components(separatedBy: "\n\n")
    for code in PersistenceError.Code.all {
      let sentences = all.compactMap { Self.head(of: $0, code) }
      #expect(
        sentences.contains { page.contains("\n## \(code)\n\n> `\($0)`\n") },
        "\(code): no sentence, or not this one in the guide")
    }
  }

  /// A sentence on one line, without the causes, if it is one of the code.
  private static func head(of sentence: String, _ code: PersistenceError.Code) -> String? {
    let parts = sentence.components(separatedBy: " [\(code)]")
    guard parts.count > 1 else { return nil }
    return parts[0].components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
  }

  @Test("of codes of another library say what the error concerns and what was found")
  func otherLibrary() {
    let error = PersistenceError("cloud.tokenExpired", entity: "Pigment", found: "since Monday")
    #expect(error.description == "Pigment: since Monday [cloud.tokenExpired]")
  }
}
