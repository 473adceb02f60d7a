public import CopalModel

/// Tests of texts: of attributes of the type `string`.
///
/// ```swift
/// try context.fetch(Pigment.self) {
///   $0.name.contains("ultra", [.caseInsensitive, .diacriticInsensitive]) || $0.code.hasPrefix("PB")
/// }
/// ```
///
/// Without options, texts are compared by their UTF-8 bytes. ``FetchPredicate/TextOptions`` has the
/// options. Each test is false for an attribute without a value.
///
/// `hasPrefix` without options and `==` use an index of the attribute. Every other test reads all
/// rows that the rest of the condition leaves.
extension QueryExpression where Value == String {
  /// Whether the texts are equal, except for what the options ignore. Without options, use `==`.
  public func isEqual(to text: String, _ options: FetchPredicate.TextOptions) -> FetchPredicate {
    .text(_expression, .equal(options), .constant(.string(text)))
  }

  /// Whether the attribute's value contains a text. True for an empty text.
  public func contains(_ text: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(_expression, .contains(options), .constant(.string(text)))
  }

  /// Whether the attribute's value begins with a text. True for an empty text.
  public func hasPrefix(_ text: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(_expression, .hasPrefix(options), .constant(.string(text)))
  }

  /// Whether the attribute's value ends with a text. True for an empty text.
  public func hasSuffix(_ text: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(_expression, .hasSuffix(options), .constant(.string(text)))
  }

  /// Whether the complete value has the form of a pattern: `*` is any text, also an empty one, `?`
  /// is one character, and `\` makes the next character an ordinary one.
  ///
  /// A fetch throws `request.tooComplex` for a pattern of more than 1,000 bytes.
  public func like(_ pattern: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(_expression, .like(options), .constant(.string(pattern)))
  }

  /// Whether the complete value matches a regular expression. The time is linear in the text, for
  /// every pattern. `Docs/ModelFormat.md` has the syntax under "Patterns". Begin the pattern with
  /// `(?i)` to ignore case.
  ///
  /// A fetch throws `request.invalidPattern` for another text.
  public func matches(_ pattern: String) -> FetchPredicate {
    .text(_expression, .matches, .constant(.string(pattern)))
  }

  /// Whether the attribute's value contains that of another attribute. False where one of them has
  /// no value.
  public func contains(
    _ other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions = []
  )
    -> FetchPredicate
  {
    .text(_expression, .contains(options), other._expression)
  }

  /// Whether the attribute's value begins with that of another attribute. False where one of them
  /// has no value.
  public func hasPrefix(
    _ other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions = []
  )
    -> FetchPredicate
  {
    .text(_expression, .hasPrefix(options), other._expression)
  }

  /// Whether the attribute's value ends with that of another attribute. False where one of them has
  /// no value.
  public func hasSuffix(
    _ other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions = []
  )
    -> FetchPredicate
  {
    .text(_expression, .hasSuffix(options), other._expression)
  }

  /// Whether two attributes are equal, except for what the options ignore. False where one of them
  /// has no value.
  public func isEqual(to other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions)
    -> FetchPredicate
  {
    .text(_expression, .equal(options), other._expression)
  }
}
