import CopalColor
import CopalModel
import Foundation
import Testing

@Suite("An error of a color")
struct ColorErrorTests {
  @Test("has a sentence, and a heading in the guide to errors", arguments: ColorError.Code.all)
  func documented(code: ColorError.Code) throws {
    let page = URL(filePath: #filePath).appending(path: "../../../Docs/Errors.md").standardized
    #expect(try String(contentsOf: page, encoding: .utf8).contains("\n## \(code)\n"))
    let error = ColorError(code, found: "this", expected: "that")
    #expect(error.description.count > 30 && error.description.hasSuffix(" [\(code)]"))
    #expect(error.errorDescription == error.description)
  }
}
