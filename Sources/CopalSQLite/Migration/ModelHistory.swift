import CopalModel
import CopalStore

/// The model that a store was written with beside the model it is opened with: which entities and
/// properties are in both.
///
/// An entity is found by its name. A property is found by its name along the line of inheritance,
/// so it may have moved from an entity to an ancestor.
struct ModelHistory {
  let old: StoreSchema
  let new: StoreSchema

  /// What a property is; one that becomes the other is another property.
  enum PropertyKind { case storedAttribute, relationship }

  /// Where the values of a property were.
  struct Origin {
    /// The old entities that declared the property, as positions. The values of each are kept apart
    /// from those of the others.
    var declaring: [Int] = []
    /// The entities of which the store may have rows without the property.
    var lacking: [EntityLayout] = []
  }

  /// The old layout of an entity; nil for a new entity.
  func before(_ layout: EntityLayout) -> EntityLayout? { old.layout(layout.name) }

  /// The new layout of an old entity; nil for one that was removed.
  func after(_ layout: EntityLayout) -> EntityLayout? { new.layout(layout.name) }

  /// Whether the store may have rows of a new layout's entity. An entity that became abstract has
  /// none, or the change is refused.
  func mayHaveRows(_ layout: EntityLayout) -> Bool {
    guard let before = before(layout) else { return false }
    return !before.entity.isAbstract && !layout.entity.isAbstract
  }

  /// The new layouts of an entity and its subentities of which the store may have rows.
  func entitiesWithRows(of entity: Int) -> [EntityLayout] {
    new.kinds(of: entity).map { new.entities[$0] }.filter(mayHaveRows)
  }

  /// Where the values were of a property that a new entity declares.
  func origin(of name: String, _ kind: PropertyKind, in entity: Int) -> Origin {
    var origin = Origin()
    for layout in new.kinds(of: entity).map({ new.entities[$0] }) {
      guard let before = before(layout) else { continue }
      if let declaring = declaringEntity(of: name, kind, in: before) {
        if !origin.declaring.contains(declaring) { origin.declaring.append(declaring) }
      } else if mayHaveRows(layout) {
        origin.lacking.append(layout)
      }
    }
    return origin
  }

  /// The old entity that declared a property of an old entity: the entity or an ancestor.
  private func declaringEntity(
    of name: String, _ kind: PropertyKind, in layout: EntityLayout
  ) -> Int? {
    switch kind {
    case .storedAttribute:
      guard let slot = layout.slotByName[name], layout.storedSlots.contains(slot),
        case .attribute = layout.slots[slot]
      else { return nil }
      return layout.declaringEntities[slot]
    case .relationship:
      return old.relationships[layout.index].first {
        !$0.isHidden && $0.relationship.name == name
      }?.declaringEntity
    }
  }
}

extension SlotDescription {
  /// What the property of a stored slot is.
  var kind: ModelHistory.PropertyKind {
    switch self {
    case .attribute: .storedAttribute
    case .reference, .hidden(.order, _): .relationship
    case .hidden: .storedAttribute
    }
  }

  /// Whether both slots hold the same thing of properties with the same name.
  func isCounterpart(of other: SlotDescription) -> Bool {
    guard propertyName == other.propertyName else { return false }
    return switch (self, other) {
    case (.attribute, .attribute), (.reference, .reference): true
    case (.hidden(let a, _), .hidden(let b, _)): a == b
    default: false
    }
  }
}
