import CopalTestSupport
import Foundation
import Testing

@Suite("The keys of the example QueryConsole", .timeLimit(.minutes(10)))
struct QueryConsoleKeyTests {
  private static let prompt = "Pigment where> "

  private enum Key {
    static let (left, right, up, down) = ("\u{1B}[D", "\u{1B}[C", "\u{1B}[A", "\u{1B}[B")
    static let (home, end, delete) = ("\u{1B}[H", "\u{1B}[F", "\u{1B}[3~")
    static let backspace = "\u{7F}"

    static func control(_ letter: Unicode.Scalar) -> String {
      String(Unicode.Scalar(UInt8(letter.value & 0x1F)))
    }
  }

  /// A session that has shown its first prompt.
  private func session(columns: Int = 80, _ environment: [String: String] = [:]) throws
    -> TerminalSession
  {
    let session = try TerminalSession(
      Program("QueryConsoleExample"), columns: columns, environment: environment)
    try session.wait { $0.line == "Pigment where>" }
    return session
  }

  /// Presses keys, and waits until the line after the prompt is a text, with the cursor after a
  /// number of its columns.
  private func press(
    _ session: TerminalSession, _ keys: String, shows line: String, at column: Int? = nil
  ) throws {
    let whole = (Self.prompt + line).trimmingCharacters(in: .whitespaces)
    try session.press(keys) {
      $0.line == whole && $0.column == Self.prompt.count + (column ?? line.count)
    }
  }

  /// Presses keys with Return at their end, and waits for the next prompt. The lines between them.
  private func answer(_ session: TerminalSession, _ keys: String) throws -> [String] {
    let before = session.screen.row
    let screen = try session.press(keys + "\r") {
      $0.row > before && $0.line == Self.prompt.trimmingCharacters(in: .whitespaces)
    }
    return Array(screen.lines[(before + 1)..<screen.row])
  }

  @Test("the arrows, Home and End move the cursor, and a character is inserted at it")
  func arrows() throws {
    let session = try session()
    try press(session, "ab", shows: "ab")
    try press(session, Key.left, shows: "ab", at: 1)
    try press(session, "c", shows: "acb", at: 2)
    try press(session, Key.left + Key.left + Key.left, shows: "acb", at: 0)
    try press(session, "x", shows: "xacb", at: 1)
    try press(session, Key.right + Key.right, shows: "xacb", at: 3)
    try press(session, Key.end, shows: "xacb")
    try press(session, Key.right + "y", shows: "xacby")
    try press(session, Key.home, shows: "xacby", at: 0)
    // The same keys in other modes of a terminal, and with the control key.
    try press(session, "\u{1B}OC", shows: "xacby", at: 1)
    try press(session, "\u{1B}[1;5C", shows: "xacby", at: 2)
    try press(session, "\u{1B}OF", shows: "xacby", at: 5)
    try press(session, "\u{1B}[1~", shows: "xacby", at: 0)
    try press(session, "\u{1B}[15~\u{1B}[200~z", shows: "zxacby", at: 1)
  }

  @Test("Ctrl-A, E, B, F, K, U and W do what they do in a shell")
  func controlKeys() throws {
    let session = try session()
    try press(session, "price > 20 OR name", shows: "price > 20 OR name")
    try press(session, Key.control("A"), shows: "price > 20 OR name", at: 0)
    try press(session, Key.control("F") + Key.control("F"), shows: "price > 20 OR name", at: 2)
    try press(session, Key.control("B"), shows: "price > 20 OR name", at: 1)
    try press(session, Key.control("E"), shows: "price > 20 OR name")
    try press(session, Key.control("W"), shows: "price > 20 OR ")
    try press(session, Key.control("W"), shows: "price > 20 ")
    try press(session, Key.control("A") + Key.right + Key.control("K"), shows: "p")
    try press(session, "q" + Key.left + Key.control("U"), shows: "q", at: 0)
    try press(session, Key.control("E") + Key.control("U"), shows: "")
    try press(session, Key.control("K") + Key.control("W") + Key.control("A"), shows: "")
  }

  @Test("Backspace and Delete remove a character, also one of several bytes or two columns")
  func removing() throws {
    let session = try session()
    try press(session, "abc" + Key.backspace, shows: "ab")
    try press(session, Key.control("H"), shows: "a")
    try press(session, Key.backspace + Key.backspace + Key.backspace, shows: "")
    try press(session, Key.delete, shows: "")
    try press(session, "Éé日本", shows: "Éé日本", at: 6)
    try press(session, Key.backspace, shows: "Éé日", at: 4)
    try press(session, Key.left, shows: "Éé日", at: 2)
    try press(session, Key.backspace, shows: "É日", at: 1)
    try press(session, Key.delete, shows: "É", at: 1)
    try press(session, Key.home + Key.delete, shows: "")
  }

  @Test("the arrows up and down bring back earlier lines, and the line that was not finished")
  func history() throws {
    let session = try session()
    #expect(try answer(session, ".explain off").isEmpty)
    let rows = try answer(session, "price > 100")
    #expect(rows.last == "1 row")
    try press(session, "draft" + Key.up, shows: "price > 100")
    try press(session, Key.up, shows: ".explain off")
    try press(session, Key.up, shows: ".explain off")
    try press(session, Key.control("N"), shows: "price > 100")
    try press(session, Key.down, shows: "draft")
    try press(session, Key.down, shows: "draft")
    try press(session, Key.control("P"), shows: "price > 100")
    #expect(try answer(session, "") == rows)
    // Equal lines that follow each other are kept once. An earlier line that is changed is a new
    // one.
    try press(session, Key.up + Key.up, shows: ".explain off")
    try press(session, Key.down + Key.backspace, shows: "price > 10")
    let more = try answer(session, "")
    #expect(more.count > rows.count)
    try press(session, Key.up + Key.up, shows: "price > 100")
  }

  @Test("Ctrl-D in an empty line ends the program, and the terminal has its mode again")
  func end() throws {
    let session = try session()
    #expect(!session.isInLineMode)
    // In a line with text, it removes the character at the cursor.
    try press(session, "abc" + Key.left + Key.control("D"), shows: "ab")
    try press(session, Key.control("D"), shows: "ab")
    try press(session, Key.control("U"), shows: "")
    #expect(try session.pressToEnd(Key.control("D")) == 0)
    #expect(session.isInLineMode)
    #expect(session.screen.lines.suffix(2) == ["Pigment where>", ""])
  }

  @Test("Ctrl-D that follows the last line at once ends the program after its answer")
  func endAtOnce() throws {
    let session = try session()
    let keys = ".explain off\rprice > 100\r" + Key.control("D")
    #expect(try session.pressToEnd(keys) == 0)
    #expect(session.screen.lines.contains("1 row"))
  }

  @Test(".quit ends the program")
  func quit() throws {
    let session = try session()
    #expect(try session.pressToEnd(".quit\r") == 0)
    #expect(session.isInLineMode)
  }

  @Test("Ctrl-C leaves a line without an answer, and the program goes on")
  func cancel() throws {
    let session = try session()
    try session.press("price >" + Key.control("C")) { $0.line == "Pigment where>" && $0.row > 1 }
    #expect(session.screen.lines.suffix(2) == ["Pigment where> price >^C", "Pigment where>"])
    #expect(try answer(session, ".explain off").isEmpty)
    #expect(try answer(session, "price > 100").last == "1 row")
  }

  @Test("a line that is wider than the terminal is shown in one row, and whole when it is finished")
  func longLine() throws {
    let session = try session(columns: 40)
    #expect(try answer(session, ".explain off").isEmpty)
    let row = session.screen.row
    let line = "price > 100 OR name == 'abcdefghijklmnopqrstuvwxyz' OR name == 'z'"
    let end = try session.press(line) { $0.line.hasSuffix("OR name == 'z'") }
    #expect(end.line == "Pigment where> …mnopqrstuvwxyz' OR name == 'z'".suffixed(to: end.line))
    #expect(end.row == row && end.line.count <= 40 && end.line.hasPrefix("Pigment where> …"))
    let start = try session.press(Key.control("A")) { $0.line.hasPrefix("Pigment where> price") }
    #expect(start.row == row && start.line.count <= 40 && start.line.hasSuffix("…"))
    #expect(start.column == Self.prompt.count)
    let middle = try session.press(String(repeating: Key.right, count: 30)) {
      $0.line.hasPrefix("Pigment where> …")
    }
    #expect(middle.row == row && middle.line.count <= 40 && middle.line.hasSuffix("…"))
    let answered = try session.press("\r") { $0.row > row + 2 && $0.line == "Pigment where>" }
    let whole = answered.lines[row...].joined()
    #expect(whole.replacing(" ", with: "").contains(line.replacing(" ", with: "")))
    #expect(answered.lines.contains("1 row"))
    #expect(answered.lines.allSatisfy { $0.count <= 40 })
  }

  @Test("lines that are pasted together are answered one after the other")
  func pasted() throws {
    let session = try session()
    let screen = try session.press(".explain off\rprice > 100\rprice > 1000\r") {
      $0.lines.filter { $0 == "1 row" || $0 == "0 rows" }.count == 2 && $0.line == "Pigment where>"
    }
    #expect(screen.lines.filter { $0.hasPrefix("Pigment where> price") }.count == 2)
  }

  @Test("a mistake has a mark below its place, and no place has a color with NO_COLOR")
  func colors() throws {
    for isColored in [true, false] {
      let session = try session(["NO_COLOR": isColored ? "" : "1"])
      let lines = try answer(session, "price >> 3")
      #expect(lines.first?.hasPrefix("1:7: ") == true, "\(lines)")
      #expect(lines.suffix(2) == ["  price >> 3", "        ^"], "\(lines)")
      _ = try answer(session, "price > 100")
      #expect(session.text.contains("\u{1B}[31m") == isColored)
      #expect(session.text.contains("\u{1B}[1mSELECT\u{1B}[0m") == isColored)
      #expect(session.text.contains("m\u{1B}[0m") == false)
    }
  }

  @Test("a terminal that knows no escape sequences is read line by line")
  func dumb() throws {
    let session = try TerminalSession(Program("QueryConsoleExample"), environment: ["TERM": "dumb"])
    let status = try session.pressToEnd(".explain off\nprice > 100\n\u{04}")
    #expect(status == 0)
    #expect(session.screen.lines.contains("1 row"))
    #expect(!session.text.contains("\u{1B}"))
  }
}

extension String {
  /// The last characters of the text after the first 16, so many as a line has, after the same
  /// start.
  fileprivate func suffixed(to line: String) -> String {
    String(prefix(16)) + String(suffix(max(line.count - 16, 0)))
  }
}
