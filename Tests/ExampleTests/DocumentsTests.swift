import CopalTestSupport
import Foundation
import Testing

@Suite("The example Documents")
struct DocumentsTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.appending(path: "documents").path(percentEncoded: false)
  }

  private func run() throws -> Program.Result {
    let result = try Program("DocumentsExample").run(["--folder", path])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return result
  }

  private func output(_ result: Program.Result) -> String {
    result.output.replacing(path, with: "PATH")
  }

  @Test(
    "rows 46 and 69: the example copies documents to another base, and finds them in each later run"
  )
  func twoRuns() throws {
    #expect(output(try run()) == (try Program.expectedOutput(of: "Documents")))
    let second = try Program.expectedOutput(of: "Documents", "expected-second-output.txt")
    for _ in 1...2 { #expect(output(try run()) == second) }
  }

  @Test("the copy is a complete library, also at the path of the first one")
  func copy() throws {
    _ = try run()
    let library = URL(filePath: path).appending(path: "Library")
    let copy = URL(filePath: path).appending(path: "Copy")
    try FileManager.default.removeItem(at: library)
    try FileManager.default.copyItem(at: copy, to: library)
    #expect(
      output(try run())
        == (try Program.expectedOutput(of: "Documents", "expected-second-output.txt")))
  }

  @Test("the example keeps its folders in the user's data directory by default")
  func defaultFolder() throws {
    let result = try Program("DocumentsExample").run(
      [], environment: ["XDG_DATA_HOME": path, "CFFIXED_USER_HOME": path])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.contains("\n    \(path)"))
    #expect(result.output.contains("Documents/Copy/texts/poppies.txt\n"))
  }

  @Test("the example prints its usage for --help and -h", arguments: ["--help", "-h"])
  func help(word: String) throws {
    let result = try Program("DocumentsExample").run([word])
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output == "usage: DocumentsExample [--folder PATH]\n")
  }

  @Test(
    "the example reports invalid arguments on standard error",
    arguments: [
      (["--foldre", "x"], "unknown argument '--foldre'"), (["--folder"], "needs a path"),
    ])
  func wrongArguments(words: [String], expected: String) throws {
    let result = try Program("DocumentsExample").run(words)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.contains(expected))
  }
}
