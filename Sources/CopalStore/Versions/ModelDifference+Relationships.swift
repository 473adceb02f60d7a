import CopalModel

/// The differences of relationships.
extension ModelDifference {
  /// Compares the relationships that an entity declares.
  ///
  /// - Parameter kept: the old pairs of relationships whose objects the new model keeps.
  mutating func compareRelationships(_ index: Int, keeping kept: Set<ModelMapping.Place>) {
    for loss in losses where loss.entity == index {
      if let relationship = mapping.relationship(at: loss.place) {
        add(loss, of: relationship, keeping: kept)
      }
    }
    for relationship in entity(index).relationships { compare(relationship, index) }
  }

  // MARK: Removed relationships

  /// Adds the change of a relationship that objects had, and do not have any more.
  private mutating func add(
    _ loss: PropertyLoss, of relationship: RelationshipDescription,
    keeping kept: Set<ModelMapping.Place>
  ) {
    let (name, index) = (relationship.name, loss.entity)
    let now = entity(index)
    if mapping.new.line(index).contains(where: { entity($0).attribute(name) != nil }) {
      return add(
        .needingStep(
          .type, entity: now.name, property: name, "was a relationship, and is an attribute now"))
    }
    let inverse = mapping.old.declaredInverse(of: relationship)
    let isKept = kept.contains(mapping.pair(of: loss.place))
    let hasLeft = mapping.newEntity(of: loss.place.entity) != index
    if isKept, inverse != nil {
      // The destination of the inverse says which objects do not fit, unless the inverse is gone.
      if hasLeft || mapping.inverseDecides(loss) { return }
    }
    if isKept, mapping.isRemoval(loss) {
      return add(
        ModelChange(
          .removed, entity: now.name, property: name,
          detail: "removed, and its objects are kept at the other end",
          effect: relationship.isToMany ? .nothing : .writesRows))
    }
    if relationship.isToMany, let inverse, !hasLeft {
      let other = mapping.newEntity(of: inverse.entity).map(entity)
      let isStoredThere = !inverse.relationship.isToMany
      let hasWordThere = other.map { $0.removed.contains(inverse.relationship.name) } ?? true
      // The word stands at the end that has the objects, or at one of two that have them.
      let isSecond = mapping.pair(of: loss.place) != loss.place
      if isStoredThere || (hasWordThere && !now.removed.contains(name))
        || (isSecond && !hasWordThere && !now.removed.contains(name) && other != nil)
      {
        return add(
          ModelChange(
            .removed, entity: now.name, property: name, detail: "removed with its inverse",
            effect: .nothing))
      }
    }
    let heir = mapping.new.line(index).flatMap { entity($0).relationships }
      .first { $0.renamedFrom.contains(name) }?.name
    let mapping = mapping
    let taken = heir.flatMap { heir in
      loss.formers.flatMap { mapping.oldEnds(ofRelationship: heir, from: $0) }.first?.place.name
    }
    add(
      Removal(
        loss: loss, kind: "relationship", heir: heir, taken: taken,
        suggestion: heir == nil ? suggestion(for: relationship, loss) : nil))
  }

  /// The new relationship that an old one may be: the one with the same destination, or the most
  /// similar of them.
  private func suggestion(
    for relationship: RelationshipDescription, _ loss: PropertyLoss
  ) -> String? {
    let destination = mapping.old.entityIndex(relationship.destination)
      .flatMap(mapping.newEntity).map { entity($0).name }
    let candidates = mapping.new.line(loss.entity).flatMap { entity($0).relationships }.filter {
      now in
      now.destination == destination && now.isToMany == relationship.isToMany
        && loss.formers.allSatisfy { mapping.oldEnds(ofRelationship: now.name, from: $0).isEmpty }
    }.map(\.name)
    if candidates.count == 1 { return candidates[0] }
    return NearestName.of(relationship.name, among: candidates)
  }

  // MARK: Declared relationships

  private mutating func compare(_ relationship: RelationshipDescription, _ index: Int) {
    let (name, owner) = (relationship.name, entity(index).name)
    let origin = mapping.origin(ofRelationship: name, in: index)
    if let other = otherPair(of: relationship, than: origin.sources) {
      return add(
        .needingStep(
          .relationship, entity: owner, property: name,
          "was \(texts(origin.sources.map(\.place))), and its inverse was \(texts([other])), which was not its inverse"
        ))
    }
    addJoin(origin.sources.map(\.place), of: name, owner)
    for end in origin.sources {
      if isItsOwnInverseNow(relationship, index, end) {
        return add(
          .needingStep(
            .relationship, entity: owner, property: name,
            "is its own inverse now, and its objects need not be those of each other"))
      }
      add(RelationshipChange(from: end, to: relationship, in: index, mapping), owner)
    }
    let isRequired = !relationship.isToMany && !relationship.isOptional
    if origin.parts.isEmpty, former(index) != nil, !isRequired || origin.lacking.isEmpty {
      add(ModelChange(.added, entity: owner, property: name, detail: "new"))
    }
    if isRequired, !origin.lacking.isEmpty {
      let whose = origin.parts.isEmpty ? "" : " for \(list(origin.lacking))"
      add(
        ModelChange(
          .added, entity: owner, property: name, detail: "new and required\(whose)",
          outcome: .dependsOnRows,
          refusal: ModelChange.Refusal(
            .migrationNewRequired,
            cure:
              "make the relationship optional in this version, and required in one after it, when each object has one"
          )))
    }
  }

  /// Whether a relationship is its own inverse, such as `friends`, and was not.
  private func isItsOwnInverseNow(
    _ relationship: RelationshipDescription, _ index: Int, _ end: ModelMapping.RelationshipEnd
  ) -> Bool {
    guard let inverse = mapping.new.declaredInverse(of: relationship), inverse.entity == index,
      inverse.relationship.name == relationship.name
    else { return false }
    let back = mapping.relationship(at: end.place).flatMap(mapping.old.declaredInverse)
    return back?.entity != end.place.entity || back?.relationship.name != end.place.name
  }

  /// What the inverse was, where that was not the inverse of what the relationship was.
  private func otherPair(
    of relationship: RelationshipDescription, than ends: [ModelMapping.RelationshipEnd]
  ) -> ModelMapping.Place? {
    guard !ends.isEmpty, let inverse = mapping.new.declaredInverse(of: relationship) else {
      return nil
    }
    let pairs = ends.map { mapping.pair(of: $0.place) }
    return mapping.origin(ofRelationship: inverse.relationship.name, in: inverse.entity).sources
      .map(\.place).first { !pairs.contains(mapping.pair(of: $0)) }
  }

  /// Adds what changes for the objects of a relationship.
  private mutating func add(_ change: RelationshipChange, _ owner: String) {
    let now = change.new
    func add(
      _ kind: ModelChange.Kind, _ detail: String, effect: ModelChange.Effect = .inPlace,
      word: RelationshipDescription.Conversion? = nil, _ refusal: ModelChange.Refusal? = nil
    ) {
      let outcome: ModelChange.Outcome =
        if let word { .lossy(word: word.rawValue) } else if refusal != nil { .dependsOnRows } else {
          .lossless
        }
      self.add(
        ModelChange(
          kind, entity: owner, property: now.name, detail: detail, effect: effect,
          outcome: outcome, refusal: word == nil ? refusal : nil))
    }
    let program = "with the program that had the model"
    if let oldName = change.oldName, oldName != now.name {
      add(.renamed, "renamed from \(oldName)")
    }
    if change.mayHaveSeveral {
      add(
        .relationship, "to-many to to-one", effect: .writesRows,
        word: now.conversion == .first ? .first : nil,
        ModelChange.Refusal(
          .migrationSeveralObjects,
          cure: "write \"conversion\": \"first\", or leave one object for each \(program)"))
    } else if change.wasToMany, !now.isToMany {
      add(.relationship, "to-many to to-one", effect: .writesRows)
    } else if !change.wasToMany, now.isToMany {
      add(.relationship, "to-one to to-many", effect: change.movesObjects ? .writesRows : .inPlace)
    } else if change.movesObjects {
      add(.relationship, "kept in another way, because of its inverse", effect: .writesRows)
    }
    switch change.order {
    case .same: break
    case .added: add(.ordered, "ordered, by the age of the objects", effect: .writesRows)
    case .removed where now.conversion == .unordered:
      add(.ordered, "not ordered any more", effect: .writesRows, word: .unordered)
    case .removed:
      self.add(
        ModelChange(
          .ordered, entity: owner, property: now.name, detail: "not ordered any more",
          refused: ModelChange.Refusal(
            .migrationNeedsWord, cure: "write \"conversion\": \"unordered\" to lose the order")))
    }
    let leavesOut = now.conversion == .toNil
    let cureOfNil =
      "write \"conversion\": \"nil\""
      + (now.isToMany || now.isOptional ? "" : " and make the relationship optional")
    switch change.destination {
    case .same: break
    case .wider(let old): add(.destination, "\(old) to \(now.destination)", effect: .nothing)
    case .narrower(let detail, let isRemoved):
      if isRemoved, !now.isToMany, !now.isOptional {
        self.add(
          ModelChange(
            .deleteRule, entity: owner, property: now.name,
            detail: "some of its objects are removed",
            outcome: .dependsOnRows,
            refusal: ModelChange.Refusal(
              .migrationMissingObject,
              cure: "make the relationship optional, or give each object another one \(program)")))
      } else if isRemoved {
        add(.deleteRule, "without the objects that are removed", effect: .writesRows)
      }
      guard let detail else { break }
      add(
        .destination, detail, effect: leavesOut ? .writesRows : .inPlace,
        word: leavesOut ? .toNil : nil,
        ModelChange.Refusal(
          .migrationWrongEntity,
          cure: "\(cureOfNil), or take these objects out of the relationship \(program)"))
    case .other(let old):
      self.add(
        .needingStep(
          .destination, entity: owner, property: now.name,
          "led to \(old), and leads to \(now.destination) now"))
    }
    if change.existsNow {
      add(
        .deleteRule, "its objects must exist now", effect: .writesRows,
        word: leavesOut ? .toNil : nil,
        ModelChange.Refusal(
          .migrationMissingObject,
          cure: "\(cureOfNil), or take these objects out of the relationship \(program)"))
    } else if change.mayMissNow {
      add(.deleteRule, "its objects may be missing now", effect: .writesRows)
    }
    if now.isToMany { return }
    if !now.isOptional, change.inverseKeepsFirst {
      self.add(
        ModelChange(
          .required, entity: owner, property: now.name,
          detail: "required, and its inverse keeps one object of several",
          refused: ModelChange.Refusal(
            .migrationMissingValues, cure: "make the relationship optional")))
    } else if !now.isOptional, change.mayBeNil {
      add(
        .required, "required",
        ModelChange.Refusal(
          .migrationMissingValues,
          cure: "make the relationship optional, or give each object one \(program)"))
    } else if now.isOptional, !change.mayBeNil {
      add(.optional, "optional")
    }
  }
}
