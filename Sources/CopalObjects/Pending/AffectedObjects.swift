import CopalEssentials
import CopalModel
import CopalStore

/// Finds the saved objects for which a condition on related objects can have another result than in
/// the store, because related objects have unsaved changes.
///
/// It begins with the changed objects, and goes back along the relationships of the condition: to
/// the objects that had a changed one in the store, and to those that have it now.
struct AffectedObjects {
  private let state: ContextState

  init(_ state: ContextState) { self.state = state }

  /// The objects that one level of a condition is about: those that have a relationship, or those
  /// in it.
  private struct Level {
    let entity: Int
    var keys: Set<Int64> = []
  }

  /// The keys of the objects of an entity.
  func keys(of condition: QueryCondition, _ entity: Int) throws -> [Int64] {
    var levels = [Level(entity: entity)]
    try visit(condition, &levels)
    return levels[0].keys.inOrder()
  }

  // MARK: Conditions

  private func visit(_ condition: QueryCondition, _ levels: inout [Level]) throws {
    switch condition {
    case .constant: return
    case .isNull(let term, _), .isIn(let term, _, _, _): try visit(term, &levels)
    case .holds(let a, _, let b, _), .text(let a, _, let b, _):
      try visit(a, &levels)
      try visit(b, &levels)
    case .related(let slot, let entity, let inner, _):
      try visit(slot, entity, levels: &levels) { try visit(inner, &$0) }
    case .exists(let collection, _): try visit(collection, nil, &levels)
    case .ofKind(let kind, let condition, let otherwise):
      try inLevel(of: kind.entity, &levels) { try visit(condition, &$0) }
      try visit(otherwise, &levels)
    case .and(let parts), .or(let parts): for part in parts { try visit(part, &levels) }
    }
  }

  private func visit(_ term: QueryTerm, _ levels: inout [Level]) throws {
    if case .calculated(let calculation) = term { try visit(calculation, &levels) }
  }

  private func visit(_ calculation: QueryCalculation, _ levels: inout [Level]) throws {
    switch calculation.operation {
    case .slot, .key, .parameter, .null, .group, .aggregated: return
    case .outer(let count, let inner):
      var outer = Array(levels.dropLast(count))
      try visit(inner, &outer)
      levels.replaceSubrange(0..<outer.count, with: outer)
    case .related(let slot, let entity, let inner):
      try visit(slot, entity, levels: &levels) { try visit(inner, &$0) }
    case .ofKind(let kind, let inner):
      try inLevel(of: kind.entity, &levels) { try visit(inner, &$0) }
    case .call(_, let arguments): for argument in arguments { try visit(argument, &levels) }
    case .aggregate(_, let collection, let value): try visit(collection, value, &levels)
    case .conditional(let condition, let first, let second):
      try visit(condition, &levels)
      try visit(first, &levels)
      try visit(second, &levels)
    }
  }

  /// Goes on with the same objects as those of a subentity.
  private func inLevel(
    of entity: Int, _ levels: inout [Level], _ body: (inout [Level]) throws -> Void
  ) throws {
    guard let last = levels.popLast() else { return }
    levels.append(Level(entity: entity, keys: last.keys))
    try body(&levels)
    if let visited = levels.popLast() {
      levels.append(Level(entity: last.entity, keys: visited.keys))
    }
  }

  // MARK: Relationships

  /// The objects that refer to changed objects, or to those that `body` finds.
  private func visit(
    _ slot: Int, _ entity: Int, levels: inout [Level], body: (inout [Level]) throws -> Void
  ) throws {
    levels.append(Level(entity: entity))
    try body(&levels)
    var related = levels.popLast()?.keys ?? []
    for object in try state.changedObjects(of: entity) { related.insert(object.key) }
    let place = levels.count - 1
    guard levels.indices.contains(place) else { return }
    levels[place].keys.formUnion(
      try stored(levels[place].entity, related) {
        .isIn(.slot(slot), parameters: $0, isNegated: false, resultForNull: false)
      })
  }

  /// The objects that had or have a changed object in a collection, or one that the condition of
  /// the collection finds.
  private func visit(
    _ collection: QueryCollection, _ value: QueryCalculation?, _ levels: inout [Level]
  ) throws {
    levels.append(Level(entity: collection.destination))
    if let condition = collection.condition { try visit(condition, &levels) }
    if let value { try visit(value, &levels) }
    var members = levels.popLast()?.keys ?? []
    let changed = try state.pendingChanges(of: collection.destination)
    for object in changed where object.key > 0 { members.insert(object.key) }
    let place = levels.count - 1 - collection.level
    guard levels.indices.contains(place) else { return }
    let relationship = state.container.entities[collection.entity].relationships[
      collection.relationship]
    levels[place].keys.formUnion(owners(of: changed, relationship))
    levels[place].keys.formUnion(
      try stored(collection.entity, members) {
        .exists(
          QueryCollection(
            entity: collection.entity, relationship: collection.relationship,
            destination: collection.destination,
            condition: .isIn(.key, parameters: $0, isNegated: false, resultForNull: false)),
          isNegated: false)
      })
  }

  /// The saved objects that have changed objects in a relationship now.
  private func owners(of changed: [ManagedObject], _ relationship: RelationshipRuntime) -> [Int64] {
    if let slot = relationship.inverseSlot {
      return changed.compactMap { $0.reference(slot) }.filter { $0 > 0 }
    }
    return state.relationships.linked.filter {
      $0.entity == relationship.declaringEntity && $0.ordinal == relationship.ordinal && $0.key > 0
    }.map(\.key)
  }

  // MARK: The store

  /// The number of keys in one statement: databases limit its constants.
  private static let keyLimit = 30_000

  /// The keys of the objects of an entity that meet a condition on some keys in the store.
  private func stored(
    _ entity: Int, _ keys: Set<Int64>, _ condition: (Range<Int>) -> QueryCondition
  ) throws -> [Int64] {
    var found: [Int64] = []
    for part in keys.inOrder().parts(of: Self.keyLimit) {
      found += try state.session.opened().fetchKeys(
        StoreQuery(
          entity: entity, condition: condition(0..<part.count),
          parameters: part.map { .integer($0) }))
    }
    return found
  }
}
