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
