/// The differences of relationships.
extension ModelDifference {
  /// Compares the relationships that an entity declares.
  ///
  /// - Parameter kept: the old pairs of relationships whose objects the new model keeps.
  mutating func compareRelationships(_ index: Int, keeping kept: Set<ModelMapping.Place>) {
    for relationship in (former(index)?.relationships ?? []).sorted(by: { $0.name < $1.name })
    where mapping.newName(ofRelationship: relationship.name, of: index) == nil {
      addLoss(of: relationship, index, keeping: kept)
    }
    for relationship in entity(index).relationships { compare(relationship, index) }
  }

  // MARK: Removed relationships

  /// Adds the change of a relationship that an entity had, and does not have any more.
  private mutating func addLoss(
    of relationship: RelationshipDescription, _ index: Int, keeping kept: Set<ModelMapping.Place>
  ) {
    let (name, now) = (relationship.name, entity(index))
    if mapping.new.line(index).contains(where: { entity($0).attribute(name) != nil }) {
      return add(
        .needingStep(
          .type, entity: now.name, property: name, "was a relationship, and is an attribute now"))
    }
    guard let former = mapping.oldEntity(of: index) else { return }
    let place = ModelMapping.Place(entity: former, name: name)
    let inverse = mapping.old.declaredInverse(of: relationship)
    if let subentity = subentity(of: index, having: name), inverse == nil || subentity.isOneWay {
      // Where there is an inverse, its destination says which objects do not fit.
      return add(
        .needingStep(
          .relationship, entity: now.name, property: name,
          "was moved to the subentity \(subentity.name)"))
    }
    if kept.contains(mapping.pair(of: place)) {
      return add(
        ModelChange(
          .removed, entity: now.name, property: name,
          detail: "removed, and its objects are kept at the other end",
          effect: relationship.isToMany ? .nothing : .writesRows))
    }
    if relationship.isToMany, let inverse {
      let other = mapping.newEntity(of: inverse.entity).map(entity)
      let isStoredThere = !inverse.relationship.isToMany
      let hasWordThere = other.map { $0.removed.contains(inverse.relationship.name) } ?? true
      // The word stands at the end that has the objects, or at one of two that have them.
      let isSecond = mapping.pair(of: place) != place
      if isStoredThere || (hasWordThere && !now.removed.contains(name))
        || (isSecond && !hasWordThere && !now.removed.contains(name) && other != nil)
      {
        return add(
          ModelChange(
            .removed, entity: now.name, property: name, detail: "removed with its inverse",
            effect: .nothing))
      }
    }
    addRemoval(of: relationship, index)
  }

  /// The subentity that has a relationship of its ancestor now.
  private func subentity(
    of index: Int, having name: String
  ) -> (name: String, isOneWay: Bool)? {
    for kind in mapping.kinds[index].dropFirst() {
      guard let newName = mapping.newName(ofRelationship: name, of: kind) else { continue }
      let found = mapping.new.relationships(ofEntity: kind).first { $0.name == newName }
      return (entity(kind).name, found?.inverse == nil)
    }
    return nil
  }

  private mutating func addRemoval(of relationship: RelationshipDescription, _ index: Int) {
    let (name, now) = (relationship.name, entity(index))
    let heir = mapping.new.line(index).flatMap { entity($0).relationships }
      .first { $0.renamedFrom.contains(name) }?.name
    let taken = heir.flatMap { mapping.oldEnd(ofRelationship: $0, of: index)?.place.name }
    let detail = "removed" + Self.clause(heir: heir, taken: taken)
    guard now.removed.contains(name) else {
      let cure =
        (heir != nil && taken == heir ? heir : nil).map(Self.cureOfTakenName)
        ?? "add \(name.quoted) to \"removed\" of \(now.name)"
        + (heir == nil
          ? ", or write \"renamedFrom\": \(name.quoted) at the relationship that it is now" : "")
      return add(
        ModelChange(
          .removed, entity: now.name, property: name, detail: detail,
          refused: ModelChange.Refusal(
            .migrationRemoved, cure: cure,
            suggestion: heir == nil ? suggestion(for: relationship, index) : nil)))
    }
    add(
      ModelChange(
        .removed, entity: now.name, property: name, detail: detail, effect: .writesRows,
        outcome: .lossy(word: "removed")))
  }

  /// The new relationship that an old one may be: the one with the same destination, or the most
  /// similar of them.
  private func suggestion(for relationship: RelationshipDescription, _ index: Int) -> String? {
    let destination = mapping.old.entityIndex(relationship.destination)
      .flatMap(mapping.newEntity).map { entity($0).name }
    let candidates = mapping.new.line(index).flatMap { entity($0).relationships }.filter {
      $0.destination == destination && $0.isToMany == relationship.isToMany
        && mapping.oldEnd(ofRelationship: $0.name, of: index) == nil
    }.map(\.name)
    if candidates.count == 1 { return candidates[0] }
    return NearestName.of(relationship.name, among: candidates)
  }

  // MARK: Declared relationships

  private mutating func compare(_ relationship: RelationshipDescription, _ index: Int) {
    let (name, owner) = (relationship.name, entity(index).name)
    let origin = mapping.origin(ofRelationship: name, in: index)
    if origin.places.count > 1 {
      return add(
        .needingStep(
          .relationship, entity: owner, property: name,
          "would have the objects of \(texts(origin.places.map(\.place))), and each of these has objects of its own"
        ))
    }
    if let end = origin.places.first {
      if let other = otherPair(of: relationship, than: end) {
        return add(
          .needingStep(
            .relationship, entity: owner, property: name,
            "was \(texts([end.place])), and its inverse was \(texts([other])), which was not its inverse"
          ))
      }
      if isItsOwnInverseNow(relationship, index, end) {
        return add(
          .needingStep(
            .relationship, entity: owner, property: name,
            "is its own inverse now, and its objects need not be those of each other"))
      }
      add(RelationshipChange(from: end, to: relationship, in: index, mapping), owner)
    }
    let isRequired = !relationship.isToMany && !relationship.isOptional
    if origin.places.isEmpty, former(index) != nil, !isRequired || origin.lacking.isEmpty {
      add(ModelChange(.added, entity: owner, property: name, detail: "new"))
    }
    if isRequired, !origin.lacking.isEmpty {
      let whose = origin.places.isEmpty ? "" : " for \(list(origin.lacking))"
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
    of relationship: RelationshipDescription, than end: ModelMapping.RelationshipEnd
  ) -> ModelMapping.Place? {
    guard let inverse = mapping.new.declaredInverse(of: relationship),
      let other = mapping.origin(
        ofRelationship: inverse.relationship.name, in: inverse.entity
      ).places.first,
      mapping.pair(of: other.place) != mapping.pair(of: end.place)
    else { return nil }
    return other.place
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
    case .narrower(let old):
      add(
        .destination, "\(old) to \(now.destination)", effect: leavesOut ? .writesRows : .inPlace,
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
