import CopalEssentials

/// Checks that a key is used only where it has a meaning.
enum KeyPlacementCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    if model.model?.access == .internal { reportSetAccess(in: model, &problems) }
    for entity in model.entities {
      for key in ["observable", "identity"] where entity.description.parent != nil {
        guard let member = entity.member.member(key) else { continue }
        problems.add(
          .misplacedKey, at: member.position, subject: entity.name, found: key,
          expected: "entities without a parent")
      }
      for attribute in entity.attributes where attribute.typeIsKnown {
        check(attribute, &problems)
      }
      for relationship in entity.relationships where relationship.typeIsKnown {
        check(relationship, &problems)
      }
    }
  }

  @inline(never)
  private static func check(_ attribute: AttributeDraft, _ problems: inout ProblemList) {
    guard case .object(let members) = attribute.member.value.kind else { return }
    let type = attribute.description.type
    for member in members {
      if let types = types(for: member.key), !types.contains(type) {
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: "attributes of type " + types.map(\.rawValue).joined(separator: ", "))
      }
      let isOfStored = [
        "mutable", "versioned", "external", "fill", "conversion", "renamedCases", "checkStored",
        "search", "project",
      ]
      if isOfStored.contains(member.key),
        attribute.description.isTransient
      {
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: "attributes that are stored")
      }
      if member.key == "external", attribute.description.storageType != .blob,
        attribute.description.type == .transformable
      {
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: "attributes that are stored as BLOB")
      }
      if member.key == "project", attribute.description.externalThreshold != nil {
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: "attributes without \"external\"")
      }
      let isRule = ["minimum", "maximum", "minimumLength", "maximumLength", "pattern"].contains(
        member.key)
      if isRule, attribute.member.member("cases") != nil {
        problems.add(
          .keyBesideCases, at: member.position, subject: attribute.subject, found: member.key)
      }
      if ["enum", "renamedCases"].contains(member.key), attribute.member.member("cases") == nil {
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: "attributes with cases")
      }
      if member.key == "checkStored", attribute.description.rules.isEmpty,
        attribute.member.member("cases") == nil
      {
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: "attributes with rules or cases")
      }
      if member.key == "placeholder", [.uri, .transformable].contains(type),
        attribute.description.isOptional || attribute.description.isMutable
      {
        // A placeholder that can change would be shared by all objects.
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: attribute.description.isOptional
            ? "attributes that are required" : "attributes without \"mutable\"")
      }
      let forms = attribute.description.search
      if member.key == "search", !forms.isEmpty, !forms.contains(.normalized) {
        problems.add(
          .missingSearchForm, at: member.value.position, subject: attribute.subject,
          found: forms.map(\.rawValue).inOrder().joined(separator: ", "), expected: "normalized")
      }
      if member.key == "dependsOn", !attribute.description.isTransient {
        problems.add(
          .misplacedKey, at: member.position, subject: attribute.subject, found: member.key,
          expected: "transient attributes")
      }
    }
  }

  /// Reports the key `set` in a model whose code is internal: nothing outside can set a property.
  @inline(never)
  private static func reportSetAccess(in model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      let parts =
        [(entity.name, entity.member)] + entity.attributes.map { ($0.subject, $0.member) }
        + entity.relationships.map { ($0.subject, $0.member) }
      for (subject, member) in parts {
        guard let key = member.member("set") else { continue }
        problems.add(
          .misplacedKey, at: key.position, subject: subject, found: key.key,
          expected: "models with \"access\": \"public\"")
      }
    }
  }

  /// The types for which a key of an attribute has a meaning; `nil` means all.
  @inline(never)
  private static func types(for key: String) -> [AttributeType]? {
    switch key {
    case "minimum", "maximum": AttributeType.allCases.filter(\.hasLimits)
    case "minimumLength", "maximumLength": AttributeType.allCases.filter(\.hasLength)
    case "pattern", "search": [.string]
    case "scale": [.decimal]
    case "cases", "enum", "renamedCases": AttributeType.allCases.filter(\.canHaveCases)
    case "transformer", "class", "storage", "mutable", "versioned", "project": [.transformable]
    case "external": [.binary, .transformable]
    case "placeholder": [.uri, .transformable]
    case "default", "fill": AttributeType.allCases.filter { $0 != .transformable }
    default: nil
    }
  }

  @inline(never)
  private static func check(_ relationship: RelationshipDraft, _ problems: inout ProblemList) {
    func report(_ key: String, only expected: String) {
      guard let member = relationship.member.member(key) else { return }
      problems.add(
        .misplacedKey, at: member.position, subject: relationship.subject, found: key,
        expected: expected)
    }
    let isToMany = relationship.description.isToMany
    if !isToMany {
      for key in ["ordered", "minimum", "maximum"] { report(key, only: "to-many relationships") }
    }
    if !isToMany {
      report("sort", only: "to-many relationships without an order of their own")
    } else if relationship.description.isOrdered, let member = relationship.member.member("sort") {
      problems.add(
        .orderedAndSorted, at: member.position, subject: relationship.subject, found: "sort")
    }
  }
}
