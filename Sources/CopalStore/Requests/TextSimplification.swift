import CopalModel

/// Replaces tests of texts by comparisons, which an index can answer.
enum TextSimplification {
  /// A condition with the same meaning; nil when there is none that is simpler.
  static func condition(
    _ first: FetchExpression, _ test: FetchPredicate.TextTest, _ second: String
  ) -> FetchPredicate? {
    switch test {
    case .equal([]): return .comparison(first, .equal, .constant(.string(second)))
    case .hasPrefix([]): return prefix(first, second)
    default: return nil
    }
  }

  /// The texts with a prefix are a range in the order of UTF-8, which is the order of the Unicode
  /// scalars.
  private static func prefix(_ first: FetchExpression, _ prefix: String) -> FetchPredicate {
    let start = FetchPredicate.comparison(first, .greaterOrEqual, .constant(.string(prefix)))
    guard let end = successor(of: prefix) else { return start }
    return .and([start, .comparison(first, .less, .constant(.string(end)))])
  }

  /// The least text that is greater than all texts with a prefix; nil when there is none.
  static func successor(of prefix: String) -> String? {
    // Almost always the last byte is a character of its own, and the next byte one as well.
    var bytes = Array(prefix.utf8)
    if let last = bytes.last, last < 0x7F {
      bytes[bytes.count - 1] = last + 1
      return String(decoding: bytes, as: UTF8.self)
    }
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      // Between the two are the surrogates, which are not scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let next = Unicode.Scalar(next) {
        scalars.append(next)
        return String(scalars)
      }
    }
    return nil
  }
}

extension String {
  /// The least text that is greater than all texts with this prefix, in the order of UTF-8; nil
  /// when there is none.
  package var endOfPrefix: String? { TextSimplification.successor(of: self) }
}
