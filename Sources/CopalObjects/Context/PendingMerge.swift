import CopalModel
import CopalStore

/// A fetch in a context with unsaved changes: what the store finds, and what the changes make of it.
///
/// The store is asked for as many objects more as there are changed ones, since each of them may fall
/// out of the result or move in it; the merged result is then ordered and cut in memory.
struct PendingMerge {
  private let state: ContextState
  private let runtime: EntityRuntime
  private let query: StoreQuery

  init(_ state: ContextState, _ runtime: EntityRuntime, _ query: StoreQuery) {
    self.state = state
    self.runtime = runtime
    self.query = query
  }

  func objects(of context: ManagedObjectContext) throws -> [ManagedObject] {
    let pending = state.changed.objects.filter { $0.runtime === runtime && $0.hasChanges }
    var wide = query
    wide.offset = 0
    wide.limit = query.limit.flatMap { limit in
      // A sum that is no number any more is no limit any more.
      let (end, isHuge) = limit.addingReportingOverflow(query.offset)
      let (sum, isHuger) = end.addingReportingOverflow(pending.count)
      return isHuge || isHuger ? nil : sum
    }
    // Not all that have changes: `awakeFromFetch()` may have changed what has just been found.
    let judged = Set(pending)
    let stored = try context.storedObjects(wide, runtime).filter { !judged.contains($0) }
    let matching = pending.filter { $0.flags.isDisjoint(with: [.deleted, .gone]) && matches($0) }
    let merged = order(stored + matching)
    let rest = merged.dropFirst(query.offset)
    return Array(query.limit.map { rest.prefix($0) } ?? rest)
  }

  private func matches(_ object: ManagedObject) -> Bool {
    query.predicate?.isTrue { value(object, $0) } ?? true
  }

  /// The value a query sees; a transformable only tells whether it has one.
  private func value(_ object: ManagedObject, _ slot: Int) -> Value {
    guard runtime.layout.attributes[slot].type == .transformable else {
      return object.carefulValue(slot)
    }
    return object.decodedValue(slot) == nil ? .null : .boolean(true)
  }

  private func order(_ objects: [ManagedObject]) -> [ManagedObject] {
    let keyed = objects.map { object in
      (object: object, values: query.sortKeys.map { value(object, $0.slot) })
    }
    let sorted = keyed.sorted { a, b in
      for (index, key) in query.sortKeys.enumerated() {
        if ValueOrder.sortsBefore(a.values[index], b.values[index]) { return key.isAscending }
        if ValueOrder.sortsBefore(b.values[index], a.values[index]) { return !key.isAscending }
      }
      return insertionOrder(a.object) < insertionOrder(b.object)
    }
    return sorted.map(\.object)
  }

  /// Saved objects by key, then new ones in the order in which they were made.
  private func insertionOrder(_ object: ManagedObject) -> (Int, Int64) {
    object.key > 0 ? (0, object.key) : (1, -object.key)
  }
}
