import Foundation

/// Draws the gallery: over the last frame on a terminal, below it elsewhere.
struct Screen {
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  /// See <https://no-color.org>.
  private let hasColors: Bool

  init() {
    let environment = ProcessInfo.processInfo.environment
    let wantsNone = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    hasColors = isTerminal && !wantsNone && environment["TERM"] != "dumb"
  }

  /// - Parameter reason: what has changed.
  func draw(_ rooms: [(name: String, lines: [String])], _ reason: String) {
    var lines: [String] = []
    for room in rooms {
      lines.append(bold(room.name))
      lines += room.lines.map { "  " + $0 }
    }
    lines.append(dim("-- \(reason)"))
    let home = isTerminal ? "\u{1B}[H\u{1B}[2J" : ""
    FileHandle.standardOutput.write(Data((home + lines.joined(separator: "\n") + "\n").utf8))
  }

  private func bold(_ text: String) -> String { styled(text, 1) }
  private func dim(_ text: String) -> String { styled(text, 2) }

  private func styled(_ text: String, _ code: Int) -> String {
    hasColors ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
