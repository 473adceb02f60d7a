package import CopalEssentials
public import CopalModel

/// The entities of a store, each with its slots. A container makes it from its model and opens a
/// store with it.
public final class StoreSchema: Sendable {
  /// The model. Each transformable has the storage of its transformer.
  public let model: ManagedObjectModel
  /// The layouts in the order of the model's entities.
  public let entities: [EntityLayout]
  /// For each entity, the positions of its subentities at every depth.
  public let descendants: [[Int]]
  /// For each entity, its relationships with inherited ones, and where a store keeps them. A
  /// relationship without an inverse has a hidden one here.
  public let relationships: [[RelationshipLayout]]
  /// The tables of links.
  public let linkTables: [LinkTable]
  /// For each entity, the to-one relationships of all entities that refer to its objects.
  public let referrers: [[Referrer]]
  /// For each entity, a number that is greater than those of the entities that refer to it. Where
  /// entities refer to each other in a ring, one of these references is ignored. A database deletes
  /// rows faster when nothing refers to them.
  package let deletionRanks: [Int]
  /// For each entity, the slots whose property has the name of a property of an entity on another
  /// line of the family. In a table of the family, such a name must say whose it is.
  public let ambiguousSlots: [SlotSet]
  /// The hash of what the model's tables depend on. A store that was written with another hash
  /// needs a migration.
  package let hash: SchemaHash
  /// Makes the values of projections; nil for a program without the transformers. Such a program
  /// marks the rows that it writes, and a container derives them later.
  public let projector: (any ValueProjector)?

  /// The schema for a model.
  ///
  /// - Parameter projector: makes the values of projections; nil where there are none.
  public init(_ model: ManagedObjectModel, projector: (any ValueProjector)? = nil) {
    self.model = model
    self.projector = projector
    let layouts = model.entities.indices.map { EntityLayout(ofEntity: $0, in: model) }
    entities = layouts
    var descendants = [[Int]](repeating: [], count: layouts.count)
    for layout in layouts {
      for ancestor in layout.ancestors { descendants[ancestor].append(layout.index) }
    }
    self.descendants = descendants
    ambiguousSlots = Self.ambiguousSlots(layouts)
    var relationships = RelationshipLayouts(model, layouts)
    self.relationships = layouts.map { relationships.relationships(of: $0) }
    linkTables = relationships.tables
    var referrers = [[Referrer]](repeating: [], count: layouts.count)
    for layout in layouts {
      for reference in layout.references {
        // An object of a subentity can be referred to as well.
        for target in [reference.destination] + descendants[reference.destination] {
          referrers[target].append(Referrer(entity: layout.index, reference: reference))
        }
      }
    }
    self.referrers = referrers
    deletionRanks = Self.deletionRanks(referrers)
    hash = SchemaHash(model)
  }

  /// The same schema with transformers.
  package init(_ schema: StoreSchema, projector: any ValueProjector) {
    model = schema.model
    entities = schema.entities
    descendants = schema.descendants
    relationships = schema.relationships
    linkTables = schema.linkTables
    referrers = schema.referrers
    deletionRanks = schema.deletionRanks
    ambiguousSlots = schema.ambiguousSlots
    hash = schema.hash
    self.projector = projector
  }

  private static func ambiguousSlots(_ layouts: [EntityLayout]) -> [SlotSet] {
    /// The column of a property in a family, whatever the case of its letters.
    struct Name: Hashable {
      let root: Int
      let kind: String
      let property: String
    }
    func name(_ slot: Int, of layout: EntityLayout) -> Name {
      let description = layout.slots[slot]
      let kind = if case .hidden(let column, _) = description { column.rawValue } else { "" }
      return Name(
        root: layout.root, kind: kind, property: description.propertyName.lowercased())
    }
    var counts: [Name: Int] = [:]
    let families = Set(layouts.lazy.filter { $0.root != $0.index }.map(\.root))
    for layout in layouts where families.contains(layout.root) {
      for column in layout.ownColumns { counts[name(column.slot, of: layout), default: 0] += 1 }
    }
    return layouts.map { layout in
      let slots = layout.columns.map(\.slot)
      let found = slots.filter { counts[name($0, of: layout), default: 0] > 1 }
      return SlotSet(families.contains(layout.root) ? found : [], count: layout.slotCount)
    }
  }

  private static func deletionRanks(_ referrers: [[Referrer]]) -> [Int] {
    var ranks = [Int](repeating: 0, count: referrers.count)
    var count = 0
    var seen = [Bool](repeating: false, count: referrers.count)
    // Without recursion: a model may have a long chain of entities.
    for start in referrers.indices where !seen[start] {
      seen[start] = true
      var path = [(entity: start, rest: referrers[start][...])]
      while let last = path.indices.last {
        guard let next = path[last].rest.popFirst() else {
          ranks[path.removeLast().entity] = count
          count += 1
          continue
        }
        if seen[next.entity] { continue }
        seen[next.entity] = true
        path.append((next.entity, referrers[next.entity][...]))
      }
    }
    return ranks
  }

  /// A to-one relationship that refers to an object.
  public struct Referrer: Sendable, Hashable {
    /// The position of the entity whose rows have the reference.
    public let entity: Int
    /// The relationship.
    public let reference: EntityLayout.Reference
  }

  /// Whether rows refer to other rows, so that a store checks at the end of a commit that these
  /// exist.
  public var hasReferences: Bool {
    !linkTables.isEmpty || referrers.contains { !$0.isEmpty }
  }

  /// The positions of an entity and of its subentities: the entities of the objects that a fetch of
  /// it returns.
  public func kinds(of entity: Int) -> [Int] { [entity] + descendants[entity] }

  /// Whether an entity is another one or a subentity of it.
  public func isEntity(_ entity: Int, kindOf other: Int) -> Bool {
    entity == other || entities[entity].ancestors.contains(other)
  }

  /// The relationship of an entity with a name; nil when the entity has none.
  public func relationship(_ name: String, of entity: Int) -> RelationshipLayout? {
    relationships[entity].first { $0.relationship.name == name }
  }

  /// What the ids of each entity have in common, for a store with an identifier.
  package func identities(inStore store: UUID) -> [EntityIdentity] {
    let families = entities.map { EntityFamily(store: store, root: entities[$0.root].name) }
    return entities.map { EntityIdentity(families[$0.root], name: $0.name, index: $0.index) }
  }

  /// What tells whether a program with the model may use a store.
  package var modelGuard: StoreGuard {
    StoreGuard(ModelMark(hash: hash.text, version: model.version))
  }

  /// The layout of the entity of that name; nil when the model has none.
  public func layout(_ name: String) -> EntityLayout? {
    model.entityIndex(name).map { entities[$0] }
  }
}
