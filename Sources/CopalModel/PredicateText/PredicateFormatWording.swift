/// The sentences of the errors of a format: they are all made here.
enum PredicateFormatWording {
  /// The sentence with the code, and the line of the text with a mark below the place.
  static func message(for error: PredicateFormatError) -> String {
    "\(error.line):\(error.column): \(sentence(for: error)) [\(error.code)]" + excerpt(error)
  }

  /// The sentence with the remedy.
  static func sentence(for error: PredicateFormatError) -> String {
    let found = error.found.shown()
    let expected = error.expected.shown(maximumLength: 300)
    let suggestion = error.suggestion.map { "; did you mean '\($0.shown())'?" }
    let hint = suggestion ?? ""
    let argument = "argument \(error.argument ?? 0)"
    switch error.code {
    case .unexpected: return "unexpected '\(found)'; expected \(expected)\(hint)"
    case .unexpectedEnd: return "the text ends too early; expected \(expected)"
    case .unterminatedString:
      return "the text in quotes does not end; close it with \(expected)"
    case .invalidEscape: return "unknown escape sequence '\(found)'; expected \(expected)"
    case .invalidNumber: return "invalid number '\(found)'; expected \(expected)"
    case .outOfRange: return "the number '\(found)' is out of range; expected \(expected)"
    case .invalidName: return "'\(found)' is not a name; expected \(expected)"
    case .invalidValue: return "this is not a valid value; expected \(expected)"
    case .invalidOption: return "invalid option '\(found)'; expected \(expected)"
    case .invalidPlaceholder: return "unknown placeholder '\(found)'; write \(expected)"
    case .missingArgument:
      return "\(argument) is missing; expected \(expected), found \(found)"
    case .extraArgument:
      return "\(argument) has no placeholder; expected \(expected), found \(found)"
    case .argumentKind: return "\(argument) is \(found); expected \(expected)"
    case .unknownFunction:
      return "unknown function '\(found)'" + (suggestion ?? "; expected \(expected)")
    case .argumentCount:
      return "the function '\(found)' has another number of arguments; expected \(expected)"
    case .unknownType:
      return "CAST does not know the type '\(found)'" + (suggestion ?? "; expected \(expected)")
    case .unknownAggregate:
      return "unknown aggregate '\(found)'" + (suggestion ?? "; expected \(expected)")
    case .unsupported: return "\(found) is not supported; \(expected)"
    case .misplacedList: return "a list cannot be here; \(expected)"
    case .misplacedCondition: return "a condition cannot be here; expected \(expected)"
    case .tooDeep:
      return "the text is nested too deeply; the maximum is \(expected) levels; use fewer levels"
    case .tooLong:
      return "the text has \(found) bytes; the maximum is \(expected); give lists as arguments"

    // A code of a later version or of another library has no sentence here; its data is shown.
    default:
      return [
        found.isEmpty ? "" : "found \(found)", expected.isEmpty ? "" : "expected \(expected)",
      ]
      .filter { !$0.isEmpty }.joined(separator: "; ") + hint
    }
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
