import CopalModel
import CopalSQL
import CopalStore

/// The difference between the model a store was written with and the model it is opened with.
///
/// Lightweight migration adds new entities, new attributes that are optional or have a default, new
/// optional to-one relationships, new to-many relationships, and indexes that are not unique. It
/// moves properties from an entity to an ancestor. Every other difference is refused. A
/// ``TableChanges`` has the changes of tables for what is not refused.
///
/// Each property is compared once: in the entity that declares it.
struct ModelDifference {
  let history: ModelHistory
  /// The differences that cannot be migrated, one line each.
  var refused: [String] = []
  /// The entities that became abstract, as they were. That is refused when the store has rows of
  /// them.
  private(set) var newlyAbstract: [EntityLayout] = []

  /// The attributes whose large values were in files, and are not any more, as they were. That is
  /// refused when the store has such files.
  private(set) var noLongerExternal: [(layout: EntityLayout, slot: Int)] = []

  init(from old: ManagedObjectModel, to new: StoreSchema) {
    history = ModelHistory(old: StoreSchema(old), new: new)
    for entity in old.entities where new.model.entity(entity.name) == nil {
      refused.append("the entity \(entity.name) was removed")
    }
    let refusedRoots = compareFamilies()
    for layout in new.entities where !refusedRoots.contains(layout.root) {
      compareAttributes(layout)
      compareConstraints(layout)
      compareRelationships(layout)
      if let before = history.before(layout), layout.entity.isAbstract, !before.entity.isAbstract {
        newlyAbstract.append(before)
      }
    }
  }

  // MARK: Attributes

  private mutating func compareAttributes(_ layout: EntityLayout) {
    let before = history.before(layout)?.entity.storedAttributes ?? []
    for attribute in before { findAttribute(attribute.name, layout) }
    for column in layout.ownColumns {
      if case .attribute(let attribute) = layout.slots[column.slot] { compare(attribute, layout) }
    }
    for attribute in before
    where layout.slotByName[attribute.name].map(layout.transientSlots.contains) == true {
      refused.append("\(layout.name).\(attribute.name) is transient now")
    }
  }

  /// Reports an attribute that an entity had when it has none of that name any more.
  private mutating func findAttribute(_ name: String, _ layout: EntityLayout) {
    if let slot = layout.slotByName[name] {
      // Its column holds keys now.
      if case .reference = layout.slots[slot] {
        refused.append("\(layout.name).\(name) was an attribute and is a relationship now")
      }
      return
    }
    let subentity = subentity(of: layout) { $0.attribute(name) != nil }
    refused.append(
      "\(layout.name).\(name) was "
        + (subentity.map { "moved to the subentity \($0)" } ?? "removed"))
  }

  /// The name of the first subentity that meets a condition.
  func subentity(
    of layout: EntityLayout, where condition: (EntityDescription) -> Bool
  ) -> String? {
    history.new.descendants[layout.index].lazy.map { history.new.entities[$0] }
      .first { condition($0.entity) }?.name
  }

  /// Compares an attribute that an entity declares.
  private mutating func compare(_ attribute: AttributeDescription, _ layout: EntityLayout) {
    let name = attribute.name
    let origin = history.origin(of: name, .storedAttribute, in: layout.index)
    let now = SchemaHash.describeType(of: attribute)
    for declaring in origin.declaring.map({ history.old.entities[$0] }) {
      let was = declaring.entity.attribute(name).map(SchemaHash.describeType)
      if let was, was != now {
        refused.append("\(declaring.name).\(name) has changed its type from '\(was)' to '\(now)'")
      }
      if attribute.externalThreshold == nil, let slot = declaring.slotByName[name],
        declaring.externalSlots.contains(slot)
      {
        noLongerExternal.append((declaring, slot))
      }
    }
    if origin.declaring.count > 1 {
      refused.append(joined("\(layout.name).\(name)", name, origin))
    } else if !attribute.isOptional, attribute.defaultValue == nil, !origin.lacking.isEmpty {
      refused.append(withoutValue(name, layout, origin))
    }
  }

  private func withoutValue(
    _ name: String, _ layout: EntityLayout, _ origin: ModelHistory.Origin
  ) -> String {
    guard let declaring = origin.declaring.first.map({ history.old.entities[$0].name }) else {
      return
        "\(layout.name).\(name) is new and required, and has no default for the existing rows"
    }
    return
      "\(layout.name).\(name) was moved from \(declaring) and is required, and has no default for the existing rows of \(list(origin.lacking))"
  }

  /// The line for a property that several entities have declared until now.
  func joined(_ subject: String, _ name: String, _ origin: ModelHistory.Origin) -> String {
    let properties = origin.declaring.map { "\(history.old.entities[$0].name).\(name)" }
    return
      "\(subject) cannot be \(properties.sorted().asEnumeration) in one, because each has values of its own"
  }

  /// The names of entities, for a line.
  func list(_ layouts: [EntityLayout]) -> String {
    layouts.map(\.name).sorted().asEnumeration
  }

  // MARK: Unique constraints

  /// A constraint may move to an ancestor if it is for the same rows there.
  private mutating func compareConstraints(_ layout: EntityLayout) {
    let before = history.before(layout)?.entity.constraintsInAnyOrder ?? []
    let after = layout.entity.constraintsInAnyOrder
    for constraint in before.subtracting(after).filter({ !hasMoved($0, from: layout) }).sortedTexts
    {
      refused.append("\(layout.name): the unique constraint (\(constraint)) was removed")
    }
    for constraint in after.subtracting(before).filter({ !isKnown($0, to: layout) }).sortedTexts {
      refused.append("\(layout.name): the unique constraint (\(constraint)) was added")
    }
  }

  /// Whether an ancestor has a constraint now, for the same rows.
  private func hasMoved(_ constraint: [String], from layout: EntityLayout) -> Bool {
    layout.ancestors.map { history.new.entities[$0] }.contains { ancestor in
      ancestor.entity.constraintsInAnyOrder.contains(constraint)
        && haveSameRows(ancestor, layout)
    }
  }

  /// Whether every row already obeys a constraint that the entity did not have: there are none, or
  /// a subentity had the constraint for all of them.
  private func isKnown(_ constraint: [String], to layout: EntityLayout) -> Bool {
    if history.entitiesWithRows(of: layout.index).isEmpty { return true }
    return history.new.descendants[layout.index].map { history.new.entities[$0] }.contains {
      history.before($0)?.entity.constraintsInAnyOrder.contains(constraint) == true
        && haveSameRows(layout, $0)
    }
  }

  /// Whether the store has the same rows of an entity and of one of its subentities.
  private func haveSameRows(_ ancestor: EntityLayout, _ layout: EntityLayout) -> Bool {
    history.entitiesWithRows(of: ancestor.index).count
      == history.entitiesWithRows(of: layout.index).count
  }
}

extension Set<[String]> {
  /// The constraints as texts, in the order of their characters.
  fileprivate var sortedTexts: [String] { map { $0.joined(separator: ", ") }.sorted() }
}

extension [String] {
  /// The words as an enumeration: `Link, Photo and Video`.
  fileprivate var asEnumeration: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
