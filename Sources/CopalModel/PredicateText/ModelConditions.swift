extension FetchRequestTemplate {
  /// The condition with its variables; nil when the template has none.
  ///
  /// The process remembers 500 texts: a known one costs 0.1 microseconds.
  ///
  /// - Throws: ``PredicateFormatError`` for a text that is not in the language. The condition of a
  ///   model that was read is.
  public var predicate: FetchPredicate? {
    get throws(PredicateFormatError) {
      guard let condition else { return nil }
      return try FetchPredicate(format: condition, arguments: [])
    }
  }
}

extension FetchedPropertyDescription {
  /// The condition with its variables, whose names begin with `FETCH_SOURCE`; nil when the property
  /// has none.
  ///
  /// - Throws: ``PredicateFormatError`` for a text that is not in the language. The condition of a
  ///   model that was read is.
  public var predicate: FetchPredicate? {
    get throws(PredicateFormatError) {
      guard let condition else { return nil }
      return try FetchPredicate(format: condition, arguments: [])
    }
  }
}

/// Parses the condition of a model file.
enum ConditionText {
  /// The condition, whose names have their places.
  static func parsed(_ text: String) -> Result<FetchPredicate, FormatMistake> {
    var contiguous = text
    return contiguous.withUTF8 { bytes in
      do throws(FormatMistake) {
        var parser = try FormatParser(bytes)
        parser.marksPlaces = true
        let condition = try parser.parse()
        if let place = parser.placeholders.first {
          throw FormatMistake(
            .unsupported, at: place, found: "a placeholder in a model",
            expected: "write a variable, such as $limit")
        }
        return .success(try parser.filler.predicate(condition))
      } catch {
        return .failure(error)
      }
    }
  }
}
