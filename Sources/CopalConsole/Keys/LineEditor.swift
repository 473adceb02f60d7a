import CopalEssentials
import CopalExchange

/// Reads lines from a terminal that is read key by key. Arrows, Home, End and the control keys of
/// most shells edit it; the arrows up and down bring back earlier lines, and Tab completes a word.
package final class LineEditor {
  private let terminal: KeyTerminal
  /// The words that can take the place of the last word of a text.
  var complete: (String) -> (word: String, completions: [String]) = { _ in ("", []) }
  /// Whether Control-C has ended the last line.
  private(set) var wasCanceled = false
  /// The earlier lines, the oldest first.
  package private(set) var history: [String]
  /// Bytes that were read and not used yet.
  private var input: ArraySlice<UInt8> = []

  // The line: what is before the cursor, and what is after it.
  private var before = ""
  private var after = ""

  // The place in the history, and the line that is written while an earlier one is shown.
  private var place = 0
  private var draft = ""
  private var prompt = ""

  package init(_ terminal: KeyTerminal, history: [String] = []) {
    (self.terminal, self.history) = (terminal, history)
  }

  /// The next line; nil at the end of the input, and for Ctrl-D in an empty line.
  package func readLine(prompt: String) -> String? {
    (self.prompt, before, after, draft, place) = (prompt, "", "", "", history.count)
    wasCanceled = false
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
        wasCanceled = true
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
    case control("I"): completeWord()
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

  /// Completes the last word as far as it is clear. Where nothing more is clear, the words are
  /// shown below the line.
  private func completeWord() {
    let (word, all) = complete(before)
    guard let first = all.first else { return }
    let common = all.dropFirst().reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
    if common.count > word.count || all.count == 1 {
      before.removeLast(word.count)
      before += common
      return
    }
    let text = all.prefix(60).joined(separator: "  ").inOneLine
    write("\n\(text)\(all.count > 60 ? " …" : "")\n")
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
      repeat { count = systemRead(&buffer, buffer.count) } while count < 0 && errno == EINTR
      input = buffer.prefix(max(count, 0))
    }
    return input.popFirst()
  }

  private func write(_ text: String) { StandardStreams.write(text) }

  private func control(_ letter: Unicode.Scalar) -> UInt8 { UInt8(letter.value & 0x1F) }
}

// Outside the type, where `read` is another function.
private func systemRead(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(STDIN_FILENO, bytes, count)
}

/// Writes to the streams of the process, without a buffer.
package enum StandardStreams {
  /// Writes a text on the standard output, or on another stream. What cannot be written is lost.
  package static func write(_ text: String, to file: CInt = STDOUT_FILENO) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
