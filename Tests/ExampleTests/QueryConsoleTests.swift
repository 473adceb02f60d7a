import CopalTestSupport
import Foundation
import Testing

@Suite("The example QueryConsole")
struct QueryConsoleTests {
  private let program = Program("QueryConsoleExample")

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
}
