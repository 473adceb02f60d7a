import CopalModel
import CopalStore

/// The slots on whose values the result of a query depends.
///
/// A changed object whose changes are in other slots has the same place in the result as its row in
/// the store. So only new and deleted objects, and those with a change in these slots, are
/// evaluated in memory.
struct ReadSlots {
  private(set) var slots: SlotSet
  private let schema: StoreSchema

  /// - Returns: nil when the result depends on more than values of slots: on related objects, or on
  ///   transformables, which can change in place.
  init?(of query: StoreQuery, _ schema: StoreSchema) {
    self.schema = schema
    var count = schema.entities[query.entity].slotCount
    for kind in schema.descendants[query.entity] {
      count = max(count, schema.entities[kind].slotCount)
    }
    slots = SlotSet(count: count)
    for key in query.sortKeys {
      if key.related != nil || !add(key.slot, query.entity) { return nil }
    }
    if let condition = query.condition {
      if condition.asksForRelated || !add(condition, query.entity) { return nil }
    }
  }

  /// - Returns: false for a slot whose values can change in place.
  private mutating func add(_ slot: Int, _ entity: Int) -> Bool {
    slots.insert(slot)
    let layout = schema.entities[entity]
    return layout.attributes[slot].type != .transformable
      && layout.projection(ofSlot: slot) == nil
  }

  private mutating func add(_ condition: QueryCondition, _ entity: Int) -> Bool {
    switch condition {
    case .constant: return true
    case .isNull(let term, _), .isIn(let term, _, _, _): return add(term, entity)
    case .holds(let a, _, let b, _), .text(let a, _, let b, _):
      return add(a, entity) && add(b, entity)
    case .ofKind(let kind, let condition, let otherwise):
      return add(condition, kind.entity) && add(otherwise, entity)
    case .and(let parts), .or(let parts):
      for part in parts where !add(part, entity) { return false }
      return true
    case .related, .exists: return false
    }
  }

  private mutating func add(_ term: QueryTerm, _ entity: Int) -> Bool {
    switch term {
    case .slot(let slot): add(slot, entity)
    case .key, .parameter: true
    case .calculated(let calculation): add(calculation, entity)
    }
  }

  private mutating func add(_ calculation: QueryCalculation, _ entity: Int) -> Bool {
    switch calculation.operation {
    case .slot(let slot): return add(slot, entity)
    case .key, .parameter, .null: return true
    case .ofKind(let kind, let inner): return add(inner, kind.entity)
    case .call(_, let arguments):
      for argument in arguments where !add(argument, entity) { return false }
      return true
    case .conditional(let condition, let first, let second):
      return add(condition, entity) && add(first, entity) && add(second, entity)
    case .outer, .related, .aggregate, .group, .aggregated: return false
    }
  }
}
