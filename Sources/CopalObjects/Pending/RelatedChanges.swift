import CopalEssentials
import CopalModel
import CopalStore

/// Makes unsaved changes of related objects count: a painter who is renamed in memory alters which
/// paintings match a condition on the name of their painter.
///
/// A store knows only saved values. So the changed objects are evaluated in memory, and their keys
/// take the place of their values: `artist.name == "Berthe"` becomes the condition that the artist
/// is one of the changed ones who are called Berthe now, or one of the others with that name. For a
/// condition on a to-many relationship, or on a value that is calculated from related objects, the
/// objects that it can be different for are evaluated: ``AffectedObjects``. The cost grows with the
/// number of changed related objects.
struct RelatedChanges {
  private let state: ContextState
  private let core: ContextCore

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    self.core = core
  }

  /// The query for the store. It is the same query if it has no condition on related objects, or if
  /// none of these has changes.
  func resolve(_ query: StoreQuery) throws -> StoreQuery {
    guard let condition = query.condition, condition.asksForRelated else { return query }
    var resolved = query
    resolved.condition = try resolve(condition, of: query.entity, &resolved.parameters)
    return resolved
  }

  private func resolve(
    _ condition: QueryCondition, of entity: Int, _ parameters: inout [PropertyValue]
  ) throws -> QueryCondition {
    switch condition {
    case .and(let parts): return .and(try parts.map { try resolve($0, of: entity, &parameters) })
    case .or(let parts): return .or(try parts.map { try resolve($0, of: entity, &parameters) })
    case .ofKind(let kind, let condition, let otherwise):
      return .ofKind(
        kind, try resolve(condition, of: kind.entity, &parameters),
        otherwise: try resolve(otherwise, of: entity, &parameters))
    case .related(let slot, let entity, let inner, let isNegated)
    where !inner.isAboutObject(beyond: 0):
      return .related(
        slot: slot, entity: entity, try withChanges(inner, of: entity, &parameters),
        isNegated: isNegated)
    case .constant: return condition
    case .related, .exists, .isNull, .holds, .isIn, .text:
      guard condition.asksForRelated else { return condition }
      let affected = AffectedObjects(state)
      let keys = try affected.keys(of: condition, entity)
      if keys.isEmpty { return condition }
      let objects = try NewObjects(state, core).objects(keys, of: state.container.entities[entity])
      return try withExtendedLifetime(objects) {
        try replace(
          condition, for: objects, keys: keys, stored: condition, entity: entity, &parameters)
      }
    }
  }

  /// The condition on related objects, with the keys of those that have changes.
  private func withChanges(
    _ condition: QueryCondition, of entity: Int, _ parameters: inout [PropertyValue]
  ) throws -> QueryCondition {
    let stored = try resolve(condition, of: entity, &parameters)
    let changed = try state.changedObjects(of: entity)
    if changed.isEmpty { return stored }
    return try replace(
      condition, for: changed, keys: changed.map(\.key), stored: stored, entity: entity, &parameters
    )
  }

  /// A condition in which the result for some objects takes the place of what the store would find.
  private func replace(
    _ condition: QueryCondition, for objects: [ManagedObject], keys: [Int64],
    stored: QueryCondition, entity: Int, _ parameters: inout [PropertyValue]
  ) throws -> QueryCondition {
    try Members(state, core).load(condition, of: objects, state.container.entities[entity])
    let evaluator = QueryEvaluator(condition, parameters: parameters)
    let matching = objects.filter {
      $0.flags.isDisjoint(with: [.deleted, .gone])
        && evaluator.matches(PendingSubject(object: $0))
    }
    func isOne(of keys: [Int64], isNegated: Bool) -> QueryCondition {
      if keys.isEmpty { return .constant(isNegated) }
      let start = parameters.count
      parameters += keys.map { .integer($0) }
      return .isIn(
        .key, parameters: start..<parameters.count, isNegated: isNegated, resultForNull: isNegated)
    }
    return .or([
      isOne(of: matching.map(\.key), isNegated: false),
      .and([isOne(of: keys, isNegated: true), stored]),
    ])
  }

  /// Reads the objects of relationships before a condition is evaluated for many objects: one
  /// statement for each relationship.
  struct Members {
    private let prefetch: Prefetch
    private let schema: StoreSchema
    private let state: ContextState

    init(_ state: ContextState, _ core: ContextCore) {
      prefetch = Prefetch(state, core)
      schema = state.container.schema
      self.state = state
    }

    func load(
      _ condition: QueryCondition, of objects: [ManagedObject], _ runtime: EntityRuntime
    ) throws {
      if objects.count < 2 { return }
      var paths: Set<String> = []
      condition.addPaths(schema, runtime.index, prefix: "", to: &paths)
      try state.askedFor {
        for path in paths.inOrder() {
          try prefetch.load(path, of: objects.filter { $0.key > 0 }, runtime)
        }
      }
    }
  }
}

extension ContextState {
  /// The saved objects of an entity, and of its subentities, that have unsaved changes. No row
  /// refers to a new object.
  func changedObjects(of entity: Int) throws -> [ManagedObject] {
    try pendingChanges(of: entity).filter { $0.key > 0 }
  }

  /// The objects of an entity, and of its subentities, that have unsaved changes: also new ones.
  func pendingChanges(of entity: Int) throws -> [ManagedObject] {
    try readDeletions(of: entity)
    let changed = changedObjects(container.entities[entity], withSubentities: true)
    return changed.filter(\.hasChanges)
  }
}

extension QueryCondition {
  /// The relationships that the condition asks for, as paths to prefetch.
  fileprivate func addPaths(
    _ schema: StoreSchema, _ entity: Int, prefix: String, to paths: inout Set<String>
  ) {
    switch self {
    case .constant: return
    case .isNull(let term, _), .isIn(let term, _, _, _):
      term.addPaths(schema, entity, prefix: prefix, to: &paths)
    case .holds(let a, _, let b, _), .text(let a, _, let b, _):
      a.addPaths(schema, entity, prefix: prefix, to: &paths)
      b.addPaths(schema, entity, prefix: prefix, to: &paths)
    case .related(let slot, let destination, let condition, _):
      let path = prefix + schema.entities[entity].attributes[slot].name
      paths.insert(path)
      condition.addPaths(schema, destination, prefix: path + ".", to: &paths)
    case .exists(let collection, _): collection.addPaths(schema, nil, prefix: prefix, to: &paths)
    // The objects that are not of the kind have no such relationships.
    case .ofKind: return
    case .and(let parts), .or(let parts):
      for part in parts { part.addPaths(schema, entity, prefix: prefix, to: &paths) }
    }
  }
}

extension QueryTerm {
  fileprivate func addPaths(
    _ schema: StoreSchema, _ entity: Int, prefix: String, to paths: inout Set<String>
  ) {
    if case .calculated(let calculation) = self {
      calculation.addPaths(schema, entity, prefix: prefix, to: &paths)
    }
  }
}

extension QueryCalculation {
  fileprivate func addPaths(
    _ schema: StoreSchema, _ entity: Int, prefix: String, to paths: inout Set<String>
  ) {
    switch operation {
    case .slot, .key, .parameter, .null, .group, .aggregated, .outer, .ofKind: return
    case .related(let slot, let destination, let inner):
      let path = prefix + schema.entities[entity].attributes[slot].name
      paths.insert(path)
      inner.addPaths(schema, destination, prefix: path + ".", to: &paths)
    case .call(_, let arguments):
      for argument in arguments { argument.addPaths(schema, entity, prefix: prefix, to: &paths) }
    case .aggregate(_, let collection, let value):
      collection.addPaths(schema, value, prefix: prefix, to: &paths)
    case .conditional(let condition, let first, let second):
      condition.addPaths(schema, entity, prefix: prefix, to: &paths)
      first.addPaths(schema, entity, prefix: prefix, to: &paths)
      second.addPaths(schema, entity, prefix: prefix, to: &paths)
    }
  }
}

extension QueryCollection {
  fileprivate func addPaths(
    _ schema: StoreSchema, _ value: QueryCalculation?, prefix: String, to paths: inout Set<String>
  ) {
    // The relationships of objects around a collection are read for these.
    guard level == 0 else { return }
    let path = prefix + schema.relationships[entity][relationship].relationship.name
    paths.insert(path)
    condition?.addPaths(schema, destination, prefix: path + ".", to: &paths)
    value?.addPaths(schema, destination, prefix: path + ".", to: &paths)
  }
}
