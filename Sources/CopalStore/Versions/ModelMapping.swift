package import CopalModel

/// Which entities and properties of a store's model are which of a newer model.
///
/// Nothing is guessed: a name means the same in both models, unless `renamedFrom` or `merges` says
/// otherwise. Each old entity has one new entity at most; a new one has several old ones where it
/// merges them. A property is looked for along the lines of inheritance of both, so it may have
/// moved up, down, or from one ancestor to another.
package struct ModelMapping: Sendable {
  package let old: ManagedObjectModel
  package let new: ManagedObjectModel
  /// For each new entity, the positions of itself and of its subentities at every depth.
  package let kinds: [[Int]]
  /// For each old entity, the same.
  package let oldKinds: [[Int]]
  /// The positions of the old entities of each new one: first the one that it was.
  private let merged: [[Int]]
  /// The position of the old entity that each new one was, nil for one that is new.
  private let oldEntities: [Int?]
  /// The position of the new entity of each old one, nil for one that was removed.
  private let newEntities: [Int?]
  /// For each old entity, the names of its stored attributes, with inherited ones.
  private let attributes: [NamePairs]
  /// For each old entity, the names of its relationships, with inherited ones.
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
    var merged = oldEntities.map { $0.map { [$0] } ?? [] }
    for (index, entity) in new.entities.enumerated() {
      for former in entity.merges.compactMap(old.entityIndex) where newEntities[former] == nil {
        newEntities[former] = index
        merged[index].append(former)
      }
    }
    self.newEntities = newEntities
    self.merged = merged
    attributes = newEntities.enumerated().map { former, index in
      guard let index else { return NamePairs([], old: []) }
      return NamePairs(
        new.storedAttributesOfLine(index).map { ($0.name, $0.renamedFrom) },
        old: Set(old.storedAttributesOfLine(former).map(\.name)))
    }
    relationships = newEntities.enumerated().map { former, index in
      guard let index else { return NamePairs([], old: []) }
      return NamePairs(
        new.relationships(ofEntity: index).map { ($0.name, $0.renamedFrom) },
        old: Set(old.relationships(ofEntity: former).map(\.name)))
    }
  }

  // MARK: Entities

  /// The old entity that a new one was; nil for a new entity.
  package func oldEntity(of index: Int) -> Int? { oldEntities[index] }

  /// The old entities whose objects become objects of exactly a new one: first the one that it was.
  package func oldEntities(of index: Int) -> [Int] { merged[index] }

  /// The position in the new model of an entity of the old one; nil for one that was removed.
  package func newEntity(of index: Int) -> Int? { newEntities[index] }

  /// Whether the store may have objects of exactly an old entity, which stay. An entity that became
  /// abstract has none, or the migration is refused.
  package func mayHaveObjects(_ former: Int) -> Bool {
    guard let index = newEntities[former] else { return false }
    return !old.entities[former].isAbstract && !new.entities[index].isAbstract
  }

  /// The old entities whose objects become objects of a new entity or of its subentities.
  package func entitiesWithObjects(of index: Int) -> [Int] {
    kinds[index].flatMap(oldEntities).filter(mayHaveObjects)
  }

  /// Whether an old entity is one that a new entity was, or a subentity of it was.
  package func isKind(_ former: Int, of index: Int) -> Bool {
    newEntities[former].map { new.line($0).contains(index) } ?? false
  }

  // MARK: Properties

  /// The old name of a stored attribute of an entity of now, its own or an inherited one; nil for
  /// one that objects of an old entity did not have.
  package func oldName(ofAttribute name: String, from former: Int) -> String? {
    attributes[former].oldByNew[name]
  }

  /// The new name of a stored attribute that objects of an old entity had; nil for one that they do
  /// not have any more.
  package func newName(ofAttribute name: String, from former: Int) -> String? {
    attributes[former].newByOld[name]
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
    package private(set) var parts: [Part] = []
    /// The old entities of which the store may have objects without the property.
    package private(set) var lacking: [Int] = []

    /// An old property, with the old entities whose objects may have it.
    package struct Part: Sendable {
      package let source: Source
      package fileprivate(set) var entities: [Int] = []
    }

    /// The old properties.
    package var sources: [Source] { parts.map(\.source) }

    fileprivate mutating func add(_ sources: [Source], of former: Int, mayHaveObjects: Bool) {
      if sources.isEmpty, mayHaveObjects { lacking.append(former) }
      for source in sources {
        let place = parts.firstIndex { $0.source == source } ?? parts.endIndex
        if place == parts.endIndex { parts.append(Part(source: source)) }
        if mayHaveObjects { parts[place].entities.append(former) }
      }
    }
  }

  /// Where the values were of a stored attribute that a new entity declares.
  package func origin(ofAttribute name: String, in entity: Int) -> Origin<Place> {
    origin(in: entity) { former in
      guard let oldName = oldName(ofAttribute: name, from: former),
        let declaring = old.line(former).first(where: {
          old.entities[$0].attribute(oldName)?.isTransient == false
        })
      else { return [] }
      return [Place(entity: declaring, name: oldName)]
    }
  }

  /// Where the objects were of a relationship that a new entity declares.
  package func origin(ofRelationship name: String, in entity: Int) -> Origin<RelationshipEnd> {
    origin(in: entity) { oldEnds(ofRelationship: name, from: $0) }
  }

  /// - Parameter sources: the properties that the objects of an old entity had.
  private func origin<Source>(in entity: Int, _ sources: (Int) -> [Source]) -> Origin<Source> {
    var origin = Origin<Source>()
    for former in kinds[entity].flatMap(oldEntities) {
      origin.add(sources(former), of: former, mayHaveObjects: mayHaveObjects(former))
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

    package init(place: Place, isReversed: Bool) {
      self.place = place
      self.isReversed = isReversed
    }
  }

  /// The new name of a relationship that objects of an old entity had; nil for one of which the
  /// model has no name.
  package func newName(ofRelationship name: String, from former: Int) -> String? {
    relationships[former].newByOld[name]
  }

  /// The ends that an object of an old entity had of a relationship of now; several where a
  /// to-many relationship has the objects of several ones; empty where it had none.
  ///
  /// Only the to-one end of a pair has a column, so that end decides. Another relationship that the
  /// store has under no name is found by its inverse.
  package func oldEnds(ofRelationship name: String, from former: Int) -> [RelationshipEnd] {
    guard let entity = newEntities[former],
      let relationship = new.relationships(ofEntity: entity).first(where: { $0.name == name })
    else { return [] }
    let inverse = new.declaredInverse(of: relationship)
    let inversePlaces =
      inverse.map {
        places(ofRelationship: $0.relationship.name, ofKinds: $0.entity)
      } ?? []
    var ends: [RelationshipEnd] = []
    if let place = namedPlace(ofRelationship: name, from: former) {
      let isGone =
        relationship.isToMany && inverse?.relationship.isToMany == false && inversePlaces.isEmpty
        && self.relationship(at: place)?.isToMany == true
        && self.relationship(at: place).flatMap(old.inverse)?.isToMany == false
      // Otherwise the to-one end was removed, and another one is new.
      if isGone { return [] }
      ends.append(RelationshipEnd(place: place, isReversed: false))
    }
    let isNamed = !ends.isEmpty
    for place in inversePlaces {
      guard relationship.isToMany || ends.isEmpty, let inverse,
        let end = end(ofRelationship: relationship, from: former, inverse.relationship, at: place),
        !ends.contains(end), !isNamed || relationship.renamedFrom.contains(end.place.name)
      else { continue }
      ends.append(end)
    }
    return ends
  }

  /// Whether objects of an old entity go on with the pairs of an old relationship in a relationship
  /// of their own, seen from the other end.
  package func goesOn(_ former: Int, withPairsOf end: RelationshipEnd) -> Bool {
    guard let was = self.relationship(at: end.place),
      let name = end.isReversed ? end.place.name : old.declaredInverse(of: was)?.relationship.name,
      let newName = newName(ofRelationship: name, from: former)
    else { return false }
    return oldEnds(ofRelationship: newName, from: former).contains {
      pair(of: $0.place) == pair(of: end.place)
    }
  }

  /// The end that objects of an old entity had of a relationship whose inverse was at a place; nil
  /// where they had none, or one with a name of now.
  private func end(
    ofRelationship relationship: RelationshipDescription, from former: Int,
    _ inverse: RelationshipDescription, at place: Place
  ) -> RelationshipEnd? {
    guard let was = self.relationship(at: place) else { return nil }
    let line = old.line(former)
    guard let back = old.declaredInverse(of: was) else {
      let isDestination = old.entityIndex(was.destination).map(line.contains) ?? false
      return isDestination ? RelationshipEnd(place: place, isReversed: true) : nil
    }
    let isKnown = newName(ofRelationship: back.relationship.name, from: former) != nil
    let isRenamedColumn =
      !back.relationship.isToMany && !relationship.isToMany && inverse.isToMany
    if isKnown || isRenamedColumn || !line.contains(back.entity) { return nil }
    return RelationshipEnd(
      place: Place(entity: back.entity, name: back.relationship.name), isReversed: false)
  }

  /// The places of a relationship of an entity and its subentities.
  private func places(ofRelationship name: String, ofKinds entity: Int) -> [Place] {
    var found: [Place] = []
    for former in kinds[entity].flatMap(oldEntities) {
      if let place = namedPlace(ofRelationship: name, from: former), !found.contains(place) {
        found.append(place)
      }
    }
    return found
  }

  /// The place of a relationship with a name of now, or a former one.
  private func namedPlace(ofRelationship name: String, from former: Int) -> Place? {
    guard let oldName = relationships[former].oldByNew[name] else { return nil }
    return old.line(former).first { old.entities[$0].relationship(oldName) != nil }
      .map { Place(entity: $0, name: oldName) }
  }

  /// The relationship at a place.
  package func relationship(at place: Place) -> RelationshipDescription? {
    old.entities[place.entity].relationship(place.name)
  }

  /// The place of the inverse of a relationship; nil where it has none.
  package func inverse(of place: Place) -> Place? {
    relationship(at: place).flatMap(old.declaredInverse).map {
      Place(entity: $0.entity, name: $0.relationship.name)
    }
  }

  /// The relationship and its inverse, whose objects are the same: that of the two whose place
  /// comes first.
  package func pair(of place: Place) -> Place {
    guard let other = inverse(of: place) else { return place }
    return (place.entity, place.name) < (other.entity, other.name) ? place : other
  }

  /// The pairs of relationships whose objects the new model keeps.
  package var keptPairs: Set<Place> {
    var kept: Set<Place> = []
    for index in new.entities.indices {
      for relationship in new.entities[index].relationships {
        for end in origin(ofRelationship: relationship.name, in: index).sources {
          kept.insert(pair(of: end.place))
        }
      }
    }
    return kept
  }

  /// The old properties with whose values several new ones go on.
  package var sharedPlaces: Set<Place> {
    var (seen, shared): (Set<Place>, Set<Place>) = ([], [])
    for index in new.entities.indices {
      let entity = new.entities[index]
      let places =
        entity.storedAttributes.flatMap { origin(ofAttribute: $0.name, in: index).sources }
        + entity.relationships.flatMap {
          origin(ofRelationship: $0.name, in: index).sources.map(\.place)
        }
      for place in places where !seen.insert(place).inserted { shared.insert(place) }
    }
    return shared
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
