import CopalEssentials
import CopalPatterns

/// Checks that a default, and the value that a migration fills in, follow the rules of their
/// attribute, so that an object with only these can be saved.
enum DefaultCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var patterns = DefaultPatterns()
    for entity in model.entities {
      for attribute in entity.attributes {
        check(
          attribute.description.defaultValue, key: "default", of: attribute, &patterns, &problems)
        check(attribute.description.fill, key: "fill", of: attribute, &patterns, &problems)
      }
    }
  }

  @inline(never)
  private static func check(
    _ content: AttributeDescription.Default?, key: String, of attribute: AttributeDraft,
    _ patterns: inout DefaultPatterns, _ problems: inout ProblemList
  ) {
    guard case .value(let value)? = content else { return }
    checkIsCase(value, key, of: attribute, &problems)
    guard let rule = brokenRule(of: attribute.description.rules, by: value, &patterns) else {
      return
    }
    problems.add(
      .defaultBreaksRule, at: attribute.member.position(of: key), subject: attribute.subject,
      key: key == "default" ? "" : key, found: attribute.member.value[key]?.shortText ?? "",
      expected: rule + " " + (attribute.member.value[rule]?.shortText ?? ""))
  }

  /// Checks that a default is one of the cases of its attribute.
  @inline(never)
  private static func checkIsCase(
    _ value: PropertyValue, _ key: String, of attribute: AttributeDraft,
    _ problems: inout ProblemList
  ) {
    guard let cases = attribute.description.cases, !cases.isEmpty,
      !cases.contains(where: { $0.rawValue == value })
    else { return }
    let found = attribute.member.value[key]?.shortText ?? ""
    let rawValues = cases.map { $0.rawValue.shownCase }
    problems.add(
      .defaultIsNoCase, at: attribute.member.position(of: key), subject: attribute.subject,
      key: key == "default" ? "" : key, found: found, expected: rawValues.joined(separator: ", "),
      suggestion: problems.nearest(to: found, among: rawValues))
  }

  /// The key of the first rule that the value breaks.
  @inline(never)
  private static func brokenRule(
    of rules: AttributeDescription.Rules, by value: PropertyValue, _ patterns: inout DefaultPatterns
  ) -> String? {
    if let minimum = rules.minimum, ValueOrder.compare(value, .less, minimum) { return "minimum" }
    if let maximum = rules.maximum, ValueOrder.compare(value, .greater, maximum) {
      return "maximum"
    }
    let length: Int
    switch value {
    case .string(let text):
      // Counting characters walks the whole text, so it is done only where a rule needs it.
      length = rules.minimumLength == nil && rules.maximumLength == nil ? 0 : text.count
      if let pattern = rules.pattern, patterns.matches(pattern, text) == false {
        return "pattern"
      }
    case .binary(let data): length = data.count
    default: return nil
    }
    if let minimum = rules.minimumLength, length < minimum { return "minimumLength" }
    if let maximum = rules.maximumLength, length > maximum { return "maximumLength" }
    return nil
  }
}

/// The patterns that defaults must match. Each is compiled once.
private struct DefaultPatterns {
  /// The limit of steps for all defaults of a model. A hostile file of some megabytes could take
  /// hours; a real model takes less than a second.
  private var stepsLeft = 1_000_000_000
  /// The cost of compiling a pattern, and of each of its positions, in steps.
  private static let stepsPerPattern = 50_000
  private static let stepsPerPosition = 500
  private var patterns: [String: TextPattern] = [:]

  /// Whether the pattern matches; `nil` for an invalid pattern, or when no steps are left. Then the
  /// save of an object checks the value.
  mutating func matches(_ pattern: String, _ text: String) -> Bool? {
    guard stepsLeft > 0, let compiled = compiled(pattern) else { return nil }
    let (steps, isTooLarge) = text.utf8.count.multipliedReportingOverflow(
      by: compiled.maximumStepsPerCharacter)
    guard !isTooLarge, steps <= stepsLeft else { return nil }
    stepsLeft -= steps
    return compiled.matches(text)
  }

  private mutating func compiled(_ text: String) -> TextPattern? {
    if let pattern = patterns[text] { return pattern }
    guard let pattern = try? TextPattern(text) else { return nil }
    stepsLeft -= Self.stepsPerPattern + Self.stepsPerPosition * pattern.positionCount
    patterns[text] = pattern
    return pattern
  }
}
