/// The sentences of a model's problems: the one location where they are made.
///
/// A sentence says what was found, then what to do. The words come from ``ModelProblem``'s data.
enum ModelWording {
  static func sentence(for problem: ModelProblem) -> String {
    let subject = shown(problem.subject)
    let owner = subject.isEmpty ? "the model" : subject
    let location = problem.key.isEmpty ? owner : "\"\(shown(problem.key))\" of \(owner)"
    let found = shown(problem.found)
    let expected = shown(problem.expected, maximumLength: 300)
    let suggestion = problem.suggestion.map { shown($0) }
    let didYouMean = suggestion.map { "; did you mean '\($0)'?" }
    switch problem.code {
    // The file as a text
    case .unreadable: return "the model file cannot be read: \(expected)"
    case .tooLarge: return "the model file has \(found); Copal reads \(expected)"
    case .invalidUTF8: return "found \(found) where text must be \(expected); save as UTF-8"
    case .syntax: return "found '\(found)'; expected \(expected)"
    case .unexpectedEnd: return "the file ends too early; expected \(expected)"
    case .unterminatedString:
      return
        "this string does not end on its line; close it with \(expected), write \\n for a new line"
    case .unterminatedComment: return "this comment does not end; close it with \(expected)"
    case .invalidEscape:
      return "'\(found)' is no escape of JSON; expected \(expected)"
    case .controlCharacter:
      return "the control character \(found) stands in a string; write \(expected)"
    case .invalidNumber: return "'\(found)' is not written as a number; expected \(expected)"
    case .tooDeep: return "arrays and objects are nested too deeply; write \(expected)"
    case .duplicateKey:
      return "the key '\(found)' is here a second time, first on \(expected); remove one of them"
    case .tooManyProblems: return "there are \(found) problems; the others are not shown"

    // Keys and their values
    case .newerFormat:
      return "the file has format \(found), and this Copal reads up to \(expected); update Copal"
    case .unknownKey:
      return "unknown key '\(found)' in \(owner)" + (didYouMean ?? "; the keys are \(expected)")
    case .missingKey: return "\(owner) lacks the key '\(expected)'; add it"
    case .misplacedKey:
      return "'\(found)' has no meaning for \(owner); it is for \(expected)"
    case .wrongType: return "\(location): found \(found); expected \(expected)"
    case .unknownWord:
      return "unknown word '\(found)' for \(location)"
        + (didYouMean ?? "; the words are \(expected)")
    case .outOfRange: return "\(location): found \(found); expected \(expected)"
    case .emptyList: return "an empty list in \(location); name \(expected), or remove the list"
    case .repeatedName: return "\(location) lists '\(found)' twice; remove one of them"

    // Names
    case .invalidName: return "'\(found)' is not a good name; expected \(expected)"
    case .nameTooLong:
      return "the name is \(found) bytes long; names have at most \(expected)"
    case .reservedName:
      return "the name '\(found)' is taken: \(expected); choose another"
        + (suggestion.map { ", such as '\($0)'" } ?? "")
    case .nameClash:
      return
        "'\(found)' is the same name as \(expected), as case does not count; rename one of them"
    case .duplicateClass:
      return "the class '\(found)' is that of \(expected) already; give \(owner) another \"class\""
    case .hidingClass:
      return "a class '\(found)' would hide the type that generated code uses; "
        + "give \(owner) another \"class\", such as \"\(expected)\""
    case .invalidImport:
      return
        "'\(found)' is not an import; write it as after Swift's import: a module, or one declaration "
        + "with its kind, such as struct Foundation.Date"
    case .invalidRenaming:
      return "\(owner) is said to be renamed from '\(found)'; expected \(expected)"

    // Attributes
    case .unknownType:
      return "unknown attribute type '\(found)'" + (didYouMean ?? "; the types are \(expected)")
    case .optionalTwice:
      return "\"optional\" stands beside the type \"\(found)\"; "
        + "keep the ?, or write \"\(expected)\" and \"optional\""
    case .missingTransformer:
      return "the transformable \(owner) lacks a \"transformer\"; name one, or make it transient"
    case .missingClass:
      return "the transformable \(owner) lacks a \"class\"; name the Swift type of its values"
    case .invalidClass: return "'\(found)' cannot be a \"class\"; expected \(expected)"
    case .nullDefault: return "the default of \(owner) is null; leave out the key \"default\""
    case .invalidValue: return "\(location): '\(found)' is no such value; expected \(expected)"
    case .valueOutOfRange: return "\(location): \(found) does not fit \(expected)"
    case .scaleMismatch:
      return "\(location): \(found) does not fit a scale of \(expected); "
        + "write at most \(expected) digits after the point, or raise \"scale\""
    case .defaultBreaksRule:
      return
        "the default '\(found)' of \(owner) breaks its own rule \(expected); change one of them"
    case .emptyRange:
      return "no value of \(owner) can have \(found) and \(expected); exchange them"
    case .invalidPattern:
      return "found '\(found)' in the pattern of \(owner); expected \(expected)"
    case .unknownAttribute:
      return "\(owner) names '\(found)', which is no attribute of the entity"
        + (didYouMean ?? "; expected \(expected)")
    case .dependencyCycle: return "attributes depend on themselves: \(found); cut the circle"
    case .tooManyAttributes:
      return "\(owner) has \(found) stored attributes; a store's table takes \(expected)"
    case .unindexableAttribute:
      return "'\(found)' of \(owner) is \(expected), and a store cannot compare its values; "
        + "leave it out"
    case .repeatedIndex:
      return
        "(\(found)) of \(owner) is here a second time, first on \(expected); remove one of them"

    // Relationships and inheritance
    case .invalidRelationshipType:
      return "'\(found)' is not the type of a relationship; expected \(expected)"
    case .unknownDestination:
      return "\(owner) leads to '\(found)', which is no entity of the model"
        + (didYouMean ?? "; add the entity, or correct the name")
    case .missingInverse:
      let remedy =
        suggestion.map { "write \"inverse\": \"\($0)\"" }
        ?? "add a relationship from \(expected) to \(found), and name it as \"inverse\""
      return "\(owner) lacks an inverse; \(remedy)"
    case .unknownInverse:
      return "\(expected) has no relationship '\(found)' for \(owner) to name as its inverse"
        + (didYouMean ?? "; add it there")
    case .inverseLeadsElsewhere:
      return "the inverse of \(owner) must lead back to \(expected); found \(found)"
    case .inverseNotMutual:
      return "the inverse of \(owner) must name '\(expected)' as its own inverse; found \(found)"
    case .unknownParent:
      return "the parent '\(found)' of \(owner) is no entity of the model"
        + (didYouMean ?? "; add the entity, or correct the name")
    case .inheritanceCycle:
      return "entities inherit from themselves: \(found); one of them must have no parent"
    case .inheritanceTooDeep:
      return "\(owner) has more than \(expected) ancestors; join some of them"
    case .redeclaredProperty:
      return "'\(found)' of \(owner) is inherited from \(expected); remove it here, or rename it"

    // A code of a later version or another library: its data still tells.
    default:
      return [
        owner, found.isEmpty ? "" : "found \(found)",
        expected.isEmpty ? "" : "expected \(expected)",
      ]
      .filter { !$0.isEmpty }.joined(separator: "; ") + (didYouMean ?? "")
    }
  }

  /// A text from a file as one short line: whatever it holds, it cannot break a message in two.
  private static func shown(_ text: String, maximumLength: Int = 80) -> String {
    var line = ""
    for scalar in text.unicodeScalars.prefix(maximumLength) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format:
        line += scalar.escaped(asASCII: true)
      default: line.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.dropFirst(maximumLength).isEmpty ? line : line + "…"
  }
}
