import CopalModel
import CopalStore

/// Makes unsaved changes of related objects count: a painter who is renamed in memory alters which paintings match a condition on
/// the name of their painter.
///
/// A store knows only saved values. So the changed objects are evaluated in memory, and their keys take the place of their values:
/// `artist.name == "Berthe"` becomes the condition that the artist is one of the changed ones who are called Berthe now, or one
/// of the others with that name. The cost grows with the number of changed related objects.
struct RelatedChanges {
  private let state: ContextState

  init(_ state: ContextState) { self.state = state }

  /// The query for the store. It is the same query if it has no condition on related objects, or if none of these has changes.
  func resolve(_ query: StoreQuery) throws -> StoreQuery {
    guard let condition = query.condition, condition.asksForRelated else { return query }
    var resolved = query
    resolved.condition = try resolve(condition, &resolved.parameters)
    return resolved
  }

  private func resolve(_ condition: QueryCondition, _ parameters: inout [PropertyValue]) throws
    -> QueryCondition
  {
    switch condition {
    case .and(let parts): return .and(try parts.map { try resolve($0, &parameters) })
    case .or(let parts): return .or(try parts.map { try resolve($0, &parameters) })
    case .ofKind(let kind, let condition, let otherwise):
      return .ofKind(
        kind, try resolve(condition, &parameters), otherwise: try resolve(otherwise, &parameters))
    case .related(let slot, let entity, let inner, let isNegated):
      return .related(
        slot: slot, entity: entity, try withChanges(inner, of: entity, &parameters),
        isNegated: isNegated)
    case .constant, .isNull, .holds, .isIn, .text: return condition
    }
  }

  /// The condition on related objects, with the keys of those that have changes.
  private func withChanges(
    _ condition: QueryCondition, of entity: Int, _ parameters: inout [PropertyValue]
  ) throws -> QueryCondition {
    let stored = try resolve(condition, &parameters)
    let changed = try changedObjects(of: entity)
    if changed.isEmpty { return stored }
    let evaluator = QueryEvaluator(condition, parameters: parameters)
    let matching = changed.filter {
      $0.flags.isDisjoint(with: [.deleted, .gone])
        && evaluator.matches(PendingSubject(object: $0))
    }
    func isOne(of objects: [ManagedObject], isNegated: Bool) -> QueryCondition {
      if objects.isEmpty { return .constant(isNegated) }
      let start = parameters.count
      parameters += objects.map { .integer($0.key) }
      return .isIn(
        .key, parameters: start..<parameters.count, isNegated: isNegated, resultForNull: isNegated)
    }
    return .or([
      isOne(of: matching, isNegated: false), .and([isOne(of: changed, isNegated: true), stored]),
    ])
  }

  /// The saved objects of an entity, and of its subentities, that have unsaved changes. No row refers to a new object.
  private func changedObjects(of entity: Int) throws -> [ManagedObject] {
    try state.readDeletions(of: entity)
    let pending = state.pendingObjects(
      state.container.entities[entity], withSubentities: true, nil)
    return (pending?.candidates ?? []).filter { $0.hasChanges && $0.key > 0 }
  }
}
