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
    self.schema = schema
    add(query)
  }

  /// What a query for values reads.
  package init(_ query: ValueQuery, _ schema: StoreSchema) {
    self.schema = schema
    add(query.objects)
    let levels = [query.objects.entity]
    for value in query.keys + query.columns + query.order.map(\.value) { add(value, levels) }
    for aggregate in query.aggregates { aggregate.value.map { add($0, levels) } }
    query.having.map { add($0, levels) }
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

  // MARK: Visiting

  private mutating func add(_ query: StoreQuery) {
    addObjects(of: query.entity, withSubentities: query.includesSubentities)
    let levels = [query.entity]
    if let condition = query.condition { add(condition, levels) }
    for key in query.sortKeys {
      if let related = key.related { add(related, levels) } else { add(key.slot, of: query.entity) }
    }
  }

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

  /// - Parameter levels: the entities of the objects that the condition is about: those of the
  ///   query first, those of the innermost relationship last.
  private mutating func add(_ condition: QueryCondition, _ levels: [Int]) {
    switch condition {
    case .constant: return
    case .isNull(let term, _), .isIn(let term, _, _, _): add(term, levels)
    case .holds(let a, _, let b, _), .text(let a, _, let b, _):
      add(a, levels)
      add(b, levels)
    case .related(let slot, let entity, let inner, _):
      add(slot, of: levels[levels.count - 1])
      add(inner, levels + [entity])
    case .exists(let collection, _): add(collection, nil, levels)
    case .ofKind(let kind, let condition, let otherwise):
      add(condition, levels.dropLast() + [kind.entity])
      add(otherwise, levels)
    case .and(let parts), .or(let parts): for part in parts { add(part, levels) }
    }
  }

  private mutating func add(_ term: QueryTerm, _ levels: [Int]) {
    switch term {
    case .slot(let slot): add(slot, of: levels[levels.count - 1])
    case .key, .parameter: return
    case .calculated(let calculation): add(calculation, levels)
    }
  }

  private mutating func add(_ calculation: QueryCalculation, _ levels: [Int]) {
    switch calculation.operation {
    case .slot(let slot): add(slot, of: levels[levels.count - 1])
    case .key, .parameter, .null, .group, .aggregated: return
    case .outer(let count, let inner): add(inner, Array(levels.dropLast(count)))
    case .related(let slot, let entity, let inner):
      add(slot, of: levels[levels.count - 1])
      add(inner, levels + [entity])
    case .ofKind(let kind, let inner): add(inner, levels.dropLast() + [kind.entity])
    case .call(_, let arguments): for argument in arguments { add(argument, levels) }
    case .aggregate(_, let collection, let value): add(collection, value, levels)
    case .conditional(let condition, let first, let second):
      add(condition, levels)
      add(first, levels)
      add(second, levels)
    }
  }

  private mutating func add(
    _ collection: QueryCollection, _ value: QueryCalculation?, _ levels: [Int]
  ) {
    addObjects(of: collection.destination, withSubentities: true)
    switch schema.relationships[collection.entity][collection.relationship].storage {
    case .slot(let slot): add(slot, of: collection.entity)
    case .inverseSlot(let slot, _): add(slot, of: collection.destination)
    case .links(let table, _): links.insert(table)
    }
    let outer = levels.dropLast(collection.level)
    let inner = outer + [collection.destination]
    if let condition = collection.condition { add(condition, Array(inner)) }
    if let value { add(value, Array(inner)) }
  }
}
