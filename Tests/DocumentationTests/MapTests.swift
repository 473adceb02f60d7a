import Foundation
import Testing

@Suite("The map in Docs/Architecture.md")
struct MapTests {
  @Test("has every folder of the sources, and no other one")
  func folders() throws {
    #expect(try Set(Self.drawn()) == Self.folders())
    #expect(try Self.drawn().count == Self.folders().count)
  }

  /// The folders of the map: `CopalStore/Rows`.
  private static func drawn() throws -> [String] {
    let page = try Repository.text("Docs/Architecture.md")
    let section = try #require(
      page.components(separatedBy: "## Where things are").dropFirst().first)
    let lines = try #require(section.components(separatedBy: "```").dropFirst().first)
    var module = ""
    var all: [String] = []
    for line in lines.split(separator: "\n").dropFirst() {
      let columns = String(line).padding(toLength: 19, withPad: " ", startingAt: 0)
      let name = columns.trimmingCharacters(in: .whitespaces)
      if !name.isEmpty { module = name }
      // A line that goes on with the text of the one before has no folder.
      guard let first = line.dropFirst(19).first, first.isLetter else { continue }
      let names = line.dropFirst(19).components(separatedBy: "  ")[0].components(separatedBy: ", ")
      all += names.map { "\(module)/\($0.trimmingCharacters(in: .whitespaces))" }
    }
    return all
  }

  private static func folders() throws -> Set<String> {
    let sources = Repository.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    let paths = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
      .map { $0.split(separator: "/") }.filter { $0.count > 2 }
    return Set(paths.map { "\($0[0])/\($0[1])" })
  }
}
