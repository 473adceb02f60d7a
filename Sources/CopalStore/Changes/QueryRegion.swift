import CopalModel

/// What a query reads: which objects, slots and links can change its result.
///
/// Who keeps a result asks it whether a commit can have changed the result, before the query runs
/// again.
package struct QueryRegion: Sendable {
  /// What the query reads of one entity.
  private struct Part {
    var slots: SlotSet
    /// Whether an inserted object alone can change the result.
    var hasObjects = false
  }

  private let schema: StoreSchema
  /// By the position of the entity, subentities included.
  private var parts: [Int: Part] = [:]
  /// The tables of links.
  private var links: Set<Int> = []

  /// What a query for objects reads.
  package init(_ query: StoreQuery, _ schema: StoreSchema) {
    self.init(QueryTree(query), query, schema)
  }

  /// What a query for values reads.
  package init(_ query: ValueQuery, _ schema: StoreSchema) {
    self.init(QueryTree(query), query.objects, schema)
  }

  private init(_ tree: QueryTree, _ query: StoreQuery, _ schema: StoreSchema) {
    self.schema = schema
    addObjects(of: query.entity, withSubentities: query.includesSubentities)
    for part in tree.parts {
      for slot in part.slots { add(slot.slot, of: slot.entity) }
      for case .collection(let entity, let relationship) in part.steps.map(\.step) {
        add(schema.relationships[entity][relationship], of: entity)
      }
    }
  }

  // MARK: Asking

  /// Whether what a commit has written can change the result.
  package func isTouched(by changes: ChangeSet) -> Bool {
    changes.entities.contains { isTouched(by: $0) }
      || changes.links.contains { !$0.isEmpty && links.contains($0.table) }
  }

  private func isTouched(by changes: ChangeSet.EntityChanges) -> Bool {
    guard let part = parts[changes.entity] else { return false }
    // The row of a deleted object can come back where others still refer to it.
    if !changes.deletes.isEmpty || part.hasObjects && !changes.inserts.isEmpty
      || changes.inserts.contains(where: { $0.key > 0 })
    {
      return true
    }
    return changes.updates.contains { !$0.changed.isDisjoint(with: part.slots) }
  }

  /// Whether any change of objects of some entities, and of their links, can change the result.
  package func isTouched(byObjectsOf entities: Set<Int>) -> Bool {
    entities.contains { parts[$0] != nil }
      || links.contains {
        entities.contains(schema.linkTables[$0].owner)
          || entities.contains(schema.linkTables[$0].member)
      }
  }

  /// Whether the query reads objects of an entity.
  package func reads(entity: Int) -> Bool { parts[entity] != nil }

  /// Whether the query reads a slot of the objects of an entity.
  package func reads(_ slot: Int, of entity: Int) -> Bool {
    parts[entity]?.slots.contains(slot) ?? false
  }

  /// Whether the query reads a table of links.
  package func reads(links table: Int) -> Bool { links.contains(table) }

  // MARK: Parts

  private mutating func addObjects(of entity: Int, withSubentities: Bool) {
    for kind in [entity] + (withSubentities ? schema.descendants[entity] : []) {
      let empty = emptyPart(kind)
      parts[kind, default: empty].hasObjects = true
    }
  }

  /// Subentities have the slots of their parents at the same positions.
  private mutating func add(_ slot: Int, of entity: Int) {
    for slot in schema.entities[entity].sourceSlots(slot) { addStored(slot, of: entity) }
  }

  private mutating func addStored(_ slot: Int, of entity: Int) {
    for kind in [entity] + schema.descendants[entity] {
      let empty = emptyPart(kind)
      parts[kind, default: empty].slots.insert(slot)
    }
  }

  private func emptyPart(_ entity: Int) -> Part {
    Part(slots: SlotSet(count: schema.entities[entity].slotCount))
  }

  private mutating func add(_ collection: RelationshipLayout, of entity: Int) {
    addObjects(of: collection.destination, withSubentities: true)
    switch collection.storage {
    case .slot(let slot): add(slot, of: entity)
    case .inverseSlot(let slot, _): add(slot, of: collection.destination)
    case .links(let table, _): links.insert(table)
    }
  }
}
