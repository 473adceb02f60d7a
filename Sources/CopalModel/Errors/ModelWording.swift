/// The sentences of a model's problems: they are all made here.
///
/// A sentence says what was found, then what to do. The words come from ``ModelProblem``'s data.
enum ModelWording {
  /// What a name is that no unique constraint can have.
  static let projection = "a projection"

  static func sentence(for problem: ModelProblem) -> String {
    let subject = problem.subject.shown()
    let owner = subject.isEmpty ? "the model" : subject
    let location = problem.key.isEmpty ? owner : "\"\(problem.key.shown())\" of \(owner)"
    let found = problem.found.shown()
    let expected = problem.expected.shown(maximumLength: 300)
    let suggestion = problem.suggestion.map { $0.shown() }
    let didYouMean = suggestion.map { "; did you mean '\($0)'?" }
    switch problem.code {
    // The file as a text
    case .unreadable:
      return "the model file cannot be read; check the path and the permissions: \(found)"
    case .tooLarge:
      return "the model file is too large: it has \(found); the maximum is \(expected); shorten it"
    case .invalidUTF8:
      return "the model file is not \(expected) text: found \(found); save it as \(expected)"
    case .syntax where found == "'": return "unexpected single quote; expected \(expected)"
    case .syntax: return "unexpected token '\(found)'; expected \(expected)"
    case .unexpectedEnd: return "unexpected end of the file; expected \(expected)"
    case .unterminatedString:
      return
        "unterminated string: it does not end on its line; close it with \(expected), and write "
        + "\\n for a line break"
    case .unterminatedComment: return "unterminated comment; close it with \(expected)"
    case .invalidEscape: return "invalid escape sequence '\(found)'; expected \(expected)"
    case .controlCharacter:
      return "a string contains the control character \(found); write \(expected) instead"
    case .invalidNumber: return "invalid number '\(found)'; expected \(expected)"
    case .tooDeep:
      return
        "arrays and objects are nested too deeply; the maximum is \(expected); use fewer levels"
    case .duplicateKey:
      return "duplicate key '\(found)', first used on \(expected); remove or rename one of them"
    case .tooManyProblems:
      return "there are \(found) problems; the others are not shown; correct these first"

    // Keys and their values
    case .newerFormat:
      return "the model file has format \(found), and this version of Copal reads formats up to "
        + "\(expected); update Copal"
    case .unknownKey:
      return "unknown key '\(found)' in \(owner)" + (didYouMean ?? "; the keys are \(expected)")
    case .unsupportedKey:
      return
        "the key '\(found)' in \(owner) is one of the format, and this version of Copal does not "
        + "support it; remove it"
    case .keyOfEntity:
      return "\"\(found)\" is a key of the entity, not of an attribute; "
        + "remove it from \(owner), and write \(expected) in the entity, beside \"attributes\""
    case .requiredKey: return "\"\(found)\" is not a key of an attribute; \(expected)"
    case .missingKey: return "the key '\(expected)' is missing in \(owner); add it"
    case .orderedAndSorted:
      return "\(owner) has both \"ordered\" and \"\(found)\", which contradict each other: with "
        + "\"ordered\" the program decides the order, with \"\(found)\" the attributes do; remove "
        + "one of them"
    case .keyBesideCases:
      return "the key '\(found)' does not apply to \(owner), which has cases; remove it"
    case .misplacedKey:
      return
        "the key '\(found)' does not apply to \(owner); it is only for \(expected); remove it, or "
        + remedy(forMisplaced: problem.found)
    case .wrongType: return "\(location): found \(found); expected \(expected)"
    case .unknownKeyword where problem.key == "set" && ["fileprivate", "private"].contains(found):
      return
        "\(location) cannot be '\(found)': the property is in a generated file, where no code of "
        + "yours could set it; write one of \(expected), or \"accessor\": \"custom\" and the "
        + "property yourself"
    case .unknownKeyword:
      return "unknown keyword '\(found)' for \(location)"
        + (didYouMean ?? "; the keywords are \(expected)")
    case .outOfRange: return "\(location): \(found) is out of range; expected \(expected)"
    case .emptyList:
      return "\(location) contains an empty list; name \(expected), or remove the list"
    case .repeatedName: return "\(location) lists '\(found)' twice; remove one of them"

    // Names
    case .invalidName: return "invalid name '\(found)'; expected \(expected)"
    case .nameTooLong:
      return "the name is too long: it has \(found) bytes; the maximum is \(expected); shorten it"
    case .reservedName:
      return "the name '\(found)' is reserved: \(expected); choose another name"
        + (suggestion.map { ", such as '\($0)'" } ?? "")
        + (expected == ReservedNameReason.member
          ? "; after a rename, search the code for '.\(found)', which may still compile and mean that member"
          : "")
    case .nameClash:
      return
        "the name '\(found)' is already used by \(expected); names are case-insensitive; "
        + "rename one of them"
    case .duplicateClass:
      return
        "the class '\(found)' is already the class of \(expected); give \(owner) another \"class\""
    case .hidingClass:
      return "the class '\(found)' would hide the type '\(found)' that generated code uses; "
        + "give \(owner) another \"class\", such as \"\(expected)\""
    case .invalidImport:
      return
        "invalid import '\(found)'; expected the name of a module, or one declaration with its "
        + "kind, such as struct Foundation.Date"
    case .invalidRenaming:
      return "\(owner) cannot be renamed from '\(found)'; expected \(expected)"

    case .invalidRemoval:
      return
        "\(owner) cannot list '\(found)' as removed: the model has \(expected); remove it from "
        + "the list"

    case .invalidMerge:
      return "\(owner) cannot merge '\(found)': \(expected); remove it from one of the two"

    // Attributes
    case .unknownType:
      return "unknown attribute type '\(found)'" + (didYouMean ?? "; the types are \(expected)")
    case .entityType:
      return "'\(found)' is an entity, and an attribute stores a value; "
        + "move \(owner) from \"attributes\" to \"relationships\""
    case .listType:
      return "'\(found)' is a list, and an attribute stores one value; write \(expected)"
    case .optionalTwice where found == "minimum":
      return "\(owner) has both the keys \"optional\" and \"minimum\"; remove \"optional\": "
        + "a minimum of 1 or more means that the relationship cannot be empty"
    case .optionalTwice where found.hasPrefix("\"optional\""):
      return "\(owner) has \(found), which contradict each other; remove both keys if the "
        + "relationship may be empty, otherwise write only \(expected)"
    case .optionalTwice:
      return "\(owner) has both the key \"optional\" and a ? in its type \"\(found)\"; "
        + "remove the key, or write the type \"\(expected)\""
    case .missingTransformer:
      return "the transformable attribute \(owner) has no \"transformer\"; add one, or make the "
        + "attribute transient"
    case .missingClass:
      return
        "the transformable attribute \(owner) has no \"class\"; add the Swift type of its values"
    case .invalidClass: return "invalid \"class\" '\(found)' of \(owner); expected \(expected)"
    case .nullDefault:
      return
        "the \(word(for: problem)) of \(owner) is null; remove the key \"\(word(for: problem))\""
    case .invalidValue: return "\(location): invalid value '\(found)'; expected \(expected)"
    case .valueOutOfRange:
      return "\(location): \(found) does not fit \(expected); change the value or the type"
    case .scaleMismatch:
      return
        "\(location): \(found) does not fit a scale of \(expected): it has more than \(expected) "
        + "decimal places, or is too large for 64 bits; change the value or \"scale\""
    case .defaultBreaksRule:
      return
        "the \(word(for: problem)) '\(found)' of \(owner) breaks the attribute's own rule: \(expected); "
        + "change one of them"
    case .defaultIsNoCase:
      return "the \(word(for: problem)) '\(found)' of \(owner) is none of its cases"
        + (didYouMean ?? "; the cases are \(expected)")
    case .missingSearchForm:
      let forms = ([expected] + found.split(separator: ", ").map(String.init)).map { "\"\($0)\"" }
      return
        "\"search\" of \(owner) has '\(found)' without '\(expected)', whose index finds the objects of "
        + "every search; write [\(forms.joined(separator: ", "))]"
    case .invalidIgnoring:
      return "\(location) ignores \(found): \(expected)"
    case .invalidConversion:
      return "the conversion '\(found)' does not apply to \(owner); it is only for \(expected)"
    case .invalidRenamedCase:
      return "\(location): '\(found)' \(expected)"
    case .repeatedRawValue:
      return "\(location) has the raw value '\(found)' twice, first for '\(expected)'; "
        + "give each case a raw value of its own"
    case .emptyRange:
      return "the range of \(owner) is empty: \(found) is greater than \(expected); exchange them"
    case .invalidPattern:
      return "invalid pattern of \(owner): found '\(found)'; expected \(expected)"
    case .unknownAttribute:
      return "unknown attribute '\(found)' in \(location)"
        + (didYouMean ?? "; expected \(expected)")
    case .dependencyCycle:
      return "attributes depend on themselves: \(found); remove the cycle"
    case .tooManyAttributes:
      return
        "\(owner), with its subentities, has \(found) columns of stored attributes and their searches; the maximum is \(expected); split the entity"
    case .unindexableAttribute where expected == Self.projection:
      return "\(location) names '\(found)', a projection; a unique constraint has attributes only; "
        + "remove it from the list"
    case .unindexableAttribute:
      return
        "\(location) names '\(found)', which is \(expected), so a store cannot compare its values; "
        + "remove it from the list"
    case .repeatedIndex:
      return "\(location) lists (\(found)) twice, first on \(expected); remove one of them"

    // Fetch requests
    case .invalidCondition:
      return "the condition of \(owner) cannot be read: \(expected) (\(found))"
    case .unknownProperty:
      return
        "unknown name '\(found)' in \(location): \(expected) has no attribute and no relationship "
        + "of this name" + (didYouMean ?? "; add it there, or correct the name")
    case .conditionType:
      let sentence = problem.found.shown(maximumLength: 300)
      return "\(location): \(sentence); expected \(expected)" + (didYouMean ?? "")
    case .variableType: return "the variable '$\(found)' of \(owner) \(expected)"

    // Relationships and inheritance
    case .invalidRelationshipType:
      return "invalid relationship type '\(found)'; expected \(expected)"
    case .unknownDestination:
      return "unknown entity '\(found)' in the type of \(owner)"
        + (didYouMean ?? "; add the entity, or correct the name")
    case .missingInverse:
      let remedy =
        suggestion.map { "names it; write \"inverse\": \"\($0)\"" }
        ?? "name it; write the name of one of them as \"inverse\""
      return "\(owner) has no inverse, but \(expected) \(remedy)"
    case .unknownInverse:
      return "unknown inverse '\(found)' of \(owner): \(expected) has no relationship of this name"
        + (didYouMean ?? "; add it there, or correct the name")
    case .inverseLeadsElsewhere:
      return
        "the inverse of \(owner) must lead back to \(expected); found \(found); name another inverse for \(owner), or remove its \"inverse\""
    case .inverseNotMutual:
      let remedy =
        suggestion.map {
          "write \"inverse\": \"\($0)\" there, or name another inverse for \(owner)"
        } ?? "name another inverse for \(owner), or remove its \"inverse\""
      // Two names and a line are longer than other texts.
      let other = problem.found.shown(maximumLength: 300)
      return "the inverse of \(owner) must name '\(expected)' as its own inverse; found \(other); "
        + remedy
    case .notOwner where found.isEmpty:
      return "\(owner) cannot delete orphans: it has no inverse, so an object can have several "
        + "owners; remove \"orphans\", or add \(expected)"
    case .twoOwners:
      return "\(owner) cannot delete orphans: its inverse '\(found)' deletes orphans too, and only "
        + "one end can be the owner; remove \"orphans\" from one of them"
    case .notOwner:
      return "\(owner) cannot delete orphans: its inverse '\(found)' is to-many, so an object can "
        + "have several owners; remove \"orphans\", or make the inverse to-one"
    case .unsortableAttribute:
      return
        "\(location) names '\(found)', which is \(expected), so it gives the objects no order; "
        + "remove it from the list"
    case .unknownParent:
      return "unknown parent '\(found)' of \(owner): the model has no entity of this name"
        + (didYouMean ?? "; add the entity, or correct the name")
    case .inheritanceCycle:
      return "entities inherit from themselves: \(found); remove the cycle"
    case .inheritanceTooDeep:
      return
        "\(owner) has more than \(expected) ancestors; the maximum is \(expected); merge some of them"
    case .redeclaredProperty:
      return
        "'\(found)' of \(owner) is already declared by its ancestor \(expected); names are "
        + "case-insensitive; remove it from \(owner), or rename it"

    // A code of a later version or of another library has no sentence here; its data is shown.
    default:
      return [
        owner, found.isEmpty ? "" : "found \(found)",
        expected.isEmpty ? "" : "expected \(expected)",
      ]
      .filter { !$0.isEmpty }.joined(separator: "; ") + (didYouMean ?? "")
    }
  }

  /// The key of a value: `default` or `fill`.
  private static func word(for problem: ModelProblem) -> String {
    problem.key.isEmpty ? "default" : problem.key
  }

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
