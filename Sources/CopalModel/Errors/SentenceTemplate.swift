/// A sentence with places for the data of an error, such as `unknown key '{found}' in {owner}`.
///
/// Data, because the code that puts a hundred sentences together is large, and the optimizer takes
/// long for it.
struct SentenceTemplate: Sendable {
  /// The sentence, or its beginning.
  let beginning: String
  /// What follows when there is a suggestion.
  let suggestion: String
  /// What follows when there is none.
  let otherwise: String

  /// A sentence that says the suggestion only if `otherwise` is given: in other sentences, a
  /// suggestion has no meaning.
  init(_ beginning: String, suggestion: String? = nil, otherwise: String? = nil) {
    self.beginning = beginning
    self.suggestion =
      suggestion ?? (otherwise == nil ? "" : "; did you mean '{suggestion}'?")
    self.otherwise = otherwise ?? ""
  }

  /// The sentence with the value of each place. A place whose value is nil stays as it is.
  @inline(never)
  func filled(hasSuggestion: Bool, _ value: (Substring) -> String?) -> String {
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
}
