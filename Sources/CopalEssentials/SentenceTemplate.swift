/// A sentence with places for the data of an error, such as `unknown key '{found}' in {owner}`.
///
/// Data, because the code that puts a hundred sentences together is large, and the optimizer takes
/// long for it. A class, because each function that throws has room for an error with its code. All
/// are equal, because a code is what its name says, whatever its sentence is.
package final class SentenceTemplate: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The sentence, or its beginning.
  private let beginning: String
  /// What follows when there is a suggestion.
  private let suggestion: String
  /// What follows when there is none.
  private let otherwise: String

  /// A sentence that says the suggestion only if `otherwise` is given: in other sentences, a
  /// suggestion has no meaning.
  package init(_ beginning: String, suggestion: String? = nil, otherwise: String? = nil) {
    self.beginning = beginning
    self.suggestion =
      suggestion ?? (otherwise == nil ? "" : "; did you mean '{suggestion}'?")
    self.otherwise = otherwise ?? ""
  }

  package convenience init(stringLiteral beginning: String) { self.init(beginning) }

  package var isEmpty: Bool { beginning.isEmpty }

  /// The sentence with the value of each place. A place whose value is nil stays as it is.
  @inline(never)
  package func filled(hasSuggestion: Bool, _ value: (Substring) -> String?) -> String {
    let text = beginning + (hasSuggestion ? suggestion : otherwise)
    var rest = text[...]
    var result = ""
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      result += rest[..<start]
      result += value(rest[rest.index(after: start)..<end]) ?? String(rest[start...end])
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// The sentence with what most errors have, and with the values of further places.
  package func filled(
    found: String, expected: String, suggestion: String? = nil,
    _ value: (Substring) -> String? = { _ in nil }
  ) -> String {
    filled(hasSuggestion: suggestion != nil) { place in
      switch place {
      case "found": found
      case "expected": expected
      case "suggestion": suggestion ?? ""
      default: value(place)
      }
    }
  }

  package static func == (a: SentenceTemplate, b: SentenceTemplate) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
