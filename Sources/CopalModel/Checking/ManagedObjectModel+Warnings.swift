extension ManagedObjectModel {
  /// What is valid in the model, and has a cost or is probably a mistake, in the order of the
  /// model.
  ///
  /// Complexity: linear in the size of the model.
  public var warnings: [ModelWarning] {
    let candidates = InverseCandidates(self)
    return entities.indices.flatMap { index in
      entities[index].attributes.compactMap { insecureTransformer($0, of: index) }
        + entities[index].relationships.compactMap { relationship in
          relationship.inverse == nil
            ? oneWay(relationship, of: index, candidates)
            : nullifiesRequired(relationship, of: index)
              ?? cascadesBothWays(relationship, of: index)
        }
    }
  }

  /// The names of Core Data's transformers that make objects of whatever class an archive names, as
  /// models have them.
  private static let insecureTransformers: Set<TransformerName> = [
    "NSKeyedUnarchiveFromData", "NSUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    "NSUnarchiveFromDataTransformerName",
  ]

  @inline(never)
  private func insecureTransformer(_ attribute: AttributeDescription, of entity: Int)
    -> ModelWarning?
  {
    guard let name = attribute.transformer, Self.insecureTransformers.contains(name) else {
      return nil
    }
    return ModelWarning(
      .insecureTransformer,
      keys: ["entities", entities[entity].name, "attributes", attribute.name, "transformer"],
      subject: "\(entities[entity].name).\(attribute.name)", found: name.rawValue,
      suggestion: "NSSecureUnarchiveFromData")
  }

  @inline(never)
  private func oneWay(
    _ relationship: RelationshipDescription, of entity: Int, _ candidates: InverseCandidates
  ) -> ModelWarning {
    let kind: ModelWording.OneWayKind =
      relationship.isToMany ? .toMany : relationship.isOptional ? .optional : .required
    return ModelWarning(
      .oneWay, keys: keys(of: relationship, of: entity),
      subject: "\(entities[entity].name).\(relationship.name)", found: kind.rawValue,
      expected: relationship.destination,
      suggestion: candidates.onlyInverse(of: relationship, of: entity))
  }

  @inline(never)
  private func nullifiesRequired(
    _ relationship: RelationshipDescription, of entity: Int
  ) -> ModelWarning? {
    guard relationship.deleteRule == .nullify, relationship.orphanRule == .keep,
      let (declaring, inverse) = declaredInverse(of: relationship),
      !inverse.isToMany, !inverse.isOptional
    else { return nil }
    return ModelWarning(
      .nullifiesRequired, keys: keys(of: relationship, of: entity) + ["delete"],
      subject: "\(entities[entity].name).\(relationship.name)",
      found: "\(entities[declaring].name).\(inverse.name)", expected: inverse.destination)
  }

  /// One warning for the two ends: at the to-one end, whose object is usually not the owner,
  /// otherwise at the later end.
  ///
  /// A relationship that is its own inverse has only one delete rule, so there is no other end to
  /// correct.
  @inline(never)
  private func cascadesBothWays(
    _ relationship: RelationshipDescription, of entity: Int
  ) -> ModelWarning? {
    guard relationship.deleteRule == .cascade,
      let (declaring, inverse) = declaredInverse(of: relationship), inverse.deleteRule == .cascade,
      (declaring, inverse.name) != (entity, relationship.name)
    else { return nil }
    let hasToOneEnd = relationship.isToMany != inverse.isToMany
    let isReported =
      hasToOneEnd
      ? !relationship.isToMany : (declaring, inverse.name) < (entity, relationship.name)
    guard isReported else { return nil }
    let subject = "\(entities[entity].name).\(relationship.name)"
    return ModelWarning(
      .cascadesBothWays, keys: keys(of: relationship, of: entity) + ["delete"], subject: subject,
      found: "\(entities[declaring].name).\(inverse.name)",
      expected: hasToOneEnd ? subject : "one of them")
  }

  private func keys(of relationship: RelationshipDescription, of entity: Int) -> [String] {
    ["entities", entities[entity].name, "relationships", relationship.name]
  }
}

/// The relationships without an inverse, by their two ends.
private struct InverseCandidates {
  private let model: ManagedObjectModel
  private var names: [Ends: [String]] = [:]

  private struct Ends: Hashable {
    let owner: Int
    let destination: Int
  }

  @inline(never)
  init(_ model: ManagedObjectModel) {
    self.model = model
    for (owner, entity) in model.entities.enumerated() {
      for relationship in entity.relationships where relationship.inverse == nil {
        guard let destination = model.entityIndex(relationship.destination) else { continue }
        names[Ends(owner: owner, destination: destination), default: []].append(relationship.name)
      }
    }
  }

  /// The relationship that leads back, if there is exactly one in each direction.
  @inline(never)
  func onlyInverse(of relationship: RelationshipDescription, of entity: Int) -> String? {
    guard let destination = model.entityIndex(relationship.destination) else { return nil }
    let there = names[Ends(owner: entity, destination: destination)] ?? []
    let back = names[Ends(owner: destination, destination: entity)] ?? []
    // A relationship can be its own inverse, but few are meant to be.
    guard entity != destination else {
      return there.count == 2 ? there.first { $0 != relationship.name } : nil
    }
    return there.count == 1 && back.count == 1 ? back.first : nil
  }
}
