import CopalEssentials

/// Checks that indexes and unique constraints name stored attributes with comparable values, and
/// that the identity names an attribute.
enum IndexCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for (index, entity) in model.entities.enumerated() {
      check(entity.unique, key: "unique", entity: index, model, &problems)
      check(entity.indexes, key: "indexes", entity: index, model, &problems)
      if let name = entity.description.identity, entity.description.parent == nil {
        checkExists(
          LocatedName(name: name, position: entity.member.position(of: "identity")), entity: index,
          subject: entity.name, key: "identity", model, &problems)
      }
    }
  }

  @inline(never)
  private static func check(
    _ lists: [NameList], key: String, entity: Int, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) {
    let subject = model.entities[entity].name
    var lines: [[String]: Int] = [:]
    for list in lists {
      let names = list.names.map(\.text)
      // The order of names matters in an index, and not in a constraint.
      let meaning = key == "unique" ? names.inOrder() : names
      if names.isEmpty {
        problems.add(
          .emptyList, at: list.position, subject: subject, key: key,
          expected: "an attribute")
      } else if let line = lines[meaning] {
        problems.add(
          .repeatedIndex, at: list.position, subject: subject, key: key,
          found: names.joined(separator: ", "), expected: "line \(line)")
      } else {
        lines[meaning] = list.position.line
        checkNames(list.names, key: key, entity: entity, model, &problems)
      }
    }
  }

  @inline(never)
  private static func checkNames(
    _ names: [LocatedName], key: String, entity: Int, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) {
    let subject = model.entities[entity].name
    var seen: Set<String> = []
    for name in names {
      if !seen.insert(name.name).inserted {
        problems.add(
          .repeatedName, at: name.position, subject: subject, key: key, found: name.name)
        continue
      }
      if checkProjection(name, key: key, entity: entity, subject: subject, model, &problems) {
        continue
      }
      guard
        let attribute = checkExists(
          name, entity: entity, subject: subject, key: key, model, &problems),
        attribute.typeIsKnown
      else { continue }
      let description = attribute.description
      let obstacle =
        description.isTransient
        ? "transient"
        : description.type == .transformable
          ? "transformable" : description.externalThreshold == nil ? nil : "external"
      if let obstacle {
        problems.add(
          .unindexableAttribute, at: name.position, subject: subject, key: key, found: name.name,
          expected: obstacle)
      } else if let obstacle = Self.obstacle(to: name.ignored, description) {
        let words = name.ignored.map(\.rawValue).inOrder().joined(separator: " and ")
        problems.add(
          .invalidIgnoring, at: name.position, subject: subject, key: key,
          found: "\(words) of '\(name.name)'", expected: obstacle)
      }
    }
  }

  /// Whether a name is that of a projection, as in `tint.lightness`. Reports one that the
  /// attribute does not have, and one in a unique constraint.
  @inline(never)
  private static func checkProjection(
    _ name: LocatedName, key: String, entity: Int, subject: String, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) -> Bool {
    let steps = name.name.split(separator: ".", omittingEmptySubsequences: false)
    guard steps.count == 2,
      let attribute = model.family(of: entity).lazy
        .compactMap({ $0.attribute(String(steps[0])) }).first,
      attribute.typeIsKnown, attribute.description.type == .transformable
    else { return false }
    let names = attribute.description.projections.map(\.name)
    if !names.contains(String(steps[1])) {
      let nearest = problems.nearest(to: String(steps[1]), among: names)
      problems.add(
        .unknownAttribute, at: name.position, subject: subject, key: key, found: name.name,
        expected: "a projection that \"project\" of '\(steps[0])' lists",
        suggestion: nearest.map { "\(steps[0]).\($0)" })
    } else if key == "unique" {
      problems.add(
        .unindexableAttribute, at: name.position, subject: subject, key: key, found: name.name,
        expected: ModelWording.projection)
    }
    return true
  }

  /// Why a unique constraint cannot ignore something in an attribute; nil where it can.
  @inline(never)
  private static func obstacle(
    to ignored: Set<UniqueConstraintDescription.Difference>, _ attribute: AttributeDescription
  ) -> String? {
    if ignored.isEmpty { return nil }
    guard attribute.type == .string else {
      return "the attribute is no string; write its name alone"
    }
    if !ignored.contains(.case) {
      return "a store compares texts without case, or without case and diacritics; "
        + "write \"ignoring\": [\"case\", \"diacritics\"]"
    }
    let isNormalized = ignored.contains(.diacritics)
    if attribute.search.contains(isNormalized ? .normalized : .caseInsensitive) { return nil }
    return "the store keeps no such form of the attribute; write \"search\": "
      + (isNormalized ? "\"normalized\"" : "[\"normalized\", \"case\"]") + " at it"
  }

  /// The attribute of that name, own or inherited; reports a missing one.
  ///
  /// - Parameter owner: the entity in the words of the message.
  @discardableResult
  @inline(never)
  static func checkExists(
    _ name: LocatedName, entity: Int, owner: String = "the entity", subject: String, key: String,
    _ model: ModelDraft, _ problems: inout ProblemList
  ) -> AttributeDraft? {
    let family = model.family(of: entity)
    for member in family {
      if let attribute = member.attribute(name.name) { return attribute }
    }
    guard model.knowsProperties(of: entity) else { return nil }
    let names = family.lazy.flatMap { $0.attributes.lazy.map(\.description.name) }
    let suggestion = problems.nearest(to: name.name, among: names)
    let isRelationship = family.contains { $0.relationship(name.name) != nil }
    problems.add(
      .unknownAttribute, at: name.position, subject: subject, key: key, found: name.name,
      expected: isRelationship
        ? "an attribute, not a relationship" : "an attribute of \(owner)",
      suggestion: isRelationship ? nil : suggestion)
    return nil
  }
}
