import CopalModel
import CopalStore

/// A relationship of an entity, as contexts use it. Entities of one line of inheritance have the
/// same relationships at the same positions.
final class RelationshipRuntime: Sendable {
  let description: RelationshipDescription
  /// The position among the relationships of the entity.
  let ordinal: Int
  /// The position of the entity that has the relationship: the entity itself or an ancestor.
  let declaringEntity: Int
  /// The position of the entity of the objects at the other end.
  let destination: Int
  /// The position of the root of that entity.
  let destinationRoot: Int
  /// The slot with the key of the other object; nil for a to-many relationship.
  let slot: Int?
  /// The slot of the other objects that has the key of the owner; nil for another relationship.
  let inverseSlot: Int?
  /// The slot with the position in an ordered list: of the object itself for a to-one relationship,
  /// of the other objects for a to-many relationship. Nil where there is no list, and where the
  /// objects are linked.
  let positionSlot: Int?
  /// The table of links of a many-to-many relationship, and the end at which the entity is; nil for
  /// another one.
  let links: (table: Int, end: LinkTable.End)?
  /// Whether the model has no such relationship: it is the inverse of a one-way relationship.
  let isHidden: Bool
  /// The relationship of the objects at the other end. A one-way relationship has a hidden inverse.
  let inverse: Inverse

  /// The position of the entity that has the inverse: the destination or an ancestor of it.
  let inverseEntity: Int

  enum Inverse: Sendable {
    /// To-one: the slot in the other objects.
    case slot(Int)
    /// To-many: its position among the relationships of the other objects, and whether it is
    /// ordered.
    case toMany(Int, isOrdered: Bool)
  }

  init(_ ordinal: Int, _ layout: RelationshipLayout, _ schema: StoreSchema) {
    description = layout.relationship
    self.ordinal = ordinal
    declaringEntity = layout.declaringEntity
    destination = layout.destination
    isHidden = layout.isHidden
    let destinationLayout = schema.entities[layout.destination]
    destinationRoot = destinationLayout.root
    switch layout.storage {
    case .slot(let slot):
      self.slot = slot
      inverseSlot = nil
      links = nil
      positionSlot = schema.entities[layout.declaringEntity].reference(ofSlot: slot)?.positionSlot
    case .inverseSlot(let slot, let position):
      self.slot = nil
      inverseSlot = slot
      links = nil
      positionSlot = position
    case .links(let table, let end):
      slot = nil
      inverseSlot = nil
      positionSlot = nil
      links = (table, end)
    }
    let others = schema.relationships[layout.destination]
    guard let place = layout.inverse, others.indices.contains(place) else {
      misuse("\(layout.relationship.name) has no inverse")
    }
    inverseEntity = others[place].declaringEntity
    sortKeys = layout.relationship.sortKeys.compactMap { key in
      destinationLayout.slotByName[key.property].map {
        BoundSortKey(
          slot: $0, isAscending: key.isAscending, textOrder: key.textOrder, nilOrder: key.nilOrder)
      }
    }
    deletesOrphans = slot != nil && others[place].relationship.orphanRule == .delete
    countLimits = description.countRange
    inverseHasLimits = others[place].relationship.countRange != nil
    inverse =
      if case .slot(let slot) = others[place].storage {
        .slot(slot)
      } else {
        .toMany(place, isOrdered: others[place].relationship.isOrdered)
      }
  }

  /// Where an object at the other end keeps its members; nil when that end is to-one, too.
  ///
  /// - Parameter owner: the key of that object.
  func membersPlace(of owner: Int64) -> RelationshipPlace? {
    guard case .toMany(let ordinal, _) = inverse else { return nil }
    return RelationshipPlace(entity: inverseEntity, ordinal: ordinal, key: owner)
  }

  /// Whether the relationship is its own inverse.
  var isSymmetric: Bool {
    guard case .toMany(let ordinal, _) = inverse else { return false }
    return inverseEntity == declaringEntity && ordinal == self.ordinal
  }

  /// Whether the objects at the other end have an order.
  var isOrdered: Bool { description.isOrdered }

  /// The least and the greatest number of members; nil without limits.
  let countLimits: ClosedRange<Int>?
  /// The slots of the other objects by which they are sorted. Empty without a sort order.
  let sortKeys: [BoundSortKey]
  /// Whether an object that has lost the object at the other end is deleted.
  let deletesOrphans: Bool
  /// Whether the relationship at the other end has such limits.
  let inverseHasLimits: Bool
}

/// A to-many relationship of one object.
struct RelationshipPlace: Hashable {
  /// The position of the entity that has the relationship: the owner's entity or an ancestor.
  let entity: Int
  /// The position of the relationship among those of the owner's entity.
  let ordinal: Int
  /// The key of the owner.
  var key: Int64

  init(entity: Int, ordinal: Int, key: Int64) {
    self.entity = entity
    self.ordinal = ordinal
    self.key = key
  }

  init(_ owner: ManagedObject, _ relationship: RelationshipRuntime) {
    self.init(relationship, key: owner.key)
  }

  init(_ relationship: RelationshipRuntime, key: Int64) {
    self.init(entity: relationship.declaringEntity, ordinal: relationship.ordinal, key: key)
  }
}
