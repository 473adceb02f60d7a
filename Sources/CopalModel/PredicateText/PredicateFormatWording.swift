import CopalEssentials

/// The sentences of the errors of a format: each code has its own (`PredicateFormatError`).
enum PredicateFormatWording {
  /// The sentence with the code, and the line of the text with a mark below the place.
  static func message(for error: PredicateFormatError) -> String {
    "\(error.line):\(error.column): \(sentence(for: error)) [\(error.code)]" + excerpt(error)
  }

  /// The sentence with the remedy.
  static func sentence(for error: PredicateFormatError) -> String {
    let (found, expected) = (error.found.shown(), error.expected.shown(maximumLength: 300))
    var sentence = error.code.sentence
    if sentence.isEmpty {
      // A code of a later version or of another library has no sentence here; its data is shown.
      let parts = [
        found.isEmpty ? "" : "found {found}", expected.isEmpty ? "" : "expected {expected}",
      ]
      sentence = SentenceTemplate(
        parts.filter { !$0.isEmpty }.joined(separator: "; "), otherwise: "")
    }
    let argument = "argument \(error.argument ?? 0)"
    return sentence.filled(
      found: found, expected: expected, suggestion: error.suggestion?.shown()
    ) { $0 == "argument" ? argument : nil }
  }

  /// The greatest number of characters of the line before and after the place.
  private static let margin = 50

  /// The line of the place, and a caret below the place.
  private static func excerpt(_ error: PredicateFormatError) -> String {
    guard error.line > 0, error.column > 0 else { return "" }
    let lines = error.text.utf8.split(
      separator: UInt8(ascii: "\n"), maxSplits: error.line, omittingEmptySubsequences: false)
    guard error.line <= lines.count else { return "" }
    let line = Substring(lines[error.line - 1])
    let (left, right) = (error.column - 1 - margin, error.column - 1)
    let before = line.dropFirst(max(0, left)).prefix(right - max(0, left))
    let after = line.dropFirst(right).prefix(margin)
    let start = (left > 0 ? "…" : "") + printable(before)
    let rest = line.dropFirst(right).count > margin ? "…" : ""
    return "\n  \(start)\(printable(after))\(rest)\n  "
      + String(repeating: " ", count: start.count) + "^"
  }

  /// One character for each character of the text, so that the mark is at the right place.
  private static func printable(_ text: Substring) -> String {
    String(
      text.map { character in
        character.unicodeScalars.allSatisfy {
          switch $0.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: false
          default: true
          }
        } ? character : " "
      })
  }
}
