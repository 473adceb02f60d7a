/// What a slot of an object holds.
///
/// A slot is a position in the objects and rows of an entity. Along the line of inheritance, from
/// the root to the entity, each entity appends its segment to the slots of its parent: stored
/// attributes, to-one relationships, hidden columns, transient attributes, projections. So an
/// accessor that was generated for a parent reads the objects of every subentity at the same slot.
public enum SlotDescription: Sendable, Hashable {
  /// The value of an attribute, stored or transient.
  indirect case attribute(AttributeDescription)
  /// The key of the object of a to-one relationship.
  indirect case reference(RelationshipDescription)
  /// A value that Copal keeps for a property, in a column that no property shows.
  case hidden(HiddenColumn, of: String)
  /// What a transformer makes of the value of an attribute. A row has nothing there: the value is
  /// made from that of the attribute.
  indirect case projection(ProjectionDescription, of: String)

  /// What Copal keeps beside a property.
  public enum HiddenColumn: String, Sendable, Hashable, CaseIterable {
    /// The position of an object in an ordered relationship.
    case order
    /// The version of the transformer that encoded a value.
    case transformerVersion
  }

  /// The name of the property, or of the property that a hidden column belongs to.
  public var propertyName: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .reference(let relationship): relationship.name
    case .hidden(_, let property), .projection(_, let property): property
    }
  }

  /// Whether the slot holds the key of the object of a to-one relationship.
  public var isReference: Bool {
    if case .reference = self { return true }
    return false
  }

  /// Whether rows have the value. Those of transient attributes and of projections are not in rows.
  public var isStored: Bool {
    switch self {
    case .attribute(let attribute): !attribute.isTransient
    case .reference, .hidden: true
    case .projection: false
    }
  }
}

/// The shape of objects along the line of inheritance. The code generator, the stores and the
/// contexts all use these functions, so that they agree on every slot.
extension ManagedObjectModel {
  /// The ancestors of an entity: the root first, its parent last. Empty for an entity without a
  /// parent.
  ///
  /// - Parameter index: a position in ``entities``.
  public func ancestors(ofEntity index: Int) -> [Int] {
    var line: [Int] = []
    var next = entities[index].parent.flatMap(entityIndex)
    // The parents of a model that was read have no cycle. Those of an unchecked model may.
    while let parent = next, parent != index, !line.contains(parent) {
      line.append(parent)
      next = entities[parent].parent.flatMap(entityIndex)
    }
    return line.reversed()
  }

  /// The root of an entity's inheritance: its first ancestor, or the entity itself. Objects of one
  /// root have different keys.
  public func root(ofEntity index: Int) -> Int { ancestors(ofEntity: index).first ?? index }

  /// The slots of an entity: those of its parent, then its own.
  public func slots(ofEntity index: Int) -> [SlotDescription] {
    (ancestors(ofEntity: index) + [index]).flatMap(ownSlots(ofEntity:))
  }

  /// The slots that an entity appends to those of its parent. A to-one relationship whose inverse
  /// is ordered has a hidden column: the position of the object in the list. A versioned
  /// transformable has one too: the version of its transformer.
  public func ownSlots(ofEntity index: Int) -> [SlotDescription] {
    let entity = entities[index]
    let toOnes = entity.relationships.filter { !$0.isToMany }
    let listed = toOnes.filter { inverse(of: $0).map { $0.isToMany && $0.isOrdered } ?? false }
    let transients = entity.attributes.filter(\.isTransient)
    return entity.storedAttributes.map(SlotDescription.attribute)
      + toOnes.map(SlotDescription.reference)
      + listed.map { SlotDescription.hidden(.order, of: $0.name) }
      + entity.storedAttributes.filter(\.isVersioned).map {
        SlotDescription.hidden(.transformerVersion, of: $0.name)
      }
      + transients.map(SlotDescription.attribute)
      + entity.storedAttributes.flatMap { attribute in
        attribute.projections.map { SlotDescription.projection($0, of: attribute.name) }
      }
  }

  /// The first slot of an entity's own segment: the number of slots of its parent.
  public func firstOwnSlot(ofEntity index: Int) -> Int {
    ancestors(ofEntity: index).reduce(0) { $0 + ownSlots(ofEntity: $1).count }
  }
}
