import Foundation

/// Progress messages on standard error: one updated line on a terminal, separate lines elsewhere.
/// No color when NO_COLOR is set.
enum Terminal {
  private static let environment = ProcessInfo.processInfo.environment
  private static let moves = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
  private static let colors =
    isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
    && (environment["NO_COLOR"] ?? "").isEmpty

  static func say(_ text: String) { write((moves ? "\r\u{1B}[K" : "") + text + "\n") }

  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// Shows the progress. Without a terminal, in twenty lines.
  static func step(_ done: Int, _ total: Int, _ text: String) {
    if moves {
      let filled = done * 24 / max(1, total)
      let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 24 - filled)
      write("\r\u{1B}[K\(bar) \(done)/\(total) \(text)")
    } else if done == total || done % max(1, total / 20) == 0 {
      write("\(done)/\(total) \(text)\n")
    }
  }

  static func endSteps() { if moves { write("\r\u{1B}[K") } }

  enum Color: Int {
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// A line of the report, in color if possible.
  static func colored(_ text: String, _ color: Color) -> String {
    colors ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A duration in words: "about 12 minutes".
  static func about(_ seconds: Double) -> String {
    switch seconds {
    case ..<90: "about \(Int((seconds / 5).rounded(.up)) * 5) seconds"
    default: "about \(Int((seconds / 60).rounded(.up))) minutes"
    }
  }
}
