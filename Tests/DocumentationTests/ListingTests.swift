import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Listings in the documentation")
struct ListingTests {
  /// Where the listings are compiled: word for word, at any depth of indentation.
  static let compiled: [String] = {
    let files =
      Repository.files(under: "Tests/DocumentationTests/Listings")
      + Repository.files(under: "Tests/Clients/Sources")
      + ["Examples/FirstProgram/main.swift"]
    return files.filter { $0.hasSuffix(".swift") }.compactMap { try? Repository.text($0) }
  }()

  @Test("a listing in Swift is compiled, word for word", arguments: Page.blocks("swift"))
  func isCompiled(block: Page.Block) throws {
    if block.text.contains(".package(") { return try isManifest(block) }
    // A test compiles these pages as a whole.
    if PageProgram.paths.contains(block.page) || block.page == QuestionPage.path { return }
    let code = block.lines.drop { $0.isEmpty || Page.isImport($0) }
    let isThere = [0, 2, 4].contains { depth in
      let indentation = String(repeating: " ", count: depth)
      let lines = code.map { $0.isEmpty ? "" : indentation + $0 }
      let text = "\n" + lines.joined(separator: "\n") + "\n"
      return Self.compiled.contains { $0.contains(text) || $0 == block.text + "\n" }
    }
    #expect(isThere, "\(block) is compiled nowhere:\n\(block.text)")
  }

  /// The package manager reads it, and what it names exists.
  private func isManifest(_ block: Page.Block) throws {
    let folder = RunFolder.url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let manifest =
      block.text.hasPrefix("// swift-tools-version")
      ? block.text
      : """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "Part", platforms: [.macOS(.v15)],
      \(block.text)
      )
      """
    try manifest.write(
      to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
    let result = try Command.run(
      "swift", "package", "--package-path", folder.path(percentEncoded: false), "dump-package")
    #expect(result.status == 0, "\(result.output)")
    let package = try Repository.text("Package.swift").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for product in ["Copal", "CopalColor", "CopalFoundation", "CopalPlugin"]
    where block.text.contains(product) {
      #expect(package.contains(#"(name: "\#(product)", targets: "#))
    }
  }

  @Test("a listing that must not compile fails with the error in the page")
  func isRefused() throws {
    for page in Page.all {
      let blocks = page.blocks
      for (block, words) in zip(blocks, blocks.dropFirst()) where block.kind == "swift refused" {
        let source = "import Copal\nimport CopalTestSupport\nimport Foundation\n\n\(block.text)\n"
        let result = try Command.compile(source)
        #expect(result.status != 0, "\(block) compiles")
        // The messages of compilers differ; the pages have those of this version.
        #if compiler(>=6.3) && compiler(<6.4)
          #expect(result.output.contains(words.text), "\(block):\n\(result.output)")
        #endif
      }
    }
  }

  @Test("a listing in JSON is a valid model or copal.json", arguments: Page.blocks("json", "jsonc"))
  func isRead(block: Page.Block) throws {
    let text = block.text
    if let model = Self.model(text) {
      _ = try ManagedObjectModel(json: model, file: "\(block)")
    } else {
      // A copal.json, whose paths are those of this package.
      let paths = text.matches(of: /"([^"]+\.model\.json)"/).map { String($0.output.1) }
      #expect(!paths.isEmpty, "\(block) is neither a model nor a list of models")
      for path in paths where path != "Models/NAME.model.json" {
        #expect(throws: Never.self) { try Repository.text(path) }
      }
    }
  }

  /// A block as a whole model: itself, or with a model around its attributes.
  private static func model(_ text: String) -> String? {
    if text.contains("\"copal\":") { return text }
    if text.hasPrefix("\"") {
      return "{\"copal\": 1, \"model\": \"M\", \"entities\": {\"E\": {\"attributes\": {\(text)}}}}"
    }
    return nil
  }
}
