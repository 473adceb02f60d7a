package import CopalModel
public import CopalStore

/// The schema of a store beside the schema of a newer model, with the ``ModelMapping`` between
/// them.
public struct SchemaPair: Sendable {
  /// The schema that the store has.
  public let old: StoreSchema
  /// The schema that it gets.
  public let new: StoreSchema
  package let mapping: ModelMapping

  /// The pair of a stored model and a schema.
  package init(_ mapping: ModelMapping, to new: StoreSchema) {
    old = StoreSchema(mapping.old)
    self.new = new
    self.mapping = mapping
  }

  /// The old layout of an entity; nil for a new entity.
  func before(_ layout: EntityLayout) -> EntityLayout? {
    mapping.oldEntity(of: layout.index).map { old.entities[$0] }
  }

  /// The new layout of an old entity; nil for one that was removed.
  func after(_ layout: EntityLayout) -> EntityLayout? {
    mapping.newEntity(of: layout.index).map { new.entities[$0] }
  }

  /// The name of the root that the rows of an old root have now; nil for a removed family.
  package func rootNow(of root: EntityLayout) -> String? {
    old.kinds(of: root.index).lazy.compactMap { after(old.entities[$0]) }.first
      .map { new.entities[$0.root].name }
  }

  /// The new layouts of an entity and its subentities of which the store may have rows.
  func layoutsWithRows(of entity: Int) -> [EntityLayout] {
    mapping.entitiesWithObjects(of: entity).map { new.entities[$0] }
  }

  /// Where the values were of a stored slot that a new entity declares.
  func origin(
    of slot: SlotDescription, in entity: Int
  ) -> ModelMapping.Origin<ModelMapping.Place> {
    switch slot {
    case .attribute(let attribute): mapping.origin(ofAttribute: attribute.name, in: entity)
    case .reference(let relationship): originOfColumn(relationship.name, in: entity)
    case .hidden(.order, let property): originOfColumn(property, in: entity)
    case .hidden(_, let property): mapping.origin(ofAttribute: property, in: entity)
    }
  }

  /// Where the column of a to-one relationship was.
  func originOfColumn(
    _ name: String, in entity: Int
  ) -> ModelMapping.Origin<ModelMapping.Place> {
    let origin = mapping.origin(ofRelationship: name, in: entity)
    let columns = origin.places.filter {
      !$0.isReversed && mapping.relationship(at: $0.place)?.isToMany == false
    }
    return ModelMapping.Origin(places: columns.map(\.place), lacking: origin.lacking)
  }
}
