/// Checks that the cases of an attribute make a Swift enum, and that each raw value means one case.
enum CasesCheck {
  /// Names that the generated enum, or Swift, has already.
  private static let taken: Set<String> = [
    "RawValue", "AllCases", "allCases", "encode", "hash", "hashValue", "isRecognized", "load",
    "rawValue", "unrecognized", "value", "zero",
  ]

  /// Types that the members of a generated class name, so that an enum in the class would hide
  /// them.
  private static let typesOfMembers: Set<String> = [
    "AttributeEnum", "Comparable", "OrderedToMany", "Patch", "Properties", "PropertyNames",
    "QueryReference", "QuerySubentity", "QueryToMany", "Snapshot", "ToMany",
  ]

  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for attribute in entity.attributes where attribute.description.type.canHaveCases {
        guard let node = attribute.member.value["cases"] else { continue }
        checkTypeName(attribute, &problems)
        check(node, of: attribute, &problems)
      }
    }
  }

  @inline(never)
  private static func check(
    _ node: JSONNode, of attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    let names: [LocatedName]
    switch node.kind {
    case .array(let elements):
      names = elements.compactMap { element in
        guard case .string(let name) = element.kind else { return nil }
        return LocatedName(name: name, position: element.position)
      }
    case .object(let members):
      names = members.map { LocatedName(name: $0.key, position: $0.position) }
    // Reported when it was read.
    default: return
    }
    if names.isEmpty {
      problems.add(
        .emptyList, at: node.position, subject: attribute.subject, key: "cases", expected: "a case")
    }
    for name in names { check(name, of: attribute, &problems) }
    checkRepetitions(names, of: attribute, &problems)
  }

  @inline(never)
  private static func check(
    _ name: LocatedName, of attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    if !SwiftIdentifier.isValid(name.name) {
      let object = "{ \"\(identifier(like: name.name))\": \"\(name.name.prefix(100))\" }"
      problems.add(
        .invalidName, at: name.position, subject: attribute.subject, found: name.name,
        expected: "letters, digits and _, with no digit first; write an object such as \(object)")
    } else if let reason = reason(against: name.name) {
      problems.add(
        .reservedName, at: name.position, subject: attribute.subject, found: name.name,
        expected: reason, suggestion: name.name + "Case")
    }
  }

  /// The name of a case that looks like a text: `inPowder` for `in powder`.
  private static func identifier(like text: String) -> String {
    let words = text.prefix(100).split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let name =
      (words.first?.lowercased() ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return SwiftIdentifier.isValid(name) ? name : "someName"
  }

  private static func reason(against name: String) -> String? {
    if let reason = ReservedNames.reason(against: name) { return reason }
    if taken.contains(name) { return "it is a member of the generated enum" }
    // `.none` would mean nil where an Optional is expected, as in a condition, and `.some` a value.
    if ["none", "some"].contains(name) { return "it is a case of Optional" }
    return nil
  }

  @inline(never)
  private static func checkRepetitions(
    _ names: [LocatedName], of attribute: AttributeDraft, _ problems: inout ProblemList
  ) {
    var known: Set<String> = []
    for name in names where !known.insert(name.name).inserted {
      problems.add(
        .repeatedName, at: name.position, subject: attribute.subject, key: "cases",
        found: name.name)
    }
    // The reader has left out what it could not read.
    guard case .object(let members) = attribute.member.value["cases"]?.kind,
      let cases = attribute.description.cases, cases.count == members.count
    else { return }
    var first: [PropertyValue: String] = [:]
    for (each, member) in zip(cases, members) {
      guard let other = first[each.rawValue] else {
        first[each.rawValue] = each.name
        continue
      }
      problems.add(
        .repeatedRawValue, at: member.value.position, subject: attribute.subject, key: "cases",
        found: each.rawValue.shownCase, expected: other)
    }
  }

  /// Checks that the enum may have its name inside of a generated class.
  @inline(never)
  private static func checkTypeName(_ attribute: AttributeDraft, _ problems: inout ProblemList) {
    let name = attribute.description.enumTypeName
    let key = attribute.description.enumName == nil ? "cases" : "enum"
    let position = attribute.member.position(of: key)
    if !SwiftIdentifier.isValid(name) {
      problems.add(
        .invalidName, at: position, subject: attribute.subject, found: name,
        expected: "letters, digits and _, with no digit first")
    } else if ReservedNames.notTypes.contains(name) || ReservedNames.generatedTypes.contains(name)
      || typesOfMembers.contains(name)
    {
      problems.add(
        .reservedName, at: position, subject: attribute.subject, found: name,
        expected: "generated code uses the type of this name, so the enum needs another \"enum\"",
        suggestion: name + "Kind")
    }
  }
}
