import Foundation

/// A page of the documentation, and what can be checked in it.
struct Page: Sendable, CustomStringConvertible {
  /// The path from the root of the package.
  let path: String
  let text: String

  var description: String { path }

  /// Every page that people read: those at the root, those of `Docs`, and the READMEs.
  static let all: [Page] = {
    let files =
      ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
      + ["Docs", "Examples", "Models", "Tests"].flatMap { Repository.files(under: $0) }
    return files.filter { $0.hasSuffix(".md") }.compactMap { try? Page($0) }
  }()

  init(_ path: String) throws {
    self.path = path
    text = try Repository.text(path)
  }

  // MARK: Blocks

  /// A fenced block: the words after the fence, and the lines between.
  struct Block: Sendable, CustomStringConvertible {
    let page: String
    let kind: String
    let lines: [Substring]
    /// The line of the page that the block begins in, from 1.
    let line: Int

    var text: String { lines.joined(separator: "\n") }
    var description: String { "\(page):\(line)" }
  }

  var blocks: [Block] {
    var blocks: [Block] = []
    var open: (kind: String, start: Int)?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let (kind, start) = open {
        let content = Array(lines[(start + 1)..<index])
        blocks.append(Block(page: path, kind: kind, lines: content, line: start + 1))
        open = nil
      } else {
        open = (line.dropFirst(3).trimmingCharacters(in: .whitespaces), index)
      }
    }
    return blocks
  }

  static func blocks(_ kinds: String...) -> [Block] {
    all.flatMap(\.blocks).filter { kinds.contains($0.kind) }
  }

  /// Whether a line of Swift is an import.
  static func isImport(_ line: some StringProtocol) -> Bool {
    ["import ", "public import ", "@testable import "].contains { line.hasPrefix($0) }
  }

  // MARK: Prose

  /// The page without its fenced blocks.
  var prose: [Substring] {
    var isInside = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.hasPrefix("```") {
        isInside.toggle()
        return false
      }
      return !isInside
    }
  }

  /// The texts of the headings of one level.
  func headings(level: Int) -> [String] {
    let mark = String(repeating: "#", count: level) + " "
    return prose.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }

  /// The fragments that the page's headings can be reached by, as GitHub makes them.
  var anchors: Set<String> {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    var counts: [String: Int] = [:]
    let found = prose.compactMap { line -> String? in
      // A look at the first character costs much less than an expression.
      guard line.first == "#", let text = line.wholeMatch(of: /#{1,6} (.+)/)?.output.1 else {
        return nil
      }
      let kept = text.lowercased().replacing(" ", with: "-").unicodeScalars
        .filter(allowed.contains)
      let anchor = String(String.UnicodeScalarView(kept))
      defer { counts[anchor, default: 0] += 1 }
      // The second heading with the same text has a number.
      return counts[anchor].map { "\(anchor)-\($0)" } ?? anchor
    }
    return Set(found)
  }

  /// Where the page's links lead, and its pictures come from.
  var links: [String] {
    prose.flatMap { line -> [String] in
      guard line.utf8.contains(UInt8(ascii: "(")) || line.utf8.contains(UInt8(ascii: "=")) else {
        return []
      }
      return line.matches(of: /\]\(([^)\s]+)\)|src="([^"]+)"/).compactMap {
        ($0.output.1 ?? $0.output.2).map(String.init)
      }
    }
  }
}

/// The repository that the tests were built in.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files in a folder, with their paths from the root of the repository.
  static func files(under folder: String) -> [String] {
    let path = root.appending(path: folder).path(percentEncoded: false)
    return (FileManager.default.subpaths(atPath: path) ?? []).sorted().map { "\(folder)/\($0)" }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
