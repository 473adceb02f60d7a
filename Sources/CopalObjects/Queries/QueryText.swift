public import CopalEssentials
public import CopalModel

/// A type whose values have a text that conditions can test: `String`, `URL` and `UUID`.
public protocol QueryTextConvertible: ValueConvertible {
  /// For the tests below: the text of the values that an expression gives.
  static func _text(of expression: FetchExpression) -> FetchExpression
}

extension String: QueryTextConvertible {
  /// The same expression.
  public static func _text(of expression: FetchExpression) -> FetchExpression { expression }
}

extension URL: QueryTextConvertible {
  /// The conversion to a text.
  public static func _text(of expression: FetchExpression) -> FetchExpression {
    .call(.toString, [expression])
  }
}

extension UUID: QueryTextConvertible {
  /// The conversion to a text.
  public static func _text(of expression: FetchExpression) -> FetchExpression {
    .call(.toString, [expression])
  }
}

extension QueryExpression where Value == URL {
  /// The `absoluteString` of the URL: `CAST(homepage, "NSString")`.
  public var asString: QueryValue<String> { called(.toString) }
}

extension QueryExpression where Value == UUID {
  /// The text of the UUID, with capital letters: `CAST(token, "NSString")`.
  public var asString: QueryValue<String> { called(.toString) }
}

/// Tests of texts: of attributes of the types `string`, `uri` and `uuid`.
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
/// The text of a `uri` is its `absoluteString`, that of a `uuid` has capital letters:
/// `$0.articleURL.hasPrefix("kiwix://")`.
///
/// `hasPrefix` of a string without options and `==` use an index of the attribute. Every other test
/// reads all rows that the rest of the condition leaves.
extension QueryExpression where Value: QueryTextConvertible {
  private var text: FetchExpression { Value._text(of: _expression) }

  /// Whether the texts are equal, except for what the options ignore. Without options, use `==`.
  public func isEqual(to other: String, _ options: FetchPredicate.TextOptions) -> FetchPredicate {
    .text(text, .equal(options), .constant(.string(other)))
  }

  /// Whether the text contains another one. True for an empty text.
  public func contains(_ other: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(text, .contains(options), .constant(.string(other)))
  }

  /// Whether the text begins with another one. True for an empty text.
  public func hasPrefix(_ other: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(text, .hasPrefix(options), .constant(.string(other)))
  }

  /// Whether the text ends with another one. True for an empty text.
  public func hasSuffix(_ other: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(text, .hasSuffix(options), .constant(.string(other)))
  }

  /// Whether the complete value has the form of a pattern: `*` is any text, also an empty one, `?`
  /// is one character, and `\` makes the next character an ordinary one.
  ///
  /// A fetch throws `request.tooComplex` for a pattern of more than 1,000 bytes.
  public func like(_ pattern: String, _ options: FetchPredicate.TextOptions = [])
    -> FetchPredicate
  {
    .text(text, .like(options), .constant(.string(pattern)))
  }

  /// Whether the complete value matches a regular expression. The time is linear in the text, for
  /// every pattern. `Docs/ModelFormat.md` has the syntax under "Patterns". Begin the pattern with
  /// `(?i)` to ignore case.
  ///
  /// A fetch throws `request.invalidPattern` for another text.
  public func matches(_ pattern: String) -> FetchPredicate {
    .text(text, .matches, .constant(.string(pattern)))
  }

  /// Whether the attribute's value contains that of another attribute. False where one of them has
  /// no value.
  public func contains(
    _ other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions = []
  )
    -> FetchPredicate
  {
    .text(text, .contains(options), other._expression)
  }

  /// Whether the attribute's value begins with that of another attribute. False where one of them
  /// has no value.
  public func hasPrefix(
    _ other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions = []
  )
    -> FetchPredicate
  {
    .text(text, .hasPrefix(options), other._expression)
  }

  /// Whether the attribute's value ends with that of another attribute. False where one of them has
  /// no value.
  public func hasSuffix(
    _ other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions = []
  )
    -> FetchPredicate
  {
    .text(text, .hasSuffix(options), other._expression)
  }

  /// Whether two attributes are equal, except for what the options ignore. False where one of them
  /// has no value.
  public func isEqual(to other: some QueryExpression<String>, _ options: FetchPredicate.TextOptions)
    -> FetchPredicate
  {
    .text(text, .equal(options), other._expression)
  }
}
