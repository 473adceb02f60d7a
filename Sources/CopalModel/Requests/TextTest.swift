extension FetchPredicate {
  /// What a condition asks of a text. See ``FetchPredicate/text(_:_:_:)``.
  public enum TextTest: Sendable, Hashable {
    /// Whether the texts are equal. Two nils are not asked about: use a comparison with nil.
    case equal(TextOptions)
    /// Whether the first text contains the second one. True for an empty second text.
    case contains(TextOptions)
    /// Whether the first text begins with the second one. True for an empty second text.
    case hasPrefix(TextOptions)
    /// Whether the first text ends with the second one. True for an empty second text.
    case hasSuffix(TextOptions)
    /// Whether the complete first text has the form of the second one, in which `*` is any text,
    /// also an empty one, `?` is one character, and `\` makes the next character an ordinary one.
    case like(TextOptions)
    /// Whether the complete first text matches the second one, a regular expression.
    /// `Docs/ModelFormat.md` has the syntax under "Patterns". Begin it with `(?i)` to ignore case.
    case matches
  }

  /// What a test of a text ignores.
  ///
  /// Without options, texts are compared by their UTF-8 bytes, as `==` does in conditions: "é" as
  /// one scalar differs from "e" with a combining accent. With an option they are equal, because
  /// the texts are decomposed first, and a match never ends between a character and its accent.
  public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt8
    /// Options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ignores case, by Unicode's full case folding, which does not depend on a language: "Straße"
    /// equals "STRASSE".
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Ignores accents and other combining marks: "Outremér" equals "Outremer".
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
  }
}

extension FetchPredicate.TextTest {
  /// What the test ignores; nothing for a regular expression.
  public var options: FetchPredicate.TextOptions {
    switch self {
    case .equal(let options), .contains(let options), .hasPrefix(let options),
      .hasSuffix(let options), .like(let options):
      options
    case .matches: []
    }
  }

  /// The name of the test as Swift writes it.
  package var name: String {
    switch self {
    case .equal: "isEqual"
    case .contains: "contains"
    case .hasPrefix: "hasPrefix"
    case .hasSuffix: "hasSuffix"
    case .like: "like"
    case .matches: "matches"
    }
  }

  /// The test of a name; nil for another name, and for options that the test does not have.
  package init?(name: String, _ options: FetchPredicate.TextOptions) {
    switch name {
    case "isEqual": self = .equal(options)
    case "contains": self = .contains(options)
    case "hasPrefix": self = .hasPrefix(options)
    case "hasSuffix": self = .hasSuffix(options)
    case "like": self = .like(options)
    case "matches" where options.isEmpty: self = .matches
    default: return nil
    }
  }
}
