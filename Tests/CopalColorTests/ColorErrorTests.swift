import CopalColor
import CopalModel
import Foundation
import Testing

@Suite("An error of a colour")
struct ColorErrorTests {
  @Test("has a sentence, and a heading in the guide to errors", arguments: ErrorCode.allColorCodes)
  func documented(code: ErrorCode) throws {
    let docs = URL(filePath: #filePath).appending(path: "../../../Docs").standardized
    let guides = try ["Errors.md", "Errors-color.md"].map { docs.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
      .map { try String(contentsOf: $0, encoding: .utf8) }
    #expect(guides.contains { $0.contains("\n## \(code)\n") })
    let error = ColorError(code, found: "this", expected: "that")
    #expect(error.description.count > 30 && error.description.hasSuffix(" [\(code)]"))
    #expect(error.errorDescription == error.description)
  }
}
