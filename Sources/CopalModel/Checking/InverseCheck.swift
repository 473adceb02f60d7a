/// Checks that a relationship and its inverse lead to each other and name each other.
enum InverseCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var oneWay = OneWayRelationships(model)
    for (index, entity) in model.entities.enumerated() {
      for relationship in entity.relationships
      where relationship.typeIsKnown && !problems.isFull {
        guard let destination = model.index(of: relationship.description.destination) else {
          continue
        }
        check(relationship, of: index, to: destination, model, &problems)
        oneWay.note(relationship, of: index, to: destination)
      }
    }
    oneWay.reportNamed(&problems)
  }

  @inline(never)
  private static func check(
    _ relationship: RelationshipDraft, of entity: Int, to destination: Int, _ model: ModelDraft,
    _ problems: inout ProblemList
  ) {
    let position = relationship.member.position(of: "inverse")
    guard let name = relationship.description.inverse else { return }
    let family = model.family(of: destination)
    guard let inverse = family.lazy.compactMap({ $0.relationship(name) }).first else {
      guard model.knowsProperties(of: destination) else { return }
      let names = family.lazy.flatMap { $0.relationships.lazy.map(\.description.name) }
      // `Recipe.tags` names the entity, too: its last part is meant.
      let last = name.split(separator: ".").last.map(String.init) ?? name
      let isThere = family.contains { $0.relationship(last) != nil }
      let suggestion = isThere ? last : problems.nearest(to: last, among: names)
      problems.add(
        .unknownInverse, at: position, subject: relationship.subject, found: name,
        expected: model.entities[destination].name, suggestion: suggestion)
      return
    }
    guard inverse.typeIsKnown, let back = model.index(of: inverse.description.destination) else {
      return
    }
    if !leads(to: entity, back, model) {
      problems.add(
        .inverseLeadsElsewhere, at: position, subject: relationship.subject,
        found: "\(inverse.subject), which leads to \(inverse.description.destination.asSubject)",
        expected: model.entities[entity].name)
    } else if let mutual = inverse.description.inverse, mutual != relationship.description.name,
      let other = model.family(of: back).lazy.compactMap({ $0.relationship(mutual) }).first
    {
      // A pair whose ends name each other needs no change.
      let isPair = other.description.inverse == name && other.subject != inverse.subject
      let line = inverse.member.position(of: "inverse").line
      problems.add(
        .inverseNotMutual, at: position, subject: relationship.subject,
        found: "\(inverse.subject), whose inverse is '\(mutual.asSubject)' (line \(line))",
        expected: relationship.description.name,
        suggestion: isPair ? nil : relationship.description.name)
    }
  }

  /// Whether a relationship with this destination may hold objects of the entity.
  fileprivate static func leads(to entity: Int, _ destination: Int, _ model: ModelDraft) -> Bool {
    guard destination != entity, let ancestors = model.ancestors(of: entity) else { return true }
    return ancestors.contains(destination)
  }
}

/// The relationships without an inverse that other relationships name as theirs.
private struct OneWayRelationships {
  private let model: ModelDraft
  /// For each of them, those that name it.
  private var namedBy: [Key: [RelationshipDraft]] = [:]
  private var order: [Key] = []

  private struct Key: Hashable {
    let entity: Int
    let name: String
  }

  init(_ model: ModelDraft) { self.model = model }

  /// Takes the inverse of a relationship into account.
  @inline(never)
  mutating func note(_ relationship: RelationshipDraft, of entity: Int, to destination: Int) {
    guard let name = relationship.description.inverse else { return }
    let family = [destination] + (model.ancestors(of: destination) ?? [])
    guard
      let owner = family.first(where: { model.entities[$0].relationship(name) != nil }),
      let inverse = model.entities[owner].relationship(name), inverse.typeIsKnown,
      inverse.member.member("inverse") == nil,
      let back = model.index(of: inverse.description.destination),
      InverseCheck.leads(to: entity, back, model)
    else { return }
    let key = Key(entity: owner, name: name)
    if namedBy[key] == nil { order.append(key) }
    namedBy[key, default: []].append(relationship)
  }

  @inline(never)
  func reportNamed(_ problems: inout ProblemList) {
    for key in order where !problems.isFull {
      guard let relationship = model.entities[key.entity].relationship(key.name),
        let names = namedBy[key]
      else { continue }
      problems.add(
        .missingInverse, at: relationship.member.position, subject: relationship.subject,
        expected: names.prefix(2).map(\.subject).joined(separator: " and "),
        suggestion: names.count == 1 ? names.first?.description.name : nil)
    }
  }
}
