import CopalEssentials
import CopalModel
import CopalStore

/// The copy of references and links, after all objects were copied.
extension MigratingCopy {
  func copyReferences(of former: EntityLayout) throws {
    guard let layout = newLayout(of: former) else { return }
    try findLacking(of: former, layout)
    try findKeptPairs(of: former)
    let relationships = relationships(of: former).filter { !$0.new.relationship.isToMany }
    if relationships.isEmpty { return }
    for relationship in relationships { try findMutualPairs(of: relationship) }
    try forEachBatch(of: former) { batch in
      var references: [GraphWriter.Reference] = []
      for relationship in relationships {
        guard let reference = relationship.reference else { continue }
        for pair in try found(relationship, batch) {
          references.append(.init(of: pair.owner, reference.slot, pair.member))
          if let slot = reference.positionSlot, let position = pair.inversePosition {
            references.append(.init(of: pair.owner, slot, position))
          }
        }
      }
      add(try writer.update(references, of: layout))
    }
  }

  /// Objects have no object for a new required relationship.
  private func findLacking(of former: EntityLayout, _ layout: EntityLayout) throws {
    for relationship in new.relationships[layout.index] where !relationship.isHidden {
      let description = relationship.relationship
      if description.isToMany || description.isOptional { continue }
      if !mapping.oldEnds(ofRelationship: description.name, from: former.index).isEmpty { continue }
      let name = RelationshipName(entity: relationship.declaringEntity, name: description.name)
      try forEachBatch(of: former) { batch in
        for key in batch { add(finding(.newValue, name), key, former) }
      }
    }
  }

  /// Objects have objects in a relationship without an inverse that a subentity has now.
  private func findKeptPairs(of former: EntityLayout) throws {
    for loss in propertyLosses where loss.keeper != nil && loss.formers.contains(former.index) {
      guard mapping.relationship(at: loss.place) != nil, !mapping.inverseDecides(loss),
        !new.model.entities[loss.entity].removed.contains(loss.place.name),
        let position = old.relationships[former.index].firstIndex(where: {
          !$0.isHidden && $0.relationship.name == loss.place.name
        })
      else { continue }
      let slot: Int? =
        if case .slot(let slot) = old.relationships[former.index][position].storage {
          slot
        } else {
          nil
        }
      let name = RelationshipName(entity: loss.entity, name: loss.place.name)
      try forEachBatch(of: former) { batch in
        let owners =
          if let slot {
            try rows(batch, of: former).filter { $0.row.integer(slot) != nil }.map(\.key)
          } else {
            Set(try links(of: batch.inOrder(), position, of: former.index).map(\.owner)).inOrder()
          }
        for key in owners { add(finding(.kept, name), key, former) }
      }
    }
  }

  func copyLinks(of former: EntityLayout) throws {
    for relationship in relationships(of: former) {
      if case .inverseSlot = relationship.new.storage {
        // The references at the other end are copied. Which of them do not fit, is known here, too.
        try forEachBatch(of: former) { _ = try pairs(relationship, $0) }
        continue
      }
      guard case .links(let table, let end) = relationship.new.storage else { continue }
      let isSymmetric = new.linkTables[table].isSymmetric
      try forEachBatch(of: relationship.former) { batch in
        var links: [Link] = []
        for pair in try found(relationship, batch) {
          links.append(end == .owner ? pair : pair.reversed)
          if isSymmetric { links.append(Link(owner: pair.member, member: pair.owner)) }
        }
        add(try writer.link(links, table: table))
      }
    }
  }

  // MARK: Pairs

  /// The relationships of an entity that its objects had, or that had them.
  private func relationships(of former: EntityLayout) -> [CopiedRelationship] {
    guard let layout = newLayout(of: former) else { return [] }
    return new.relationships[layout.index].flatMap { relationship -> [CopiedRelationship] in
      if relationship.isHidden { return [] }
      return mapping.oldEnds(
        ofRelationship: relationship.relationship.name, from: former.index
      ).compactMap { end in
        CopiedRelationship(relationship, of: layout, from: end, former: former, in: old, mapping)
      }
    }
  }

  /// The pairs of some objects, with the keys of the target: those that the relationship can have.
  private func found(
    _ relationship: CopiedRelationship, _ batch: ArraySlice<Int64>
  ) throws -> [Link] {
    var links = try pairs(relationship, batch)
    if !relationship.new.relationship.isToMany {
      var seen: Set<Int64> = []
      links = links.filter { link in
        if seen.insert(link.owner).inserted { return true }
        if relationship.new.relationship.conversion != .first {
          add(finding(.several, relationship.name), link.owner, relationship.former)
        }
        return false
      }
      if !relationship.new.relationship.isOptional, relationship.mayBeMissing {
        let missing = finding(.value, relationship.name)
        for key in batch where !seen.contains(key) { add(missing, key, relationship.former) }
        totals[missing, default: 0] += batch.count
      }
    }
    if let mutual = mutualPairs[relationship.name] {
      links = links.filter { mutual[$0.owner] == $0.member }
    }
    let formerRoot = relationship.former.root
    return links.compactMap { link in
      guard let owner = writer.place(of: link.owner, root: formerRoot)?.key else { return nil }
      guard let member = writer.place(of: link.member, root: relationship.destinationRoot)?.key
      else {
        return relationship.mayDangle
          ? Link(owner: owner, member: link.member, inversePosition: link.inversePosition) : nil
      }
      return Link(
        owner: owner, member: member,
        position: relationship.new.relationship.isOrdered
          ? link.position ?? Self.position(ofKey: member) : nil,
        inversePosition: relationship.inverseIsOrdered
          ? link.inversePosition ?? Self.position(ofKey: owner) : nil)
    }
  }

  /// The pairs of some objects in the order of their lists, with the keys of the source: those
  /// whose member the relationship may lead to.
  private func pairs(
    _ relationship: CopiedRelationship, _ batch: ArraySlice<Int64>
  ) throws -> [Link] {
    let allowed = Set(new.kinds(of: relationship.new.destination))
    // Objects that go on with the pairs in a relationship of their own.
    let goingOn = Set(
      mapping.old.entities.indices.filter { mapping.goesOn($0, withPairsOf: relationship.end) }
        .compactMap(mapping.newEntity))
    return try allPairs(relationship, batch).filter { link in
      let kind = writer.place(of: link.member, root: relationship.destinationRoot)?.entity
      let leavesOut = relationship.new.relationship.conversion == .toNil
      guard let kind else {
        if removed[relationship.destinationRoot]?.contains(link.member) == true {
          let description = relationship.new.relationship
          if !description.isToMany, !description.isOptional {
            add(finding(.missingObject, relationship.name), link.owner, relationship.former)
          }
          return false
        }
        if relationship.mayDangle { return true }
        if relationship.change.existsNow, !leavesOut {
          add(finding(.missingObject, relationship.name), link.owner, relationship.former)
        }
        return false
      }
      if allowed.contains(kind) { return true }
      if goingOn.contains(kind) { return false }
      if !leavesOut {
        add(finding(.wrongEntity, relationship.name), link.owner, relationship.former)
      }
      return false
    }
  }

  private func allPairs(
    _ relationship: CopiedRelationship, _ batch: ArraySlice<Int64>
  ) throws -> [Link] {
    if let reference = relationship.oldReference {
      return try rows(batch, of: relationship.former).compactMap { key, row in
        row.integer(reference.slot).map { other in
          Link(
            owner: key, member: other,
            inversePosition: reference.positionSlot.flatMap(row.integer))
        }
      }
    }
    let links = try links(
      of: batch.inOrder(), relationship.oldPosition, of: relationship.former.index)
    guard relationship.inverseIsOrdered, let inverse = relationship.oldInverse else { return links }
    // The positions in the lists of the other end.
    let others = Set(links.map(\.member)).inOrder()
    var positions: [Link: Int64] = [:]
    for link in try self.links(of: others, inverse.position, of: inverse.entity) {
      if let position = link.position {
        positions[Link(owner: link.member, member: link.owner)] = position
      }
    }
    return links.map { link in
      var link = link
      link.inversePosition = positions[Link(owner: link.owner, member: link.member)]
      return link
    }
  }

  private func links(
    of owners: [Int64], _ position: Int, of entity: Int
  ) throws -> [Link] {
    try source.links(of: owners, position, of: entity).inOrder {
      ($0.owner, $0.position ?? .min, $0.member) < ($1.owner, $1.position ?? .min, $1.member)
    }
  }

  /// Finds, for an end of a one-to-one relationship whose ends keep the first object, which pairs
  /// both ends keep.
  private func findMutualPairs(of relationship: CopiedRelationship) throws {
    guard relationship.change.keepsMutualPairs, mutualPairs[relationship.name] == nil else {
      return
    }
    var first: [Int64: Int64] = [:]
    var others: [Int64: (order: (Int64, Int64), owner: Int64)] = [:]
    for former in mapping.entitiesWithObjects(of: relationship.new.declaringEntity) {
      guard
        let part = relationships(of: old.entities[former]).first(where: {
          $0.name == relationship.name
        })
      else { continue }
      try forEachBatch(of: part.former) { batch in
        for link in try pairs(part, batch) {
          if first[link.owner] == nil { first[link.owner] = link.member }
          let order = (link.inversePosition ?? .min, link.owner)
          if others[link.member].map({ order < $0.order }) ?? true {
            others[link.member] = (order, link.owner)
          }
        }
      }
    }
    mutualPairs[relationship.name] = first.filter { others[$0.value]?.owner == $0.key }
  }

  private static func position(ofKey key: Int64) -> Int64 { min(key, 1 << 41) * ListPosition.step }
}

/// A relationship of exactly one entity in both models.
private final class CopiedRelationship {
  let new: RelationshipLayout
  /// The slots of a to-one relationship.
  let reference: EntityLayout.Reference?
  let name: RelationshipName
  let change: RelationshipChange
  let end: ModelMapping.RelationshipEnd
  let former: EntityLayout
  /// The slots of the objects, where they had the relationship in a column.
  let oldReference: EntityLayout.Reference?
  /// The position of the relationship among those that the objects had.
  let oldPosition: Int
  /// The relationship at the other end, where that had a list.
  let oldInverse: (entity: Int, position: Int)?
  /// The root of the objects at the other end, in the old model.
  let destinationRoot: Int
  /// Whether the order of the lists at the other end is kept.
  let inverseIsOrdered: Bool

  var mayDangle: Bool { reference?.mayDangle == true }

  /// Whether an object can be without the object that it needs.
  var mayBeMissing: Bool { change.mayBeNil || new.relationship.conversion == .toNil }

  init?(
    _ new: RelationshipLayout, of layout: EntityLayout, from end: ModelMapping.RelationshipEnd,
    former: EntityLayout, in old: StoreSchema, _ mapping: ModelMapping
  ) {
    let relationship = new.relationship
    self.new = new
    self.former = former
    self.end = end
    name = RelationshipName(entity: new.declaringEntity, name: relationship.name)
    reference = layout.slotByName[relationship.name].flatMap(layout.reference)
    change = RelationshipChange(from: end, to: relationship, in: new.declaringEntity, mapping)
    let candidates = old.relationships[former.index]
    let hiddenName = "\(old.entities[end.place.entity].name).\(end.place.name)"
    guard
      let position = candidates.firstIndex(where: {
        $0.isHidden == end.isReversed
          && $0.relationship.name == (end.isReversed ? hiddenName : end.place.name)
      })
    else { return nil }
    let was = candidates[position]
    oldPosition = position
    oldReference =
      if case .slot(let slot) = was.storage { former.reference(ofSlot: slot) } else { nil }
    destinationRoot = old.entities[was.destination].root
    let inverse = was.inverse.map { old.relationships[was.destination][$0] }
    oldInverse =
      inverse?.relationship.isToMany == true ? was.inverse.map { (was.destination, $0) } : nil
    let newInverse = mapping.new.inverse(of: relationship)
    inverseIsOrdered = newInverse?.isOrdered == true
  }
}
