import CopalEssentials
import CopalModel
import CopalStore

/// A fetch of values in a context with unsaved changes.
///
/// Without changes, the store groups and sorts. Otherwise it returns the values of the objects
/// without changes, those of the others are read in memory, and all are grouped and sorted there.
struct ValueFetch {
  private let state: ContextState
  private let core: ContextCore
  private let runtime: EntityRuntime
  private let query: ValueQuery

  init(_ state: ContextState, _ core: ContextCore, _ runtime: EntityRuntime, query: ValueQuery) {
    self.state = state
    self.core = core
    self.runtime = runtime
    self.query = query
  }

  func rows() throws -> [[PropertyValue]] {
    try state.session.beginReadTransaction()
    defer { state.session.endReadTransaction() }
    let session = try state.session(reading: runtime.index)
    var stored = query
    stored.objects = try RelatedChanges(state, core).resolve(query.objects)
    let changed = try changedObjects()
    let affected = try affectedKeys()
    if changed.isEmpty, affected.isEmpty { return try session.fetchValues(stored) }
    let keys = Set(changed.lazy.map(\.key).filter { $0 > 0 }).union(affected)
    let unchanged = try storedRows(stored.objects, without: keys)
    let others = try rows(of: changed, affected)
    let all = (unchanged + others).inOrder {
      PendingMerge.insertionOrder($0.key) < PendingMerge.insertionOrder($1.key)
    }
    return ValueEvaluator(query).result(all)
  }

  /// The objects of the entity with unsaved changes.
  private func changedObjects() throws -> [ManagedObject] {
    let includesSubentities = query.objects.includesSubentities
    return try state.pendingChanges(of: runtime.index).filter {
      includesSubentities || $0.runtime === runtime
    }
  }

  /// The saved objects whose values depend on related objects with unsaved changes.
  private func affectedKeys() throws -> [Int64] {
    let values = query.keys + query.aggregates.compactMap(\.value)
    let related = values.filter(\.asksForRelated).map {
      QueryCondition.isNull(.calculated($0), isNegated: false)
    }
    return related.isEmpty
      ? [] : try AffectedObjects(state).keys(of: .and(related), runtime.index)
  }

  /// The values of the objects that have no changes.
  private func storedRows(_ objects: StoreQuery, without keys: Set<Int64>) throws
    -> [ValueEvaluator.Row]
  {
    var raw = ValueQuery(objects: objects, keys: query.keys, columns: [])
    // The number of objects needs no value; each of the other aggregates needs one.
    raw.keys += query.aggregates.map { $0.value ?? QueryCalculation(.integer, .key) }
    raw.keys.append(QueryCalculation(.integer, .key))
    raw.columns = raw.keys.indices.map { QueryCalculation(raw.keys[$0].type, .group($0)) }
    // The others are left out here: a statement has no room for the keys of very many changed
    // objects.
    return try state.session.opened().fetchValues(raw).compactMap { row in
      guard case .integer(let key)? = row.last, !keys.contains(key) else { return nil }
      return ValueEvaluator.Row(key: key, values: row.dropLast())
    }
  }

  /// The values of objects in memory that meet the condition.
  private func rows(of changed: [ManagedObject], _ affected: [Int64]) throws
    -> [ValueEvaluator.Row]
  {
    let changedKeys = Set(changed.map(\.key))
    let others = try NewObjects(state, core).objects(
      affected.filter { !changedKeys.contains($0) }, of: runtime)
    let objects = changed.filter { !$0.flags.contains(.deleted) } + others
    if let condition = query.objects.condition {
      try RelatedChanges.Members(state, core).load(condition, of: objects, runtime)
    }
    let existing = try state.session.opened().existing(
      objects.map(\.key).filter { $0 > 0 }, of: runtime.index, count: FaultHandler.greatestCount)
    let (condition, values) = (QueryEvaluator(query.objects), ValueEvaluator(query))
    return withExtendedLifetime(others) {
      objects.compactMap { object in
        guard object.key < 0 || existing.contains(object.key),
          query.objects.includesSubentities || object.runtime === runtime,
          condition.matches(PendingSubject(object: object))
        else { return nil }
        return values.row(of: PendingSubject(object: object))
      }
    }
  }
}
