import Foundation
import Testing

@Suite("The map in Docs/Architecture.md")
struct MapTests {
  @Test("has every folder of the sources, and no other one")
  func folders() throws {
    #expect(try Set(Self.drawn()) == Self.folders())
    #expect(try Self.drawn().count == Self.folders().count)
  }

  @Test("a file uses only what its own folder declares, and the folders of its module above it")
  func order() throws {
    #if DEBUG
      let index = try #require(try CodeIndex.read())
      let drawn = try Self.drawn()
      let lines = Dictionary(zip(drawn, drawn.indices), uniquingKeysWith: { first, _ in first })
      // Nil for a file beside the folders.
      func line(_ file: String) -> Int? {
        lines[file.split(separator: "/").prefix(2).joined(separator: "/")]
      }
      #expect(index.uses.count > 700)
      for (file, others) in index.uses.sorted(by: { $0.key < $1.key }) {
        let module = String(file.prefix { $0 != "/" })
        guard let own = line(file) else { continue }
        for (other, names) in others.sorted(by: { $0.key < $1.key })
        where other.hasPrefix(module + "/") {
          if let place = line(other), place > own {
            Issue.record("\(file) uses \(names.sorted().joined(separator: ", ")) of \(other)")
          }
        }
      }
    #endif
  }

  @Test("a module imports what the table says, and each import is from a line above it")
  func imports() throws {
    let page = try Repository.text("Docs/Architecture.md")
    var above: Set<String> = []
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count > 15)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.split(separator: "`") }
      func names(_ cell: Int) -> Set<String> {
        Set(cells[cell].map(String.init).filter { $0.first?.isLetter == true })
      }
      let (modules, said) = (names(0), names(1))
      let files = SourceText.all.filter { modules.contains($0.module) }
      let own = Set(files.flatMap(\.imports)).subtracting(modules)
      #expect(said.isSubset(of: above), "\(modules.sorted())")
      #expect(
        own.subtracting(["CopalEssentials"]) == said.subtracting(["CopalEssentials"]),
        "\(modules.sorted())")
      above.formUnion(modules)
    }
    #expect(Set(SourceText.all.map(\.module)).subtracting(above) == [])
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

/// A file of the sources.
private struct SourceText {
  let module: String
  /// The modules of this package that it imports.
  let imports: Set<String>

  static let all: [SourceText] = {
    let sources = Repository.root.appending(path: "Sources")
    let paths =
      FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    let modules = Set(paths.map { String($0.prefix { $0 != "/" }) })
    return paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".modulemap") }.map { path in
      let text = (try? String(contentsOf: sources.appending(path: path), encoding: .utf8)) ?? ""
      // The imports are before everything else; later ones are in texts.
      let lines = text.split(separator: "\n").prefix { !$0.contains("{") || $0.hasPrefix("//") }
      let words = lines.compactMap { line -> String? in
        let words = line.split { " .".contains($0) }
        guard !line.hasPrefix("//"), let place = words.firstIndex(of: "import") else { return nil }
        return words[(place + 1)...].first { $0.first?.isUppercase == true }.map(String.init)
      }
      return SourceText(
        module: String(path.prefix { $0 != "/" }), imports: modules.intersection(words))
    }
  }()
}
