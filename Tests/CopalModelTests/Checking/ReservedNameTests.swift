import CopalModel
import Foundation
import Testing

@Suite("Reserved names")
struct ReservedNameTests {
  @Test("Docs/ModelFormat.md lists exactly the reserved names")
  func page() throws {
    let page = try Repository.text("Docs/ModelFormat.md")
    let section = try #require(page.components(separatedBy: "\n### Reserved names\n").last)
    let list = try #require(section.components(separatedBy: "\n## ").first)
      .drop { $0 != ":" }
    let names = list.matches(of: /`(\w+)`/).map { String($0.output.1) }
    #expect(
      names
        == ReservedNames.managedObjectMembers.sorted {
          ($0.lowercased(), $0) < ($1.lowercased(), $1)
        })
    for name in ReservedNames.notIdentifiers.union(ReservedNames.rowNames) {
      #expect(page.contains("`\(name)`"))
    }
    for prefix in ReservedNames.storePrefixes + ReservedNames.memberPrefixes {
      #expect(page.contains("`\(prefix)`"))
    }
  }

  @Test("a reserved name is refused, and the proposed name is accepted")
  func proposals() throws {
    for name in ReservedNames.managedObjectMembers.union(ReservedNames.rowNames) {
      let found = problems(in: Array(Self.model(attribute: name).utf8))
      #expect(found.map(\.code) == [.reservedName], "\(name)")
      let proposal = try #require(found.first?.suggestion)
      #expect(problems(in: Array(Self.model(attribute: proposal).utf8)).isEmpty, "\(proposal)")
    }
  }

  private static func model(attribute name: String) -> String {
    pigmentModel(##""attributes": { "\##(name)": "string" }"##)
  }
}
