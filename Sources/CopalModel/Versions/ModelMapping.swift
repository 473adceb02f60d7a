/// Which entities and properties of a store's model are which of a newer model.
///
/// Nothing is guessed: a name means the same in both models, unless `renamedFrom` says otherwise. A
/// property is looked for along the line of inheritance that its entity had, so it may have moved
/// from an entity to an ancestor.
package struct ModelMapping: Sendable {
  package let old: ManagedObjectModel
  package let new: ManagedObjectModel
  /// For each new entity, the positions of itself and of its subentities at every depth.
  package let kinds: [[Int]]
  /// For each old entity, the same.
  package let oldKinds: [[Int]]
  /// The position of the old entity of each new one, nil for one that is new.
  private let oldEntities: [Int?]
  /// The position of the new entity of each old one, nil for one that was removed.
  private let newEntities: [Int?]
  /// For each new entity, the names of its stored attributes, with inherited ones.
  private let attributes: [NamePairs]
  /// For each new entity, the names of its relationships, with inherited ones.
  private let relationships: [NamePairs]

  package init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    self.old = old
    self.new = new
    kinds = new.kindsOfEntities
    oldKinds = old.kindsOfEntities
    let pairs = NamePairs(
      new.entities.map { ($0.name, $0.renamedFrom) }, old: Set(old.entities.map(\.name)))
    oldEntities = new.entities.map { entity in
      pairs.oldByNew[entity.name].flatMap(old.entityIndex)
    }
    var newEntities = [Int?](repeating: nil, count: old.entities.count)
    for (index, former) in oldEntities.enumerated() {
      if let former { newEntities[former] = index }
    }
    self.newEntities = newEntities
    attributes = oldEntities.enumerated().map { index, former in
      guard let former else { return NamePairs([], old: []) }
      return NamePairs(
        new.storedAttributesOfLine(index).map { ($0.name, $0.renamedFrom) },
        old: Set(old.storedAttributesOfLine(former).map(\.name)))
    }
    relationships = oldEntities.enumerated().map { index, former in
      guard let former else { return NamePairs([], old: []) }
      return NamePairs(
        new.relationships(ofEntity: index).map { ($0.name, $0.renamedFrom) },
        old: Set(old.relationships(ofEntity: former).map(\.name)))
    }
  }

  // MARK: Entities

  /// The position in the old model of an entity of the new one; nil for a new entity.
  package func oldEntity(of index: Int) -> Int? { oldEntities[index] }

  /// The position in the new model of an entity of the old one; nil for one that was removed.
  package func newEntity(of index: Int) -> Int? { newEntities[index] }

  /// Whether the store may have objects of exactly a new entity. An entity that became abstract has
  /// none, or the migration is refused.
  package func mayHaveObjects(_ index: Int) -> Bool {
    guard let former = oldEntities[index] else { return false }
    return !old.entities[former].isAbstract && !new.entities[index].isAbstract
  }

  /// The new entities, an entity and its subentities, of which the store may have objects.
  package func entitiesWithObjects(of index: Int) -> [Int] { kinds[index].filter(mayHaveObjects) }

  // MARK: Properties

  /// The old name of a stored attribute of an entity, its own or an inherited one; nil for one that
  /// objects of the entity did not have.
  ///
  /// - Parameter entity: a position in the new model.
  package func oldName(ofAttribute name: String, of entity: Int) -> String? {
    attributes[entity].oldByNew[name]
  }

  /// The new name of a stored attribute that objects of an entity had; nil for one that they do not
  /// have any more.
  ///
  /// - Parameter entity: a position in the new model.
  package func newName(ofAttribute name: String, of entity: Int) -> String? {
    attributes[entity].newByOld[name]
  }

  /// A property of an old entity.
  package struct Place: Sendable, Hashable {
    /// The position of the entity that declared it.
    package let entity: Int
    /// The name that it had.
    package let name: String
  }

  /// Where the values of a property were.
  package struct Origin<Source: Hashable & Sendable>: Sendable {
    /// The old properties. The values of each are kept apart from those of the others.
    package var places: [Source] = []
    /// The new entities of which the store may have objects without the property.
    package var lacking: [Int] = []

    package init(places: [Source] = [], lacking: [Int] = []) {
      self.places = places
      self.lacking = lacking
    }
  }

  /// Where the values were of a stored attribute that a new entity declares.
  package func origin(ofAttribute name: String, in entity: Int) -> Origin<Place> {
    origin(in: entity) { index, former in
      guard let oldName = oldName(ofAttribute: name, of: index),
        let declaring = old.line(former).first(where: {
          old.entities[$0].attribute(oldName)?.isTransient == false
        })
      else { return nil }
      return Place(entity: declaring, name: oldName)
    }
  }

  /// Where the objects were of a relationship that a new entity declares.
  package func origin(ofRelationship name: String, in entity: Int) -> Origin<RelationshipEnd> {
    origin(in: entity) { index, _ in oldEnd(ofRelationship: name, of: index) }
  }

  /// - Parameter place: the place of a property of a new entity, whose old position is the second
  ///   argument.
  private func origin<Source>(in entity: Int, _ place: (Int, Int) -> Source?) -> Origin<Source> {
    var origin = Origin<Source>()
    for index in kinds[entity] {
      guard let former = oldEntities[index] else { continue }
      if let place = place(index, former) {
        if !origin.places.contains(place) { origin.places.append(place) }
      } else if mayHaveObjects(index) {
        origin.lacking.append(index)
      }
    }
    return origin
  }

  // MARK: Relationships

  /// An end of a relationship of the old model: that of the objects which had the relationship, or
  /// that of the objects to which it led.
  package struct RelationshipEnd: Sendable, Hashable {
    /// The relationship.
    package let place: Place
    /// Whether the end is that of the objects to which the relationship led.
    package let isReversed: Bool
  }

  /// The new name of a relationship that objects of an entity had; nil for one of which the model
  /// has no name.
  ///
  /// - Parameter entity: a position in the new model.
  package func newName(ofRelationship name: String, of entity: Int) -> String? {
    relationships[entity].newByOld[name]
  }

  /// The end that an object of an entity had of a relationship of now; nil where it had none.
  ///
  /// Only the to-one end of a pair has a column, so that end decides. Another relationship that the
  /// store has under no name is found by its inverse.
  ///
  /// - Parameter entity: a position in the new model.
  package func oldEnd(ofRelationship name: String, of entity: Int) -> RelationshipEnd? {
    guard let former = oldEntities[entity],
      let relationship = new.relationships(ofEntity: entity).first(where: { $0.name == name })
    else { return nil }
    let inverse = new.declaredInverse(of: relationship)
    let inversePlace = inverse.flatMap {
      namedPlace(ofRelationship: $0.relationship.name, of: $0.entity)
    }
    if let place = namedPlace(ofRelationship: name, of: entity) {
      let end = RelationshipEnd(place: place, isReversed: false)
      guard relationship.isToMany, inverse?.relationship.isToMany == false, inversePlace == nil,
        let was = self.relationship(at: place), was.isToMany,
        old.inverse(of: was)?.isToMany == false
      else { return end }
      // The to-one end was removed, and another one is new.
      return nil
    }
    guard let inverse, let place = inversePlace, let was = self.relationship(at: place) else {
      return nil
    }
    guard let back = old.declaredInverse(of: was) else {
      return RelationshipEnd(place: place, isReversed: true)
    }
    let isKnown = newName(ofRelationship: back.relationship.name, of: entity) != nil
    let isRenamedColumn =
      !back.relationship.isToMany && !relationship.isToMany && inverse.relationship.isToMany
    if isKnown || isRenamedColumn || !old.line(former).contains(back.entity) { return nil }
    return RelationshipEnd(
      place: Place(entity: back.entity, name: back.relationship.name), isReversed: false)
  }

  /// The place of a relationship with a name of now, or a former one.
  private func namedPlace(ofRelationship name: String, of entity: Int) -> Place? {
    guard let former = oldEntities[entity], let oldName = relationships[entity].oldByNew[name]
    else { return nil }
    return old.line(former).first { old.entities[$0].relationship(oldName) != nil }
      .map { Place(entity: $0, name: oldName) }
  }

  /// The relationship at a place.
  package func relationship(at place: Place) -> RelationshipDescription? {
    old.entities[place.entity].relationship(place.name)
  }

  /// The relationship and its inverse, whose objects are the same: that of the two whose place
  /// comes first.
  package func pair(of place: Place) -> Place {
    guard let back = relationship(at: place).flatMap(old.declaredInverse) else { return place }
    let other = Place(entity: back.entity, name: back.relationship.name)
    return (place.entity, place.name) < (other.entity, other.name) ? place : other
  }

  /// The pairs of relationships whose objects the new model keeps.
  package var keptPairs: Set<Place> {
    var kept: Set<Place> = []
    for index in new.entities.indices {
      for relationship in new.entities[index].relationships {
        for end in origin(ofRelationship: relationship.name, in: index).places {
          kept.insert(pair(of: end.place))
        }
      }
    }
    return kept
  }

  /// The attribute at a place.
  package func attribute(at place: Place) -> AttributeDescription? {
    old.entities[place.entity].attribute(place.name)
  }
}

extension ManagedObjectModel {
  /// An entity and its ancestors: the root first.
  package func line(_ index: Int) -> [Int] { ancestors(ofEntity: index) + [index] }

  /// The stored attributes of an entity, with inherited ones.
  fileprivate func storedAttributesOfLine(_ index: Int) -> [AttributeDescription] {
    line(index).flatMap { entities[$0].storedAttributes }
  }

  fileprivate var kindsOfEntities: [[Int]] {
    var kinds = entities.indices.map { [$0] }
    for index in entities.indices {
      for ancestor in ancestors(ofEntity: index) { kinds[ancestor].append(index) }
    }
    return kinds
  }
}
