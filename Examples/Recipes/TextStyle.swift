import Foundation

/// Bold and dim text on a terminal; plain text elsewhere.
enum TextStyle {
  static func bold(_ text: String) -> String { isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  static func dim(_ text: String) -> String { isTerminal ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  /// Whether the output is a terminal, and the user has not turned colors off
  /// (<https://no-color.org>).
  private static let isTerminal: Bool = {
    let environment = ProcessInfo.processInfo.environment
    let wantsNone = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return !wantsNone && environment["TERM"] != "dumb" && isatty(STDOUT_FILENO) == 1
  }()
}
