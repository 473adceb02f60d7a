internal import Foundation

/// A default meets the attribute's own rules: an object that nobody touched can be saved.
enum DefaultCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for attribute in entity.attributes {
        guard case .value(let value)? = attribute.description.defaultValue,
          let rule = brokenRule(of: attribute.description.rules, by: value)
        else { continue }
        problems.add(
          .modelDefaultBreaksRule, at: attribute.member.position(of: "default"),
          subject: attribute.subject,
          found: attribute.member.value["default"]?.shortText ?? "",
          expected: rule + " " + (attribute.member.value[rule]?.shortText ?? ""))
      }
    }
  }

  /// The key of the first rule that the value breaks.
  private static func brokenRule(of rules: ValueRules, by value: Value) -> String? {
    if let minimum = rules.minimum, value.isLess(than: minimum) { return "minimum" }
    if let maximum = rules.maximum, maximum.isLess(than: value) { return "maximum" }
    let length: Int
    switch value {
    case .string(let text):
      // Counting characters takes a look at every one.
      length = rules.minimumLength == nil && rules.maximumLength == nil ? 0 : text.count
      if let pattern = rules.pattern, PatternCheck.matches(pattern, text) == false {
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
