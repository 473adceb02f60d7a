import Foundation

/// A line in which a person types, with the books that have what is typed below it.
@MainActor
final class SearchField {
  private let search: BookSearch
  private let terminal: Terminal
  private var typed: [UInt8] = []
  private var answer = Answer([])
  /// The number of the last search. An answer of an earlier one comes too late.
  private var number = 0

  private enum Key {
    static let (interrupt, end, escape): (UInt8, UInt8, UInt8) = (0x03, 0x04, 0x1B)
    static let (enter, newline): (UInt8, UInt8) = (0x0D, 0x0A)
    static let (backspace, delete, clear): (UInt8, UInt8, UInt8) = (0x08, 0x7F, 0x15)
  }

  init(_ search: BookSearch, _ terminal: Terminal) {
    (self.search, self.terminal) = (search, terminal)
  }

  /// Answers at each key, until Return, Escape, Ctrl-C or Ctrl-D.
  func run() async {
    terminal.write("Type a part of a title or of a name. End: Return.\n")
    terminal.beginReadingKeys()
    defer { terminal.restore() }
    find()
    for await key in terminal.keys() {
      switch key {
      case Key.interrupt, Key.end, Key.escape, Key.enter, Key.newline:
        terminal.write("\r\u{1B}[J")
        return
      case Key.backspace, Key.delete: removeLast()
      case Key.clear: typed = []
      case ..<0x20: continue
      default: typed.append(key)
      }
      // A character of several bytes is complete with its last one.
      if String(validating: typed, as: UTF8.self) != nil { find() }
    }
  }

  private var text: String { String(decoding: typed, as: UTF8.self) }

  private func removeLast() { typed = Array(text.dropLast().utf8) }

  /// Begins a search. The one before it ends.
  private func find() {
    number += 1
    let (number, text) = (number, text)
    draw()
    Task {
      let books = try? await search.books(for: text)
      guard number == self.number, let books else { return }
      answer = Answer(books)
      draw()
    }
  }

  /// Draws the line and the books below it, and puts the cursor behind what is typed.
  private func draw() {
    let prompt = "Search: \(text)"
    let below = answer.lines.map { "\r\n  " + $0 }.joined()
    let up = answer.lines.isEmpty ? "" : "\u{1B}[\(answer.lines.count)A"
    terminal.write("\r\u{1B}[J\(prompt)\(below)\(up)\r\(prompt)")
  }
}
