import CopalTestSupport
import Foundation
import Testing

@Suite("The example Recipes")
struct RecipesTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appending(path: "Recipes.sqlite").path(percentEncoded: false)
  }

  private func run(_ arguments: String..., environment: [String: String] = [:]) throws
    -> Program.Result
  {
    try Program("RecipesExample").run(arguments, environment: environment)
  }

  /// What the `sqlite3` tool finds in the store of the example.
  private func sqlite3(_ sql: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-readonly", store, sql]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  @Test("the example makes the salad in its first run, and finds it with its order in the second")
  func twoRuns() throws {
    let first = try run("--store", store)
    #expect(first.status == 0 && first.errors.isEmpty)
    #expect(
      first.output.replacing(store, with: "PATH") == (try Program.expectedOutput(of: "Recipes")))
    #expect(try sqlite3("PRAGMA foreign_key_check").isEmpty)

    for _ in 1...2 {
      let second = try run("--store", store, "--people", "7")
      #expect(second.status == 0 && second.errors.isEmpty)
      #expect(
        second.output.replacing(store, with: "PATH")
          == (try Program.expectedOutput(of: "Recipes", "expected-second-output.txt")))
      #expect(try sqlite3("PRAGMA foreign_key_check").isEmpty)
    }
  }

  @Test("the example moves an ingredient by writing one row")
  func file() throws {
    _ = try run("--store", store)
    let dressing = """
      SELECT name FROM Ingredient
      WHERE section = (SELECT copal_id FROM Section WHERE name = 'Dressing')
      """
    #expect(
      try sqlite3("\(dressing) ORDER BY copal_order_section, copal_id")
        == "vegetable broth\nonion\nwhite wine vinegar\nmustard\nrapeseed oil\n")
    #expect(try sqlite3("\(dressing) AND copal_version > 1") == "vegetable broth\n")
    #expect(try sqlite3("SELECT amount FROM Ingredient WHERE name = 'waxy potatoes'") == "1.2\n")
  }

  @Test("the example keeps its store in the user's data directory by default")
  func defaultStore() throws {
    let home = folder.url.appending(path: "data").path(percentEncoded: false)
    let result = try run(environment: ["XDG_DATA_HOME": home, "CFFIXED_USER_HOME": home])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("store: \(home)"))
    #expect(result.output.contains("Recipes/Recipes.sqlite\n"))
  }

  @Test("the example shows bold headings on a terminal")
  func styles() throws {
    let result = try Program("RecipesExample").runOnTerminal(
      ["--store", store], environment: ["TERM": "xterm", "NO_COLOR": ""])
    #expect(result.status == 0)
    #expect(result.output.contains("\u{1B}[1mPotato salad, serves 4\u{1B}[0m\n"))
    #expect(result.output.contains("\u{1B}[2mpicnic · salad · vegetarian\u{1B}[0m\n"))
  }

  @Test(
    "the example writes no escape sequence on a terminal without colors, or with NO_COLOR",
    arguments: [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb", "NO_COLOR": ""]])
  func plain(environment: [String: String]) throws {
    let result = try Program("RecipesExample").runOnTerminal(
      ["--store", store], environment: environment)
    #expect(result.status == 0)
    #expect(!result.output.contains("\u{1B}"))
    #expect(result.output.contains("\nPotato salad, serves 4\n"))
  }

  @Test("the example prints its usage for --help and -h", arguments: ["--help", "-h"])
  func help(word: String) throws {
    let result = try run(word)
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output == "usage: RecipesExample [--store PATH] [--people NUMBER]\n")
  }

  @Test(
    "the example reports invalid arguments on standard error",
    arguments: [
      (["--sotre", "x"], "unknown argument '--sotre'"), (["--store"], "needs a path"),
      (["--people"], "needs a number"), (["--people", "0"], "needs a number from 1 to 1000"),
      (["--people", "four"], "needs a number from 1 to 1000"),
    ])
  func wrongArguments(words: [String], expected: String) throws {
    let result = try Program("RecipesExample").run(words)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.contains(expected))
  }
}
