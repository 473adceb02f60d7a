import Foundation
import Testing

@Suite("The example QueryConsole")
struct QueryConsoleTests {
  private let program = Program("QueryConsoleExample")

  /// Presses keys on a terminal of 80 columns and ends the program with Ctrl-D. The result is the output without the
  /// sequences that move the cursor.
  private func press(_ keys: String, colors: Bool = false) throws -> String {
    let result = try program.runOnTerminal(
      [], environment: ["TERM": "xterm", "NO_COLOR": colors ? "" : "1"],
      pressing: keys + "\u{04}", after: "where> ")
    #expect(result.status == 0)
    return result.output
  }

  @Test("the example answers the lines of a file")
  func script() throws {
    let result = try program.run(
      [], input: try Program.expectedOutput(of: "QueryConsole", "script.txt"))
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output == (try Program.expectedOutput(of: "QueryConsole")))
  }

  @Test("an empty input, an unknown entity and .quit need no condition")
  func commands() throws {
    #expect(try program.run([]).output.isEmpty)
    let result = try program.run([], input: ".entity Brush\n.limit 0\n.quit\nprice > 1\n")
    #expect(result.status == 0)
    #expect(
      result.output == """
        Pigment where> .entity Brush
        unknown entity 'Brush'; there are Maker, Pigment, Painter, Painting
        Pigment where> .limit 0
        .limit needs a number greater than 0, such as .limit 10
        Pigment where> .quit

        """)
  }

  @Test(
    "keys edit a line, and earlier lines come back",
    arguments: [
      ("lo\u{1B}[Dimit\u{1B}[C\u{7F}\u{01}.\u{05} 3\r", ".limit 3"),
      (".limit 3\u{17}4 胡\u{7F}\u{7F}\r", ".limit 4"),
      ("x.limit 5y\u{1B}[D\u{1B}[3~\u{1B}[1~\u{1B}[3~\r", ".limit 5"),
      ("name == 1\u{15}.limit 6\u{1B}[H\u{0B}.limit 7\r", ".limit 7"),
      (".limit 8\r.explain off\r\u{1B}[A\u{1B}[A\u{1B}[B\u{1B}OA\r.quit\r", ".limit 8"),
      ("price >\u{03}.limit 9\r", ".limit 9"),
    ])
  func keys(keys: String, expected: String) throws {
    let output = try press(keys)
    #expect(output.contains("\rPigment where> \(expected)\u{1B}[K\n"))
    #expect(!output.contains("unknown command"))
  }

  @Test("a long line shows the part around the cursor, and the whole line in the end")
  func longLine() throws {
    let line = "name == \"" + String(repeating: "胡粉", count: 20) + "\""
    let output = try press(line + "\r")
    #expect(output.contains("\rPigment where> \(line)\u{1B}[K\n"))
    #expect(output.contains("0 rows\n"))
    let parts = try press(line)
    #expect(parts.contains("\rPigment where> …"))
  }

  @Test("a terminal shows keywords in bold and errors in red, unless NO_COLOR is set")
  func colors() throws {
    let colored = try press("price > 20\rprise > 20\r", colors: true)
    #expect(colored.contains("\u{1B}[1mSELECT\u{1B}[0m \"copal_id\""))
    #expect(colored.contains("\u{1B}[31mPigment has no property 'prise'; did you mean 'price'?"))
    let plain = try press("price > 20\rprise > 20\r")
    #expect(plain.contains("\nSELECT \"copal_id\"") && !plain.contains("\u{1B}[31m"))
  }
}
