import Foundation

/// Reads lines from a terminal that is read key by key. Arrows, Home, End and the control keys of
/// most shells edit it; the arrows up and down bring back earlier lines.
final class LineEditor {
  private let terminal: Terminal
  private var history: [String] = []
  /// Bytes that were read and not used yet.
  private var input: ArraySlice<UInt8> = []

  // The line: what is before the cursor, and what is after it.
  private var before = ""
  private var after = ""

  // The place in the history, and the line that is written while an earlier one is shown.
  private var place = 0
  private var draft = ""
  private var prompt = ""

  init(_ terminal: Terminal) { self.terminal = terminal }

  /// The next line; nil at the end of the input, and for Ctrl-D in an empty line.
  func readLine(prompt: String) -> String? {
    (self.prompt, before, after, draft, place) = (prompt, "", "", "", history.count)
    fflush(nil)
    let line = edit()
    if let line, !line.isEmpty, line != history.last { history.append(line) }
    return line
  }

  private func edit() -> String? {
    while true {
      if input.isEmpty { draw() }
      guard let byte = nextByte() else {
        write("\n")
        return nil
      }
      switch byte {
      case 0x0D, 0x0A: return finish()
      case control("C"):
        moveToEnd()
        draw()
        write("^C\n")
        return ""
      case control("D"):
        if before.isEmpty && after.isEmpty {
          write("\n")
          return nil
        }
        deleteForward()
      case 0x1B: escapeSequence()
      case control("Z"): terminal.suspend()
      case 0..<0x20, 0x7F: controlKey(byte)
      default: insert(byte)
      }
    }
  }

  private func controlKey(_ byte: UInt8) {
    switch byte {
    case 0x7F, control("H"): _ = before.popLast()
    case control("A"): moveToStart()
    case control("E"): moveToEnd()
    case control("B"): moveLeft()
    case control("F"): moveRight()
    case control("U"): before = ""
    case control("K"): after = ""
    case control("W"): deleteWord()
    case control("P"): showHistory(place - 1)
    case control("N"): showHistory(place + 1)
    case control("L"): write("\u{1B}[H\u{1B}[2J")
    case control("I"): before.append(" ")
    default: break
    }
  }

  /// A key that sends several bytes, such as ESC [ D or ESC [ 1 ; 5 D for an arrow.
  private func escapeSequence() {
    guard let introducer = nextByte() else { return }
    guard introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else { return }
    var parameters = ""
    while let byte = nextByte() {
      let character = Character(Unicode.Scalar(byte))
      guard character.isASCII, character.isNumber || character == ";" else {
        key(character, parameters.prefix { $0 != ";" })
        return
      }
      parameters.append(character)
    }
  }

  private func key(_ character: Character, _ number: Substring) {
    switch (character, number) {
    case ("A", _): showHistory(place - 1)
    case ("B", _): showHistory(place + 1)
    case ("C", _): moveRight()
    case ("D", _): moveLeft()
    case ("H", _), ("~", "1"), ("~", "7"): moveToStart()
    case ("F", _), ("~", "4"), ("~", "8"): moveToEnd()
    case ("~", "3"): deleteForward()
    default: break
    }
  }

  private func moveLeft() { if let last = before.popLast() { after = String(last) + after } }
  private func moveRight() { if !after.isEmpty { before.append(after.removeFirst()) } }
  private func moveToStart() { (before, after) = ("", before + after) }
  private func moveToEnd() { (before, after) = (before + after, "") }
  private func deleteForward() { if !after.isEmpty { after.removeFirst() } }

  private func deleteWord() {
    while before.last?.isWhitespace == true { before.removeLast() }
    while let last = before.last, !last.isWhitespace { before.removeLast() }
  }

  private func showHistory(_ index: Int) {
    guard index >= 0, index <= history.count else { return }
    if place == history.count { draft = before + after }
    place = index
    (before, after) = (index == history.count ? draft : history[index], "")
  }

  /// Inserts the character that begins with a byte.
  private func insert(_ first: UInt8) {
    var bytes = [first]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    while bytes.count < count, let next = nextByte() { bytes.append(next) }
    before += String(decoding: bytes, as: UTF8.self)
  }

  /// Shows the whole line, in several rows if it is long.
  private func finish() -> String {
    moveToEnd()
    write("\r\(prompt)\(before)\u{1B}[K\n")
    return before
  }

  /// Shows the line in one row. Of a long line, it shows the part around the cursor.
  private func draw() {
    let room = max(terminal.width - prompt.displayWidth - 1, 10)
    let cutsStart = before.displayWidth > room - 1
    let left = cutsStart ? "…" + before.suffix(columns: room - 2) : before
    let rest = room - left.displayWidth
    let right = after.displayWidth <= rest ? after : after.prefix(columns: rest - 1) + "…"
    let column = prompt.displayWidth + left.displayWidth
    write("\r\(prompt)\(left)\(right)\u{1B}[K\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
  }

  private func nextByte() -> UInt8? {
    if input.isEmpty {
      var buffer = [UInt8](repeating: 0, count: 1024)
      var count = 0
      repeat { count = read(STDIN_FILENO, &buffer, buffer.count) } while count < 0 && errno == EINTR
      input = buffer.prefix(max(count, 0))
    }
    return input.popFirst()
  }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  private func control(_ letter: Unicode.Scalar) -> UInt8 { UInt8(letter.value & 0x1F) }
}
