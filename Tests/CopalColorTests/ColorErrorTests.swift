import CopalColor
import CopalModel
import Foundation
import Testing

@Suite("An error of a colour")
struct ColorErrorTests {
  @Test("has a sentence, and a heading in the guide to errors", arguments: ErrorCode.allColorCodes)
  func documented(code: ErrorCode) throws {
    let page = URL(filePath: #filePath).appending(path: "../../../Docs/Errors.md").standardized
    #expect(try String(contentsOf: page, encoding: .utf8).contains("\n## \(code)\n"))
    let error = ColorError(code, found: "this", expected: "that")
    #expect(error.description.count > 30 && error.description.hasSuffix(" [\(code)]"))
    #expect(error.errorDescription == error.description)
  }
}
