import Foundation
import Testing

@Suite("The page about reliability")
struct ReliabilityPageTests {
  private let rows: [Substring]

  init() throws {
    rows = try Page("Docs/Reliability.md").prose.filter { $0.hasPrefix("| ") && $0.contains("`") }
  }

  @Test("each of the 44 faults has a row, with tests")
  func isComplete() {
    let firsts = rows.compactMap { $0.dropFirst(2).split(separator: " ").first }
    let numbers = firsts.compactMap { Int($0) }
    #expect(numbers == Array(1...44))
    for row in rows {
      #expect(row.split(separator: "|").last?.contains("`") == true, "\(row)")
    }
  }

  @Test("each test and script of the page exists")
  func exists() throws {
    let tests = Repository.files(under: "Tests").filter { $0.hasSuffix(".swift") }
    let sources = try tests.map { try Repository.text($0) }
    for row in rows {
      for match in row.matches(of: /`(\w+Tests)`/) {
        let name = match.output.1
        let isThere =
          tests.contains { $0.hasSuffix("/\(name).swift") }
          || sources.contains { $0.contains("struct \(name)") }
        #expect(isThere, "\(name)")
      }
      for match in row.matches(of: /`(Scripts\/[\w-]+)`/) {
        let path = Repository.root.appending(path: String(match.output.1))
        let isThere = FileManager.default.fileExists(atPath: path.path(percentEncoded: false))
        #expect(isThere, "\(match.output.1)")
      }
    }
  }
}
