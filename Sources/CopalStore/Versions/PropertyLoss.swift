import CopalEssentials
import CopalModel

/// A property that some objects of a store had, and do not have any more.
package struct PropertyLoss: Sendable {
  /// The property.
  package let place: ModelMapping.Place
  /// The new entity at which a word lets the values go: the one that declared the property, or that
  /// has left the entity that declared it.
  package let entity: Int
  /// The old entities whose objects lose their values.
  package let formers: [Int]
  /// A new subentity of the entity that still has the property; nil if none has.
  package let keeper: Int?

  /// What the objects of each entity lose, attributes first.
  package static func all(of mapping: ModelMapping) -> [PropertyLoss] {
    mapping.old.entities.indices.flatMap { declaring -> [PropertyLoss] in
      let entity = mapping.old.entities[declaring]
      return entity.storedAttributes.flatMap { attribute in
        losses(of: attribute.name, in: declaring, mapping) {
          mapping.newName(ofAttribute: attribute.name, from: $0) != nil
        }
      }
        + entity.relationships.inOrder { $0.name < $1.name }.flatMap { relationship in
          losses(of: relationship.name, in: declaring, mapping) {
            mapping.newName(ofRelationship: relationship.name, from: $0) != nil
          }
        }
    }
  }

  private static func losses(
    of name: String, in declaring: Int, _ mapping: ModelMapping, _ isKept: (Int) -> Bool
  ) -> [PropertyLoss] {
    let survivors = mapping.oldKinds[declaring].filter { mapping.newEntity(of: $0) != nil }
    let (keepers, losers) = (survivors.filter(isKept), survivors.filter { !isKept($0) })
    var groups: [(entity: Int, formers: [Int])] = []
    for former in losers {
      guard let owner = owner(of: former, declaring, mapping) else { continue }
      if let place = groups.firstIndex(where: { $0.entity == owner }) {
        groups[place].formers.append(former)
      } else {
        groups.append((owner, [former]))
      }
    }
    return groups.compactMap { entity, formers in
      let keeper = keepers.first { mapping.isKind($0, of: entity) }.flatMap(mapping.newEntity)
      // Nothing gets lost where all that have objects keep the property.
      if keeper != nil, !formers.contains(where: mapping.mayHaveObjects) { return nil }
      return PropertyLoss(
        place: ModelMapping.Place(entity: declaring, name: name), entity: entity, formers: formers,
        keeper: keeper)
    }
  }

  /// The new entity at which the word stands: that of the entity that declared the property, or the
  /// first of an entity's line that has left it.
  private static func owner(of former: Int, _ declaring: Int, _ mapping: ModelMapping) -> Int? {
    guard let index = mapping.newEntity(of: former) else { return nil }
    let line = mapping.new.line(index)
    if let now = mapping.newEntity(of: declaring), line.contains(now) { return now }
    return line.first { candidate in
      mapping.oldEntities(of: candidate).contains { mapping.oldKinds[declaring].contains($0) }
    }
  }
}

extension ModelMapping {
  /// Whether the property was removed, and has neither moved to a subentity nor been left behind by
  /// an entity that has another parent now.
  package func isRemoval(_ loss: PropertyLoss) -> Bool {
    loss.keeper == nil && newEntity(of: loss.place.entity) == loss.entity
  }

  /// Whether the destination of an inverse says what becomes of the objects of a relationship that
  /// a subentity has now: it had an inverse, and has one.
  package func inverseDecides(_ loss: PropertyLoss) -> Bool {
    guard let keeper = loss.keeper, let was = relationship(at: loss.place),
      old.declaredInverse(of: was) != nil
    else { return false }
    return oldEntities(of: keeper).contains { former in
      guard let name = newName(ofRelationship: loss.place.name, from: former) else { return false }
      return new.relationships(ofEntity: keeper).first { $0.name == name }?.inverse != nil
    }
  }
}
