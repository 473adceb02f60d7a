package import CopalEssentials
public import CopalModel

/// The entities of a store, each with its slots. A container makes it from its model and opens a store with it.
public final class StoreSchema: Sendable {
  /// The model. Each transformable has the storage of its transformer.
  public let model: ManagedObjectModel
  /// The layouts in the order of the model's entities.
  public let entities: [EntityLayout]
  /// For each entity, the positions of its subentities at every depth.
  public let descendants: [[Int]]
  /// The hash of what the model's tables depend on. A store that was written with another hash needs a migration.
  package let hash: SchemaHash

  /// The schema for a model.
  public init(_ model: ManagedObjectModel) {
    self.model = model
    let layouts = model.entities.indices.map { EntityLayout(ofEntity: $0, in: model) }
    entities = layouts
    var descendants = [[Int]](repeating: [], count: layouts.count)
    for layout in layouts {
      for ancestor in layout.ancestors { descendants[ancestor].append(layout.index) }
    }
    self.descendants = descendants
    hash = SchemaHash(model)
  }

  /// What the ids of each entity have in common, for a store with an identifier.
  package func identities(inStore store: UUID) -> [EntityIdentity] {
    let families = entities.map { EntityFamily(store: store, root: entities[$0.root].name) }
    return entities.map { EntityIdentity(families[$0.root], name: $0.name, index: $0.index) }
  }

  /// The layout of the entity of that name; nil when the model has none.
  public func layout(_ name: String) -> EntityLayout? {
    model.entityIndex(name).map { entities[$0] }
  }
}
