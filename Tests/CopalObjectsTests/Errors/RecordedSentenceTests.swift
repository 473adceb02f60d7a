import CopalModel
import CopalStore
import CopalTestSupport
import CopalTestTools
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
    let all = try Self.file.text().components(separatedBy: "\n\n")
    #expect(try ErrorPage.missing(PersistenceError.Code.all.map(\.rawValue), of: all) == [])
  }

  @Test("of codes of another library say what the error concerns and what was found")
  func otherLibrary() {
    let error = PersistenceError("cloud.tokenExpired", entity: "Pigment", found: "since Monday")
    #expect(error.description == "Pigment: since Monday [cloud.tokenExpired]")
  }
}
