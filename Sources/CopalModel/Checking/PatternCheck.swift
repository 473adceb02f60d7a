/// A pattern is a regular expression that Swift's `Regex` takes.
enum PatternCheck {
  /// The greatest length in bytes.
  static let lengthMax = 1000
  /// The greatest number of opening brackets. Swift's parser calls itself for each bracket, and
  /// thousands of them end the process.
  static let bracketCountMax = 64

  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for attribute in entity.attributes {
        guard let pattern = attribute.description.rules.pattern,
          let reason = reason(against: pattern)
        else { continue }
        problems.add(
          .modelInvalidPattern, at: attribute.member.position(of: "pattern"),
          subject: attribute.subject, found: pattern, expected: reason)
      }
    }
  }

  /// Why the pattern is none; `nil` for a good one.
  private static func reason(against pattern: String) -> String? {
    guard pattern.utf8.count <= lengthMax else { return "longer than \(lengthMax) bytes" }
    guard pattern.count(where: { $0 == "[" || $0 == "(" }) <= bracketCountMax else {
      return "more than \(bracketCountMax) brackets"
    }
    do {
      _ = try Regex(pattern)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Whether the pattern matches a default; `nil` if that could take too long to find out here.
  ///
  /// A few patterns take a time that doubles with each letter. They are left to the save of an
  /// object, which is not the reader of a file that may come from anywhere.
  static func matches(_ pattern: String, _ text: String) -> Bool? {
    let isSimple =
      !pattern.contains { "({".contains($0) } && pattern.count(where: { "*+?".contains($0) }) <= 2
    guard isSimple, text.utf8.count <= 1000, reason(against: pattern) == nil else { return nil }
    guard let regex = try? Regex(pattern) else { return nil }
    return (try? regex.wholeMatch(in: text)) != nil
  }
}
