import CopalCodegen
import CopalModel
import Foundation

/// A page as one program: what a reader gets who types the listings of the page into a new package,
/// in their order, with the model that the page prints.
///
/// The fences of a page say what its blocks are:
///
/// | Fence | What the block is |
/// |---|---|
/// | `swift` | the next lines of `main.swift`, unless it is a `Package.swift` or a part of one |
/// | `swift refused` | code that must not compile; not a part of the program |
/// | `json` | a model when it has the key `copal` |
/// | `json refused` | a model with a mistake; the block after it has the message of the build |
/// | `text output` | the next lines that the program prints; `…` stands for any characters |
/// | `console` | commands after `$`, run in the folder of the user's data, and what they print |
///
/// A page may have a second version of its program, which finds the store of the first one. Its
/// blocks are those fenced with `swift v2`, `json v2` and `text output v2`.
struct PageProgram: Sendable, CustomStringConvertible {
  /// The pages that are programs.
  static let all: [PageProgram] = [
    "README.md", "Docs/GettingStarted.md", "Docs/Basics.md", "Docs/GeneratedCode.md",
    "Docs/Transformers.md",
    "Docs/TransformerReference.md", "Docs/Faulting.md", "Docs/Concurrency.md", "Docs/Saving.md",
    "Docs/Conflicts.md", "Docs/Migration.md", "Docs/ExternalData.md", "Docs/Options.md",
    "Docs/Fetching.md",
    "Docs/Relationships.md", "Docs/Inheritance.md", "Docs/FoundationPredicates.md",
    "Docs/Batches.md", "Docs/Statements.md", "Docs/RawSQL.md", "Docs/Contexts.md",
    "Docs/LiveResults.md", "Docs/Porting.md", "Docs/ComingFromGRDB.md",
    "Docs/ComingFromSwiftData.md", "Docs/BackupsAndPrivacy.md", "Docs/Searching.md",
  ].compactMap { (try? Page($0)).map { PageProgram(page: $0) } }

  static let paths = Set(all.map(\.page.path))

  let page: Page
  /// What follows the words of a fence: empty, or " v2" for the second version of the program.
  private(set) var version = ""

  var description: String { page.path + version }

  /// The program that replaces this one later, with a newer model, or nil.
  var secondVersion: PageProgram? {
    let second = PageProgram(page: page, version: " v2")
    return version.isEmpty && !second.source.isEmpty ? second : nil
  }

  /// The text of `main.swift`.
  var source: String {
    blocks("swift").filter { !$0.contains(".package(") }.map { $0 + "\n" }.joined(separator: "\n")
  }

  /// The models, as the page prints them.
  var models: [String] { blocks("json").filter { $0.contains("\"copal\":") } }

  /// The lines that the page says the program prints.
  var output: [Substring] { blocks("text output").flatMap { $0.split(separator: "\n") } }

  /// The commands of the page, each with the lines that the page says it prints.
  var commands: [(command: String, output: [Substring])] {
    var commands: [(command: String, output: [Substring])] = []
    for line in blocks("console").flatMap({ $0.split(separator: "\n") }) {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
    return commands
  }

  private func blocks(_ kind: String) -> [String] {
    page.blocks.filter { $0.kind == kind + version }.map(\.text)
  }

  // MARK: Building

  /// Compiles the program, as the package manager and the plugin do.
  ///
  /// - Returns: where the program is, or nil and what the compiler printed.
  func build(in folder: URL) throws -> (program: URL?, output: String) {
    let main = folder.appending(path: "main.swift")
    try source.write(to: main, atomically: true, encoding: .utf8)
    let files = try [main] + generatedCode(in: folder)
    let program = folder.appending(path: "guide")
    let result = try Command.build(files, program: program)
    return (result.status == 0 ? program : nil, result.output)
  }

  /// Writes the code that the plugin makes of the models.
  func generatedCode(in folder: URL) throws -> [URL] {
    try models.map { text in
      let model = try ManagedObjectModel(json: text, file: "\(page)")
      let file = folder.appending(path: "\(model.name)+Copal.swift")
      let code = try CodeGenerator(model, file: "\(page)", module: "Guide", text: text).swiftText()
      try code.write(to: file, atomically: true, encoding: .utf8)
      return file
    }
  }
}
