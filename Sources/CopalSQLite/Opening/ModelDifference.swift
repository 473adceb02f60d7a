import CopalModel
import CopalSQL
import CopalStore

/// The difference between the model a store was written with and the model it is opened with.
///
/// Lightweight migration adds new entities, new attributes that are optional or have a default, new optional to-one
/// relationships, new to-many relationships, and indexes that are not unique. Every other difference is refused.
struct ModelDifference {
  private(set) var addedEntities: [EntityLayout] = []
  private(set) var addedLinkTables: [LinkTable] = []
  private(set) var addedColumns: [(layout: EntityLayout, slot: Int)] = []
  /// The entities whose missing indexes are created.
  private(set) var changedIndexes: [EntityLayout] = []
  /// The differences that cannot be migrated, one line each.
  private(set) var refused: [String] = []

  init(from old: ManagedObjectModel, to new: StoreSchema) {
    for entity in old.entities where new.model.entity(entity.name) == nil {
      refused.append("the entity \(entity.name) was removed")
    }
    for layout in new.entities {
      if let before = old.entityIndex(layout.name) {
        compare(old.entities[before], layout)
        compareRelationships(old, before, new.model, layout)
      } else {
        addedEntities.append(layout)
      }
    }
    addLinkTables(old, new)
  }

  private mutating func compare(_ old: EntityDescription, _ layout: EntityLayout) {
    let name = layout.name
    let attributes = Dictionary(
      old.attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for attribute in old.storedAttributes {
      guard let slot = layout.slotByName[attribute.name] else {
        refused.append("\(name).\(attribute.name) was removed")
        continue
      }
      // Its column holds keys now.
      if case .reference = layout.slots[slot] {
        refused.append("\(name).\(attribute.name) was an attribute and is a relationship now")
      }
    }
    for slot in layout.storedSlots {
      guard case .attribute(let attribute) = layout.slots[slot] else { continue }
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
      addedColumns.append((layout, slot))
    } else {
      refused.append(
        "\(layout.name).\(attribute.name) is new and required, and has no default for the existing rows"
      )
    }
  }

  // MARK: Relationships

  private mutating func compareRelationships(
    _ oldModel: ManagedObjectModel, _ old: Int, _ newModel: ManagedObjectModel,
    _ layout: EntityLayout
  ) {
    let before = Dictionary(
      oldModel.relationships(ofEntity: old).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let new = newModel.relationships(ofEntity: layout.index)
    for name in before.keys.sorted() where !new.contains(where: { $0.name == name }) {
      refused.append("the relationship \(layout.name).\(name) was removed")
    }
    for relationship in new {
      guard let old = before[relationship.name] else {
        add(relationship, layout)
        continue
      }
      let (was, now) = (
        SchemaHash.describe(old, in: oldModel), SchemaHash.describe(relationship, in: newModel)
      )
      if was != now {
        refused += RelationshipDifference(
          from: old, oldModel.inverse(of: old), to: relationship, newModel.inverse(of: relationship)
        ).lines.map { "the relationship \(layout.name).\(relationship.name) \($0)" }
      }
    }
  }

  /// A new to-one relationship has a column, and one for its position in an ordered list.
  private mutating func add(_ relationship: RelationshipDescription, _ layout: EntityLayout) {
    guard
      let reference = layout.references.first(where: { reference in
        layout.attributes[reference.slot].name == relationship.name
      })
    else { return }
    guard relationship.isOptional else {
      refused.append(
        "the relationship \(layout.name).\(relationship.name) is new and required, and the existing rows have no object for it"
      )
      return
    }
    addedColumns.append((layout, reference.slot))
    if let position = reference.positionSlot { addedColumns.append((layout, position)) }
    changedIndexes.append(layout)
  }

  private mutating func addLinkTables(_ old: ManagedObjectModel, _ new: StoreSchema) {
    let before = StoreSchema(old)
    let names = Set(before.linkTables.map { LinkMapping($0, in: before).names.table })
    addedLinkTables = new.linkTables.filter {
      !names.contains(LinkMapping($0, in: new).names.table)
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
