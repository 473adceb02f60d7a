package import CopalModel

/// What all texts contain for which a test can be true: the part by which an index of trigrams
/// finds them, in the normalized form.
package enum SearchPart {
  /// The number of characters that an index of trigrams needs.
  private static let leastLength = 3
  /// A longer part finds hardly fewer texts.
  private static let greatestLength = 64

  /// The part of a text that others contain; nil if it is too short.
  package static func of(_ text: String, _ folding: VersionedFolding) -> String? {
    let folded = String(decoding: folding.folded(text, .normalized), as: UTF8.self)
    let scalars = folded.unicodeScalars.prefix(greatestLength)
    return scalars.count < leastLength ? nil : String(String.UnicodeScalarView(scalars))
  }

  /// The longest part of a pattern without wildcards; nil if each is too short.
  package static func ofPattern(_ pattern: String, _ folding: VersionedFolding) -> String? {
    LikePattern.literals(of: pattern).compactMap { of($0, folding) }
      .max { $0.unicodeScalars.count < $1.unicodeScalars.count }
  }

  /// A text as an index of trigrams gets it. FTS5 stops at U+0000.
  package static func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? text.replacing("\0", with: " ") : text
  }
}

extension FetchPredicate.TextOptions {
  /// The options of the normalized form.
  package static let normalized: Self = [.caseInsensitive, .diacriticInsensitive]
}
