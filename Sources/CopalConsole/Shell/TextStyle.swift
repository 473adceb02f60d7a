import CopalEssentials

/// Colors on a terminal; plain text elsewhere.
package struct TextStyle {
  /// Whether texts have colors.
  package var isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  /// A style for standard output. The variable `NO_COLOR` turns colors off
  /// (<https://no-color.org>).
  package static func ofStandardOutput() -> TextStyle {
    let environment = ProcessInfo.processInfo.environment
    let wantsNone = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return TextStyle(
      isColored: !wantsNone && environment["TERM"] != "dumb" && isatty(STDOUT_FILENO) == 1)
  }

  func bold(_ text: String) -> String { styled(text, "1") }
  func dim(_ text: String) -> String { styled(text, "2") }
  func error(_ text: String) -> String { styled(text, "31") }

  /// A statement with its keywords in bold: the words in capitals that are not in quotes.
  func sql(_ statement: String) -> String {
    guard isColored else { return statement }
    var (result, word, quote) = ("", "", Character?.none)
    for character in statement + "\n" {
      if quote == nil, character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      let isKeyword = word.count > 1 && word.allSatisfy { ("A"..."Z").contains($0) }
      result += isKeyword ? bold(word) : word
      word = ""
      result.append(character)
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      }
    }
    return String(result.dropLast())
  }

  private func styled(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
