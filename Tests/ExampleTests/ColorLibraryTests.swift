import CopalTestSupport
import Foundation
import Testing

@Suite("The example ColorLibrary")
struct ColorLibraryTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appending(path: "Colors.sqlite").path(percentEncoded: false)
  }

  private func run(_ arguments: String..., environment: [String: String] = [:]) throws
    -> Program.Result
  {
    try Program("ColorLibraryExample").run(arguments, environment: environment)
  }

  /// A run's output with placeholders for the parts that differ from run to run.
  private func normalized(_ output: String) -> String {
    output.replacing(store, with: "PATH")
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
  }

  @Test(
    "row 19: the example registers its transformer first, creates the library in its first run and finds it in the second"
  )
  func twoRuns() throws {
    let expected = try Program.expectedOutput(of: "ColorLibrary")
    let first = try run("--store", store)
    #expect(first.status == 0 && first.errors.isEmpty)
    #expect(normalized(first.output) == expected)

    let second = try run("--store", store)
    #expect(second.status == 0 && second.errors.isEmpty)
    #expect(
      normalized(second.output)
        == expected.replacing(
          "made the library and saved it", with: "found what an earlier run stored"))
    // The same row, of the same instant.
    #expect(first.output.split(separator: "\n").last == second.output.split(separator: "\n").last)
  }

  @Test("the example keeps its store in the user's data directory by default")
  func defaultStore() throws {
    let home = folder.url.appending(path: "data").path(percentEncoded: false)
    let result = try run(environment: ["XDG_DATA_HOME": home, "CFFIXED_USER_HOME": home])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("store: \(home)"))
    #expect(result.output.contains("Colors/Colors.sqlite\n"))
  }

  @Test("the example shows patches of color on a true-color terminal")
  func swatches() throws {
    let result = try Program("ColorLibraryExample").runOnTerminal(
      ["--store", store], environment: ["COLORTERM": "truecolor", "NO_COLOR": ""])
    #expect(result.status == 0)
    for patch in [
      "48;2;255;0;0m      \u{1B}[0m #FF0000", "48;2;255;255;0m      \u{1B}[0m #FFFF00",
      "48;2;255;165;0m      \u{1B}[0m #FFA500", "48;2;0;255;0m      \u{1B}[0m #00FF00",
      "48;2;0;0;255m      \u{1B}[0m #0000FF",
    ] {
      #expect(result.output.contains("    \u{1B}[\(patch)"))
    }
  }

  @Test(
    "the example writes no escape sequence on a terminal without true color, or with NO_COLOR",
    arguments: [
      ["COLORTERM": "truecolor", "NO_COLOR": "1"], ["COLORTERM": "", "NO_COLOR": ""],
    ])
  func plain(environment: [String: String]) throws {
    let result = try Program("ColorLibraryExample").runOnTerminal(
      ["--store", store], environment: environment)
    #expect(result.status == 0)
    #expect(!result.output.contains("\u{1B}"))
    #expect(result.output.contains("    #FFA500"))
  }

  @Test("the example writes no escape sequence into a file or a pipe")
  func piped() throws {
    let result = try run("--store", store, environment: ["COLORTERM": "truecolor"])
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test("the example prints its usage for --help and -h", arguments: ["--help", "-h"])
  func help(word: String) throws {
    let result = try run(word)
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output == "usage: ColorLibraryExample [--store PATH]\n")
  }

  @Test(
    "the example reports invalid arguments on standard error",
    arguments: [(["--sotre", "x"], "unknown argument '--sotre'"), (["--store"], "wants a path")])
  func wrongArguments(words: [String], expected: String) throws {
    let result = try Program("ColorLibraryExample").run(words)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.contains(expected))
  }

  @Test("the example ends with exit code 1 and the reason when its store cannot be created")
  func unwritable() throws {
    let path = folder.url.appending(path: "nowhere/Colors.sqlite").path(percentEncoded: false)
    let result = try run("--store", path)
    #expect(result.status == 1)
    #expect(result.errors.contains("ColorLibraryExample: '\(path)' cannot be opened"))
    #expect(result.errors.contains("[store.folderMissing]"))
  }

  @Test("the example does not change a file that is not a store")
  func foreignFile() throws {
    let text = "a letter to a friend, and no database at all"
    try text.write(toFile: store, atomically: true, encoding: .utf8)
    let result = try run("--store", store)
    #expect(result.status == 1 && result.errors.contains("[store.notADatabase]"))
    #expect(try String(contentsOfFile: store, encoding: .utf8) == text)
  }
}
