import CopalTestSupport
import Foundation
import Testing

@Suite("The example ColorPicker")
struct ColorPickerTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appending(path: "ColorPicker.sqlite").path(percentEncoded: false)
  }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program("ColorPickerExample").run(["--store", store] + arguments)
  }

  @Test("row 40: the example makes a palette, keeps its edits, and writes it as CSS")
  func twoRuns() throws {
    let first = try run()
    #expect(first.status == 0 && first.errors.isEmpty)
    #expect(first.output == (try Program.expectedOutput(of: "ColorPicker")))

    #expect(try run("pick", "cinnabar", "color(display-p3 1 0.2 0.1)").status == 0)
    #expect(try run("pick", "smalt", "rgb(0 51 153 / 80%)").status == 0)
    #expect(try run("rename", "bone black", "ink").status == 0)
    #expect(try run("remove", "lead white").status == 0)
    for _ in 1...2 {
      let css = try run("css")
      #expect(css.status == 0 && css.errors.isEmpty)
      #expect(
        css.output == (try Program.expectedOutput(of: "ColorPicker", "expected-second-output.txt")))
    }
  }

  /// A command, and the end of what it prints as an error.
  static let mistakes: [(arguments: [String], error: String)] = [
    (["pick", "cinnabar", "redish"], "[color.css]\n"),
    (["remove", "smalt"], "the palette Atelier has no color 'smalt'\n"),
    (["rename", "smalt"], "css               prints the palette as CSS\n"),
  ]

  @Test("a mistake is an error, and the palette stays", arguments: mistakes)
  func wrongCommands(_ mistake: (arguments: [String], error: String)) throws {
    _ = try run()
    let result = try Program("ColorPickerExample").run(["--store", store] + mistake.arguments)
    #expect(result.status == 1 && result.errors.hasSuffix(mistake.error))
    #expect(try run().output == (try Program.expectedOutput(of: "ColorPicker")))
  }

  @Test("the example shows samples of the colors on a terminal with 24-bit color")
  func samples() throws {
    let result = try Program("ColorPickerExample").runOnTerminal(
      ["--store", store], environment: ["COLORTERM": "truecolor", "NO_COLOR": ""])
    #expect(result.status == 0)
    #expect(result.output.contains("48;2;227;66;52m    \u{1B}[0m cinnabar"))
  }
}
