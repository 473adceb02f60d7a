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
  package struct Origin: Sendable {
    /// The old properties. The values of each are kept apart from those of the others.
    package var places: [Place] = []
    /// The new entities of which the store may have objects without the property.
    package var lacking: [Int] = []
  }

  /// Where the values were of a stored attribute that a new entity declares.
  package func origin(ofAttribute name: String, in entity: Int) -> Origin {
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
  package func origin(ofRelationship name: String, in entity: Int) -> Origin {
    origin(in: entity) { _, former in
      old.line(former).first { old.entities[$0].relationship(name) != nil }
        .map { Place(entity: $0, name: name) }
    }
  }

  /// - Parameter place: the place of a property of a new entity, whose old position is the second
  ///   argument.
  private func origin(in entity: Int, _ place: (Int, Int) -> Place?) -> Origin {
    var origin = Origin()
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
