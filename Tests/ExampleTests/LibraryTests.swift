import CopalTestSupport
import Foundation
import Testing

@Suite("The example Library", .timeLimit(.minutes(10)))
struct LibraryTests {
  private let program = Program("LibraryExample")

  @Test("the example answers the lines of a file")
  func script() throws {
    let result = try program.run([], input: try Program.expectedOutput(of: "Library", "script.txt"))
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output == (try Program.expectedOutput(of: "Library")))
  }

  @Test("the example prints its usage, and reports invalid arguments")
  func arguments() throws {
    let help = try program.run(["--help"])
    #expect(help.status == 0 && help.output.hasPrefix("usage: LibraryExample"))
    let wrong = try program.run(["--copies", "0"])
    #expect(wrong.status == 1 && wrong.errors.contains("--copies needs a number from 1 to 10000"))
  }

  @Test("the search field answers at each key, and only the last answer stays")
  func keys() throws {
    let session = try TerminalSession(program, columns: 60)
    // Without a word, the first ten books.
    try session.wait { $0.lines.contains("  …") }
    // Also after three of the keys, these are the books.
    let zola = try session.press("zolà") {
      $0.line == "Search: zolà" && $0.text.contains("Émile Zola, 1880")
        && !$0.text.contains("Balzac")
    }
    #expect(zola.line == "Search: zolà" && zola.column == 12)
    let below = zola.lines.drop { !$0.hasPrefix("Search:") }.dropFirst().filter { !$0.isEmpty }
    #expect(
      Array(below) == [
        "  Au Bonheur des Dames · Émile Zola, 1883", "  Germinal · Émile Zola, 1885",
        "  Nana · Émile Zola, 1880",
      ])
    try session.press(" NAN") { screen in
      screen.line == "Search: zolà NAN" && screen.lines.filter { $0.hasPrefix("  ") }.count == 1
    }
    // Backspace takes a whole character, and Ctrl-U the line.
    try session.press("\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}") { $0.line == "Search: zol" }
    try session.press("\u{15}xyz") { $0.lines.contains("  no book") }
    #expect(try session.pressToEnd("\r") == 0)
    // The terminal cuts long lines again.
    #expect(session.text.hasSuffix("\u{1B}[?7h"))
  }
}
