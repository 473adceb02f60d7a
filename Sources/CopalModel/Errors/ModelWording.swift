import CopalEssentials

/// The sentences of a model's problems: each code has its own (`ModelError+Codes.swift`).
///
/// A sentence says what was found, then what to do. The words come from ``ModelProblem``'s data.
enum ModelWording {
  /// What a name is that no unique constraint can have.
  static let projection = "a projection"

  static func sentence(for problem: ModelProblem) -> String {
    let code = problem.code
    // A code that was made from its name has the sentence of the code with this name.
    let sentence =
      variant(of: problem) ?? code.sentence ?? ModelError.Code.all.first { $0 == code }?.sentence
      ?? unknown(problem)
    return sentence.filled(hasSuggestion: problem.suggestion != nil) { word($0, of: problem) }
  }

  /// What is in the place of a sentence; nil where there is no such place.
  @inline(never)
  private static func word(_ place: Substring, of problem: ModelProblem) -> String? {
    switch place {
    case "owner": owner(of: problem)
    case "location":
      problem.key.isEmpty
        ? owner(of: problem) : "\"" + problem.key.shown() + "\" of " + owner(of: problem)
    case "found": problem.found.shown()
    // Two names and a line are longer than other texts.
    case "whole": problem.found.shown(maximumLength: 300)
    case "expected": problem.expected.shown(maximumLength: 300)
    case "suggestion": problem.suggestion?.shown()
    // The key of a value: `default` or `fill`.
    case "key": problem.key.isEmpty ? "default" : problem.key
    case "remedy": remedy(forMisplaced: problem.found)
    case "forms":
      ([problem.expected.shown()] + problem.found.shown().split(separator: ", ").map(String.init))
        .map { "\"" + $0 + "\"" }.joined(separator: ", ")
    default: nil
    }
  }

  private static func owner(of problem: ModelProblem) -> String {
    problem.subject.isEmpty ? "the model" : problem.subject.shown()
  }

  /// The sentence of a problem whose data says more than its code.
  @inline(never)
  private static func variant(of problem: ModelProblem) -> SentenceTemplate? {
    let (found, expected) = (problem.found, problem.expected)
    switch problem.code {
    case .syntax where found == "'":
      return SentenceTemplate("unexpected single quote; expected {expected}")
    case .unknownKeyword where problem.key == "set" && ["fileprivate", "private"].contains(found):
      return SentenceTemplate(
        """
        {location} cannot be '{found}': the property is in a generated file, where no code of \
        yours could set it; write one of {expected}, or "accessor": "custom" and the property \
        yourself
        """)
    case .reservedName where expected == ReservedNameReason.member:
      let search =
        "; after a rename, search the code for '.{found}', which may still compile and mean that member"
      return SentenceTemplate(
        "the name '{found}' is reserved: {expected}; choose another name",
        suggestion: ", such as '{suggestion}'" + search, otherwise: search)
    case .optionalTwice where found == "minimum":
      return SentenceTemplate(
        """
        {owner} has both the keys "optional" and "minimum"; remove "optional": a minimum of 1 or \
        more means that the relationship cannot be empty
        """)
    case .optionalTwice where found.hasPrefix("\"optional\""):
      return SentenceTemplate(
        """
        {owner} has {found}, which contradict each other; remove both keys if the relationship \
        may be empty, otherwise write only {expected}
        """)
    case .unindexableAttribute where expected == projection:
      return SentenceTemplate(
        """
        {location} names '{found}', a projection; a unique constraint has attributes only; remove \
        it from the list
        """)
    case .notOwner where found.isEmpty:
      return SentenceTemplate(
        """
        {owner} cannot delete orphans: it has no inverse, so an object can have several owners; \
        remove "orphans", or add {expected}
        """)
    default: return nil
    }
  }

  /// The data of a problem with a code of a later version or of another library.
  private static func unknown(_ problem: ModelProblem) -> SentenceTemplate {
    let parts = [
      "{owner}", problem.found.isEmpty ? "" : "found {found}",
      problem.expected.isEmpty ? "" : "expected {expected}",
    ]
    return SentenceTemplate(
      parts.filter { !$0.isEmpty }.joined(separator: "; "), otherwise: "")
  }

  @inline(never)
  private static func remedy(forMisplaced key: String) -> String {
    switch key {
    case "dependsOn": "make the attribute transient"
    case "sort": "change the relationship"
    case "enum", "renamedCases": "add \"cases\""
    case "checkStored": "add a rule"
    case "mutable", "versioned": "make the attribute a transformable that is stored"
    case "fill", "conversion": "store the attribute"
    case "placeholder": "make the attribute a required uri or transformable without \"mutable\""
    case "set": "make the model public"
    case "observable", "identity": "write it in the first entity of the family"
    default: "change the type"
    }
  }
}

/// Reasons why a name is reserved that a sentence says more about.
enum ReservedNameReason {
  static let member = "it is a member of ManagedObject or of generated classes"
}
