import CopalTestSupport
import Foundation
import Testing

/// A guide whose listings are one program: its page, the files of its listings, and its models.
struct ProgramGuide: Sendable, CustomTestStringConvertible {
  let page: String
  let files: [String]
  let models: [String]
  var testDescription: String { page }

  static let authors = ProgramGuide(
    page: "StoreAuthors.md", files: ["TableStore.swift", "StoreAuthors.swift"],
    models: ["Bookshop.model.json"])

  static let all = [authors]

  /// What the listings print, according to the page.
  func expectedOutput() throws -> String {
    try Page("Docs/\(page)").blocks.filter { $0.kind == "text" }.map(\.text)
      .joined(separator: "\n")
  }

  /// The function that the listings are in.
  var function: String {
    let name = page.dropLast(".md".count)
    return name.prefix(1).lowercased() + name.dropFirst() + "Guide"
  }
}

@Suite("A guide that is a program")
struct GuideProgramTests {
  @Test("A guide shows every part of its program, in its order", arguments: ProgramGuide.all)
  func isInOrder(guide: ProgramGuide) throws {
    let program = try guide.files.map {
      try Repository.text("Tests/DocumentationTests/Listings/\($0)")
    }.joined()
    let lines = program.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let listings = try Page("Docs/\(guide.page)").blocks.filter {
      $0.kind == "swift" && !$0.text.contains(".package(")
    }
    let shown = listings.flatMap(\.lines).map { $0.trimmingCharacters(in: .whitespaces) }
    // What compiles and orders the listings is in the file alone.
    let function = guide.function
    var rest = lines[...]
    for line in shown where !line.isEmpty && !Page.isImport(line) {
      let position = try #require(rest.firstIndex(of: line), "\(guide.page): \(line)")
      let skipped = rest[..<position].filter { $0 != "}" }
      let isScaffold = skipped.allSatisfy { line in
        Page.isImport(line)
          || ["//", "private func print(", "func \(function)", "try \(function)"]
            .contains(where: line.hasPrefix)
      }
      #expect(isScaffold, "\(guide.page) leaves out: \(skipped)")
      rest = rest[(position + 1)...]
    }
    #expect(rest.allSatisfy { $0 == "}" }, "\(guide.page) leaves out: \(rest)")
  }

  @Test("A guide prints the model that its program is built with", arguments: ProgramGuide.all)
  func hasModel(guide: ProgramGuide) throws {
    let models = try Page("Docs/\(guide.page)").blocks.filter { $0.kind == "json" }.map(\.text)
    for model in guide.models {
      let text = try Repository.text("Tests/DocumentationTests/Listings/\(model)")
      #expect(models.contains { $0 + "\n" == text }, "\(guide.page): \(model)")
    }
  }

  @Test("The program of StoreAuthors.md prints what the page says")
  func storeAuthors() throws {
    let output = try Printed.text { try storeAuthorsGuide() }
    #expect(try output == ProgramGuide.authors.expectedOutput())
  }

  @Test("The store of StoreAuthors.md compiles in a package of its own")
  func isPublic() throws {
    // Compiled without the name of a package, so that nothing of Copal is seen that is not public.
    let source = try Repository.text("Tests/DocumentationTests/Listings/TableStore.swift")
    let result = try Command.compile(source)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test("The program of StoreAuthors.md compiles with the store as a module of its own")
  func isImported() throws {
    let page = try PageProgram(page: Page("Docs/StoreAuthors.md"))
    let program = try #require(
      page.page.blocks.first { $0.kind == "swift" && $0.text.hasPrefix("import Copal\n") })
    let folder = RunFolder.url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let store = try Repository.text("Tests/DocumentationTests/Listings/TableStore.swift")
    let module = try Command.compileModule("TableStore", store, in: folder)
    #expect(module.status == 0, "\(module.output)")
    let files = try page.generatedCode(in: folder) + [folder.appending(path: "main.swift")]
    try program.text.write(to: files[files.count - 1], atomically: true, encoding: .utf8)
    let result = try Command.check(files, modules: folder)
    #expect(result.status == 0, "\(result.output)")
  }
}
