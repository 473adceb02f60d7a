import CopalAuthoring
import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("The tree of a model file")
struct SyntaxTreeTests {
  /// Every model file of the repository.
  static let models: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folders = ["Models", "Examples", "Tests", "Benchmarks/Sources"]
    return folders.flatMap { folder -> [String] in
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      return (files?.allObjects as? [URL] ?? []).filter {
        $0.path.hasSuffix(".model.json") && !$0.path.contains("/.build")
      }.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }
  }()

  private static let pieces = [
    "// c\n", "/* b */", "\n", " ", "\n\n\n", ",", "{", "}", "[]", "\"k\"", ":", "\r\n", "// d",
    "/* e\n f */", "\u{FEFF}",
  ]

  /// Texts that are almost a model, and that have a tree.
  static func mutants(_ count: Int) -> [String] {
    var random = SplitMix(seed: 52)
    let small = models.filter { $0.utf8.count < 6000 }
    var found: [String] = []
    while found.count < count {
      var bytes = Array(small[Int.random(in: small.indices, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes.insert(contentsOf: pieces.randomElement(using: &random)?.utf8 ?? "".utf8, at: place)
        } else if place < bytes.count {
          bytes.remove(at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if SyntaxTree(text) != nil { found.append(text) }
    }
    return found
  }

  @Test("an unchanged tree prints the same bytes")
  func same() throws {
    #expect(Self.models.count > 100)
    for text in Self.models {
      guard (try? JSONNode(json: text, file: "M.model.json")) != nil else { continue }
      let tree = try #require(SyntaxTree(text), "\(text)")
      #expect(tree.text == text)
    }
    for text in Self.mutants(5000) { #expect(SyntaxTree(text)?.text == text, "\(text)") }
  }

  @Test("every text that the reader of models reads has a tree")
  func complete() {
    for text in Self.mutants(1000) where (try? JSONNode(json: text, file: "M")) != nil {
      #expect(SyntaxTree(text) != nil, "\(text)")
    }
  }
}
