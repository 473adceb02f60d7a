import Foundation
import Testing

@Suite("The page about reliability")
struct ReliabilityPageTests {
  private let lines: [Substring]
  private var rows: [Substring] { lines.filter { $0.hasPrefix("| ") && $0.contains("`") } }

  init() throws { lines = try Page("Docs/Reliability.md").prose }

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

  /// The features of the table of pairs, in its order.
  private static let features = [
    "refresh", "merge", "policy", "transaction", "batch", "import", "migration", "search",
    "unique value", "external value", "transformable", "list", "family", "foreign writer",
    "second process",
  ]

  @Test("each of the 105 pairs of features is there once, with a test or a reason")
  func pairs() throws {
    let start = try #require(lines.firstIndex { $0 == "## Pairs of features" })
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    let reasons = Set(section.compactMap { $0.firstMatch(of: /^(\d+)\. \S/)?.output.1 })
    var pairs: [[String]] = []
    var given: Set<Substring> = []
    for row in section where row.hasPrefix("| ") {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells == ["Feature", "Beside it"] { continue }
      try #require(cells.count == 2, "\(row)")
      for entry in cells[1].split(separator: " · ") {
        let match = try #require(entry.wholeMatch(of: /(.+): (?:`\w+Tests`|\((\d+)\))/), "\(entry)")
        pairs.append([cells[0], String(match.output.1)])
        if let reason = match.output.2 { given.insert(reason) }
      }
    }
    let expected = Self.features.indices.flatMap { first in
      Self.features[(first + 1)...].map { [Self.features[first], $0] }
    }
    #expect(expected.count == 105)
    #expect(pairs == expected)
    #expect(given == reasons)
  }
}
