package import CopalModel
package import CopalPatterns

/// A test of texts, prepared for one second text.
///
/// SQL and memory use the same matcher, so that they have the same result.
package struct TextMatcher: Sendable {
  private enum Kind {
    case equal(ByteSearch)
    case contains(ByteSearch)
    case hasPrefix(ByteSearch)
    case hasSuffix(ByteSearch)
    case like(LikePattern)
    case matches(TextPattern)
  }

  private let kind: Kind
  /// What is ignored; nil for nothing.
  private let folding: TextFolding?
  private let ignoresCase: Bool

  /// - Throws: `PatternProblem` for a pattern of `matches` that is not a regular expression, or
  ///   that is too long. Other tests have no problems.
  package init(_ test: FetchPredicate.TextTest, _ second: String) throws(PatternProblem) {
    let options = test.options
    folding = options.isEmpty ? nil : TextFolding(options)
    ignoresCase = options.contains(.caseInsensitive)
    let search = ByteSearch(folding?.folded(second) ?? Array(second.utf8))
    kind =
      switch test {
      case .equal: .equal(search)
      case .contains: .contains(search)
      case .hasPrefix: .hasPrefix(search)
      case .hasSuffix: .hasSuffix(search)
      case .like: .like(LikePattern(second, folding))
      case .matches: .matches(try TextPattern(second))
      }
  }

  /// Whether the test is true for a text.
  package func matches(_ text: String) -> Bool {
    if case .matches(let pattern) = kind { return pattern.matches(text) }
    var text = text
    return text.withUTF8 { matches($0) }
  }

  /// Whether the test is true for a text in UTF-8.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if case .matches(let pattern) = kind {
      return pattern.matches(String(decoding: text, as: UTF8.self))
    }
    guard let folding else { return isTrue(text, lowercases: false) }
    if text.isASCII { return isTrue(text, lowercases: ignoresCase) }
    return folding.folded(String(decoding: text, as: UTF8.self)).withUnsafeBufferPointer {
      isTrue($0, lowercases: false)
    }
  }

  private func isTrue(_ text: UnsafeBufferPointer<UInt8>, lowercases: Bool) -> Bool {
    switch kind {
    case .equal(let search):
      return text.count == search.bytes.count
        && search.isFound(in: text, at: 0, lowercases: lowercases)
    case .contains(let search):
      if lowercases || search.bytes.isEmpty {
        return search.firstEnd(in: text, from: 0, lowercases: lowercases) { _ in true } != nil
      }
      let isFolded = folding != nil
      return search.firstEnd(in: text, from: 0, lowercases: false) {
        !isFolded || text.isCharacterEnd($0)
      } != nil
    case .hasPrefix(let search):
      return search.isFound(in: text, at: 0, lowercases: lowercases)
        && (folding == nil || search.bytes.isEmpty || text.isCharacterEnd(search.bytes.count))
    case .hasSuffix(let search):
      return search.isFound(in: text, at: text.count - search.bytes.count, lowercases: lowercases)
    case .like(let pattern): return pattern.matches(text, lowercases: lowercases)
    case .matches: return false
    }
  }
}
