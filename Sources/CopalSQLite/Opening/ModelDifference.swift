import CopalModel
import CopalStore

/// The difference between the model a store was written with and the model it is opened with.
///
/// Lightweight migration adds new entities, new attributes that are optional or have a default, and
/// indexes that are not unique. Every other difference is refused.
struct ModelDifference {
  private(set) var addedEntities: [EntityLayout] = []
  private(set) var addedAttributes: [(layout: EntityLayout, slot: Int)] = []
  /// The entities whose missing indexes are created.
  private(set) var changedIndexes: [EntityLayout] = []
  /// The differences that cannot be migrated, one line each.
  private(set) var refused: [String] = []

  init(from old: ManagedObjectModel, to new: StoreSchema) {
    for entity in old.entities where new.model.entity(entity.name) == nil {
      refused.append("the entity \(entity.name) was removed")
    }
    for layout in new.entities {
      if let before = old.entity(layout.name) {
        compare(before, layout)
      } else {
        addedEntities.append(layout)
      }
    }
  }

  private mutating func compare(_ old: EntityDescription, _ layout: EntityLayout) {
    let name = layout.name
    let attributes = Dictionary(
      old.attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for attribute in old.storedAttributes where layout.slotByName[attribute.name] == nil {
      refused.append("\(name).\(attribute.name) was removed")
    }
    for slot in layout.storedSlots {
      let attribute = layout.attributes[slot]
      guard let before = attributes[attribute.name], !before.isTransient else {
        add(attribute, slot, layout)
        continue
      }
      let (was, now) = (
        SchemaHash.describeType(of: before), SchemaHash.describeType(of: attribute)
      )
      if was != now {
        refused.append("\(name).\(attribute.name) has changed its type from '\(was)' to '\(now)'")
      }
    }
    for attribute in layout.transientSlots.map({ layout.attributes[$0] })
    where attributes[attribute.name].map({ !$0.isTransient }) == true {
      refused.append("\(name).\(attribute.name) is transient now")
    }
    compareConstraints(old, layout)
    if old.indexes != layout.entity.indexes { changedIndexes.append(layout) }
  }

  private mutating func add(
    _ attribute: AttributeDescription, _ slot: Int, _ layout: EntityLayout
  ) {
    if attribute.isOptional || attribute.defaultValue != nil {
      addedAttributes.append((layout, slot))
    } else {
      refused.append(
        "\(layout.name).\(attribute.name) is new and required, and has no default for the existing rows"
      )
    }
  }

  private mutating func compareConstraints(_ old: EntityDescription, _ layout: EntityLayout) {
    let (before, after) = (old.constraintsInAnyOrder, layout.entity.constraintsInAnyOrder)
    for constraint in before.subtracting(after).map({ $0.joined(separator: ", ") }).sorted() {
      refused.append("\(layout.name): the unique constraint (\(constraint)) was removed")
    }
    for constraint in after.subtracting(before).map({ $0.joined(separator: ", ") }).sorted() {
      refused.append("\(layout.name): the unique constraint (\(constraint)) was added")
    }
  }
}
