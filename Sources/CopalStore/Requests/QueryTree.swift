import CopalModel

/// What a query reads, from its own objects on along relationships: a part for the objects of the
/// query, and one for those at the end of each relationship that a part of it is about.
package struct QueryTree: Sendable {
  /// The parts, each behind the one that leads to it. The first one has the objects of the query.
  package private(set) var parts: [Part]

  /// Objects that the query reads.
  package struct Part: Sendable {
    /// The position of the objects' entity. Objects of its subentities are among them, unless the
    /// query leaves them out.
    package let entity: Int
    /// The attributes and to-one relationships that the query reads of them.
    package fileprivate(set) var slots: Set<Slot> = []
    /// The relationships that lead on, and the positions of the parts to which they lead.
    package fileprivate(set) var steps: [(step: Step, part: Int)] = []
  }

  /// A slot of an entity: that of the part, or a subentity of it.
  package struct Slot: Sendable, Hashable {
    package let entity: Int
    package let slot: Int
  }

  /// A relationship of an entity: that of the part, or a subentity of it.
  package enum Step: Sendable, Hashable {
    /// A to-one relationship, by its slot.
    case reference(Slot)
    /// A to-many relationship, by its position among those of the entity.
    case collection(entity: Int, relationship: Int)
  }

  /// The objects around a condition, from those of the query on: each a part, with the entity whose
  /// slots the condition has.
  private typealias Levels = [(part: Int, entity: Int)]

  /// What a query for objects reads.
  package init(_ query: StoreQuery) {
    parts = [Part(entity: query.entity)]
    let levels = [(part: 0, entity: query.entity)]
    if let condition = query.condition { add(condition, levels) }
    for key in query.sortKeys {
      if let related = key.related { add(related, levels) } else { add(key.slot, levels) }
    }
  }

  /// What a query for values reads.
  package init(_ query: ValueQuery) {
    self.init(query.objects)
    let levels = [(part: 0, entity: query.objects.entity)]
    for value in query.keys + query.columns + query.order.map(\.value) { add(value, levels) }
    for aggregate in query.aggregates { aggregate.value.map { add($0, levels) } }
    query.having.map { add($0, levels) }
  }

  private mutating func add(_ slot: Int, _ levels: Levels) {
    guard let (part, entity) = levels.last else { return }
    parts[part].slots.insert(Slot(entity: entity, slot: slot))
  }

  /// The part to which a relationship of another part leads.
  private mutating func part(_ step: Step, of part: Int, _ entity: Int) -> Int {
    if let known = parts[part].steps.first(where: { $0.step == step }) { return known.part }
    parts.append(Part(entity: entity))
    parts[part].steps.append((step, parts.count - 1))
    return parts.count - 1
  }

  /// The levels of a condition or value on the object of a to-one relationship.
  private mutating func related(_ slot: Int, _ entity: Int, _ levels: Levels) -> Levels {
    guard let owner = levels.last else { return levels }
    add(slot, levels)
    let step = Step.reference(Slot(entity: owner.entity, slot: slot))
    return levels + [(part(step, of: owner.part, entity), entity)]
  }

  private mutating func add(_ condition: QueryCondition, _ levels: Levels) {
    switch condition {
    case .constant: return
    case .isNull(let term, _), .isIn(let term, _, _, _): add(term, levels)
    case .holds(let a, _, let b, _), .text(let a, _, let b, _):
      add(a, levels)
      add(b, levels)
    case .related(let slot, let entity, let inner, _): add(inner, related(slot, entity, levels))
    case .exists(let collection, _): add(collection, nil, levels)
    case .ofKind(let kind, let condition, let otherwise):
      add(condition, levels.asKind(kind))
      add(otherwise, levels)
    case .and(let parts), .or(let parts): for part in parts { add(part, levels) }
    }
  }

  private mutating func add(_ term: QueryTerm, _ levels: Levels) {
    switch term {
    case .slot(let slot): add(slot, levels)
    case .key, .parameter: return
    case .calculated(let calculation): add(calculation, levels)
    }
  }

  private mutating func add(_ calculation: QueryCalculation, _ levels: Levels) {
    switch calculation.operation {
    case .slot(let slot): add(slot, levels)
    case .key, .parameter, .null, .group, .aggregated: return
    case .outer(let count, let inner): add(inner, levels.dropLast(count))
    case .related(let slot, let entity, let inner): add(inner, related(slot, entity, levels))
    case .ofKind(let kind, let inner): add(inner, levels.asKind(kind))
    case .call(_, let arguments): for argument in arguments { add(argument, levels) }
    case .aggregate(_, let collection, let value): add(collection, value, levels)
    case .conditional(let condition, let first, let second):
      add(condition, levels)
      add(first, levels)
      add(second, levels)
    }
  }

  private mutating func add(
    _ collection: QueryCollection, _ value: QueryCalculation?, _ levels: Levels
  ) {
    let outer = levels.dropLast(collection.level) as Levels
    guard let owner = outer.last else { return }
    let step = Step.collection(entity: collection.entity, relationship: collection.relationship)
    let member = part(step, of: owner.part, collection.destination)
    let inner = outer + [(member, collection.destination)]
    if let condition = collection.condition { add(condition, inner) }
    if let value { add(value, inner) }
  }
}

extension [(part: Int, entity: Int)] {
  /// The levels of a condition on the same object as one of a kind.
  fileprivate func asKind(_ kind: EntityKind) -> Self {
    guard let last else { return self }
    return dropLast() + [(last.part, kind.entity)]
  }
}
