import CopalModel

/// What the delete rules say when objects of some entities are deleted, as steps for sets of
/// objects.
///
/// A store marks the objects of the query. Then it follows the edges that cascade from the marked
/// objects, level by level, until no object is added. Then it checks the edges that deny and those
/// with a minimum, and last it removes references and links, and the rows themselves.
public struct DeletionPlan: Sendable {
  /// The relationships of the objects that may be deleted, each once.
  public let edges: [Edge]
  /// The positions of the entities whose objects may be deleted.
  public let deleted: Set<Int>
  /// The positions of the entities whose rows may be changed or deleted.
  public let written: Set<Int>
  /// Whether only the rows of the query have to be deleted.
  public let isSimple: Bool

  /// A relationship of objects that are deleted.
  public struct Edge: Sendable {
    /// The relationship.
    public let layout: RelationshipLayout
    /// The position of the root of the deleted objects' entity.
    public let root: Int
    /// The position of the root of the entity at the other end.
    public let destinationRoot: Int
    /// What happens to the objects at the other end.
    public let action: Action
    /// The to-one relationship of the objects at the other end, which refers to the deleted object;
    /// nil where there is none.
    public let back: EntityLayout.Reference?
    /// Whether the objects at the other end must have an object in ``back``.
    public let isRequired: Bool
    /// The number of objects that the objects at the other end must keep; nil where there is no
    /// minimum.
    public let minimum: Int?
    /// The name of the relationship at the other end.
    public let inverseName: RelationshipName

    /// The name of the relationship.
    public var name: RelationshipName {
      RelationshipName(entity: layout.declaringEntity, name: layout.relationship.name)
    }

    /// Whether something is to be done.
    var hasWork: Bool {
      if case .links = layout.storage { return true }
      return action == .cascade || action == .deny || action == .nullify && back != nil
        || minimum != nil
    }
  }

  /// What happens to the objects at the other end of a relationship.
  public enum Action: Sendable, Hashable {
    /// They are deleted too: by the delete rule, or because they would lose their owner.
    case cascade
    /// They lose the deleted object.
    case nullify
    /// There must be none, except for those that are deleted too.
    case deny
    /// They keep the key of the deleted object.
    case nothing
  }

  /// The plan for the deletion of objects of some entities.
  public init(_ schema: StoreSchema, deleting entities: [Int]) {
    var edges: [Edge] = []
    var known: Set<RelationshipPlace> = []
    var deleted = Set(entities)
    var written = Set(entities)
    var rest = entities
    while let entity = rest.popLast() {
      for (ordinal, layout) in schema.relationships[entity].enumerated() {
        let place = RelationshipPlace(entity: layout.declaringEntity, ordinal: ordinal)
        guard known.insert(place).inserted else { continue }
        let edge = Edge(layout, schema)
        if !edge.hasWork { continue }
        edges.append(edge)
        let kinds = schema.kinds(of: layout.destination)
        if edge.action == .cascade {
          let new = kinds.filter { deleted.insert($0).inserted }
          rest += new
          written.formUnion(new)
        } else if edge.back != nil || edge.minimum != nil {
          written.formUnion(kinds)
        }
        if case .links = layout.storage { written.formUnion(kinds) }
      }
    }
    self.edges = edges
    self.deleted = deleted
    self.written = written
    isSimple =
      edges.isEmpty && deleted.allSatisfy { schema.entities[$0].externalSlots.isEmpty }
  }

  private struct RelationshipPlace: Hashable {
    let entity: Int
    let ordinal: Int
  }
}

extension DeletionPlan.Edge {
  fileprivate init(_ layout: RelationshipLayout, _ schema: StoreSchema) {
    self.layout = layout
    root = schema.entities[layout.declaringEntity].root
    let destination = schema.entities[layout.destination]
    destinationRoot = destination.root
    let inverse = layout.inverse.map { schema.relationships[layout.destination][$0] }
    action =
      switch layout.relationship.deleteRule {
      case .cascade: .cascade
      // An object that has lost its owner is deleted.
      case .nullify: layout.relationship.orphanRule == .delete ? .cascade : .nullify
      case .deny: .deny
      case .noAction: .nothing
      }
    let backSlot: Int? =
      switch (layout.storage, inverse?.storage) {
      case (.inverseSlot(let slot, _), _): slot
      case (.slot, .slot(let slot)): slot
      default: nil
      }
    back = backSlot.flatMap { destination.reference(ofSlot: $0) }
    isRequired = backSlot.map { !destination.attributes[$0].isOptional } ?? false
    let least = inverse?.relationship.countRange?.lowerBound ?? 0
    minimum = least > 0 && inverse?.relationship.isToMany == true ? least : nil
    inverseName = RelationshipName(
      entity: inverse?.declaringEntity ?? layout.destination,
      name: inverse?.relationship.name ?? layout.relationship.name)
  }
}

extension StoreSchema {
  /// The plan for the deletion of objects of some entities.
  public func deletionPlan(of entities: [Int]) -> DeletionPlan {
    DeletionPlan(self, deleting: entities)
  }
}
