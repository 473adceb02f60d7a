package import CopalModel

/// What changes for the objects of one relationship between two models.
package struct RelationshipChange: Sendable {
  /// The relationship.
  package let new: RelationshipDescription
  /// The name that it had; nil where it was the hidden inverse of a one-way relationship.
  package let oldName: String?
  /// Whether an object had several objects at the other end, or could have.
  package let wasToMany: Bool
  /// Whether an object could have no object at the other end.
  package let mayBeNil: Bool
  /// What becomes of the order of the objects.
  package let order: Order
  /// What becomes of the destination.
  package let destination: Destination
  /// Whether the objects are kept in another column or in a table of links.
  package let movesObjects: Bool
  /// Whether the relationship is one-to-one now, and its inverse keeps the first of several
  /// objects: the others lose theirs.
  package let inverseKeepsFirst: Bool
  /// Whether the inverse is to-one now.
  private let inverseIsToOne: Bool
  /// Whether the key of an object that does not exist could be in the column.
  package let wasDangling: Bool
  /// Whether it can be there now.
  package let isDangling: Bool

  package enum Order: Sendable, Equatable {
    case same, added, removed
  }

  package enum Destination: Sendable, Equatable {
    /// The same entity, perhaps with another name.
    case same
    /// An ancestor of the entity with a name.
    case wider(String)
    /// Not all objects fit any more: some are of entities to which the relationship does not lead,
    /// which words say, and some are removed with their entities.
    case narrower(String?, isRemoved: Bool)
    /// An entity that has nothing to do with it.
    case other(String)
  }

  /// Where a store keeps the objects of a relationship, seen from one end.
  private enum Form { case column, columnOfOthers, links }

  package init(
    from end: ModelMapping.RelationshipEnd, to new: RelationshipDescription, in index: Int,
    _ mapping: ModelMapping
  ) {
    self.new = new
    let (place, old) = (end.place, mapping.old)
    let declared = old.entities[place.entity].relationship(place.name)
    let oldInverse = end.isReversed ? declared : declared.flatMap(old.inverse)
    let newInverse = mapping.new.inverse(of: new)
    oldName = end.isReversed ? nil : place.name
    // The hidden inverse of a one-way relationship is to-many.
    wasToMany = end.isReversed || declared?.isToMany == true
    mayBeNil = wasToMany || declared?.isOptional == true
    let wasOrdered = !end.isReversed && declared?.isOrdered == true
    order =
      if !new.isToMany || new.isOrdered == wasOrdered {
        .same
      } else {
        new.isOrdered ? .added : .removed
      }
    let destinationOfOld =
      end.isReversed ? place.entity : declared.flatMap { old.entityIndex($0.destination) }
    destination = Self.destination(from: destinationOfOld, at: end, to: new.destination, mapping)
    let inverseWasToMany = oldInverse?.isToMany ?? true
    let oldForm = Self.form(isToMany: wasToMany, inverseIsToMany: inverseWasToMany)
    let newForm = Self.form(
      isToMany: new.isToMany, inverseIsToMany: newInverse?.isToMany ?? true)
    let isReversed =
      newForm == .links && Self.isOwner(new, in: index, mapping.new)
      && !(end.isReversed
        ? false : declared.map { Self.isOwner($0, in: place.entity, old) } ?? true)
    movesObjects = oldForm != newForm || isReversed
    inverseIsToOne = newInverse?.isToMany == false
    inverseKeepsFirst =
      !new.isToMany && inverseIsToOne && newInverse?.conversion == .first && inverseWasToMany
    wasDangling = !wasToMany && oldInverse?.deleteRule == .noAction
    isDangling = !new.isToMany && newInverse?.deleteRule == .noAction
  }

  private static func form(isToMany: Bool, inverseIsToMany: Bool) -> Form {
    if !isToMany { return .column }
    return inverseIsToMany ? .links : .columnOfOthers
  }

  /// Whether the objects of the relationship are the owners in the table of links: those of the
  /// relationship whose entity and name come first.
  private static func isOwner(
    _ relationship: RelationshipDescription, in entity: Int, _ model: ManagedObjectModel
  ) -> Bool {
    guard let inverse = model.declaredInverse(of: relationship) else { return true }
    let (own, other) = (model.entities[entity].name, model.entities[inverse.entity].name)
    return (own, relationship.name) <= (other, inverse.relationship.name)
  }

  private static func destination(
    from old: Int?, at end: ModelMapping.RelationshipEnd, to name: String, _ mapping: ModelMapping
  ) -> Destination {
    guard let old, let wanted = mapping.new.entityIndex(name) else { return .same }
    let oldName = mapping.old.entities[old].name
    let kinds = mapping.oldKinds[old].filter {
      !mapping.old.entities[$0].isAbstract || $0 == old
    }
    let removed = kinds.filter { mapping.newEntity(of: $0) == nil }
    let outside = kinds.filter {
      mapping.newEntity(of: $0) != nil && !mapping.isKind($0, of: wanted)
    }
    // Those that go on with the pairs themselves do not get lost.
    let others = outside.filter { !mapping.goesOn($0, withPairsOf: end) }
    let isMissed = others.contains(where: mapping.mayHaveObjects)
    let isRemoved = removed.contains { !mapping.old.entities[$0].isAbstract }
    if kinds.count == removed.count + others.count { return .other(oldName) }
    if isMissed || isRemoved {
      if !isMissed { return .narrower(nil, isRemoved: true) }
      let isHere = mapping.newEntity(of: old) == wanted
      let left = others.filter { former in
        mapping.mayHaveObjects(former)
          && mapping.old.ancestors(ofEntity: former).allSatisfy {
            !others.contains($0)
          }
      }.map { mapping.old.entities[$0].name }
      return .narrower(
        isHere ? "\(name) without \(left.enumeration)" : "\(oldName) to \(name)",
        isRemoved: isRemoved)
    }
    return mapping.newEntity(of: old) == wanted || removed.contains(old)
      ? .same : .wider(oldName)
  }

  /// Whether an object may have several objects, of which the relationship can keep one.
  package var mayHaveSeveral: Bool { wasToMany && !new.isToMany }

  /// Whether a pair of a one-to-one relationship stays only if each object is the first of the
  /// other: an end keeps the first of several objects in this migration.
  package var keepsMutualPairs: Bool {
    inverseKeepsFirst || (mayHaveSeveral && inverseIsToOne && new.conversion == .first)
  }

  /// Whether keys of objects that do not exist are refused now. A conversion of links or of another
  /// column finds them, too.
  package var existsNow: Bool { wasDangling && !isDangling }

  /// Whether keys of objects that do not exist are allowed now.
  package var mayMissNow: Bool { !wasDangling && isDangling }
}
