import CopalModel
import CopalStore

/// A relationship of an entity, as contexts use it. Entities of one line of inheritance have the same relationships at the
/// same positions.
final class RelationshipRuntime: Sendable {
  let description: RelationshipDescription
  /// The position among the relationships of the entity.
  let ordinal: Int
  /// The position of the entity of the objects at the other end.
  let destination: Int
  /// The slot with the key of the other object; nil for a to-many relationship.
  let slot: Int?
  /// The slot of the other objects that has the key of the owner; nil for another relationship.
  let inverseSlot: Int?
  let inverse: Inverse

  /// The relationship of the objects at the other end.
  enum Inverse: Sendable {
    case oneWay
    /// To-one: the slot in the other objects.
    case slot(Int)
    /// To-many: its position among the relationships of the other objects.
    case toMany(Int)
  }

  init(_ ordinal: Int, _ layout: RelationshipLayout, _ schema: StoreSchema) {
    description = layout.relationship
    self.ordinal = ordinal
    destination = layout.destination
    slot = if case .slot(let slot) = layout.storage { slot } else { nil }
    inverseSlot = if case .inverseSlot(let slot, _) = layout.storage { slot } else { nil }
    let other = layout.relationship.inverse.flatMap { name in
      schema.relationships[layout.destination].firstIndex { $0.relationship.name == name }
    }
    inverse =
      other.map { ordinal in
        if case .slot(let slot) = schema.relationships[layout.destination][ordinal].storage {
          return .slot(slot)
        }
        return .toMany(ordinal)
      } ?? .oneWay
  }

}
