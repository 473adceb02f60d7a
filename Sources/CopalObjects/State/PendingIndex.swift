import CopalStore

/// The changed objects of a context by entity, for fetches. A fetch adds what has changed since the
/// last one.
struct PendingIndex {
  private var entities: [PendingObjects] = []
  /// The number of objects of the context's list that have been added.
  private var count = 0

  /// Adds the changed objects that are new since the last call.
  mutating func add(_ changed: ContiguousArray<ManagedObject>, entityCount: Int) {
    if entities.isEmpty {
      entities = [PendingObjects](repeating: PendingObjects(), count: entityCount)
    }
    for object in changed[count...] { entities[object.runtime.index].add(object) }
    count = changed.count
  }

  /// Notes a write to an object of an index.
  mutating func noteWrite(_ object: ManagedObject) {
    if object.runtime.index < entities.count { entities[object.runtime.index].noteWrite(object) }
  }

  /// Whether a look-up shows that the result of a query has none of the changed objects, and that
  /// the store has no row of them.
  mutating func hasOnlyOthers(_ runtime: EntityRuntime, _ query: StoreQuery) -> Bool {
    if runtime.hasSubentities && query.includesSubentities { return false }
    return entities[runtime.index].areNewAndNoneMatches(query)
  }

  /// The changed objects of an entity that concern a query.
  ///
  /// - Parameter read: the slots that the query reads; nil when all changes concern it.
  /// - Returns: nil when no object of the entity has changes.
  mutating func candidates(
    of runtime: EntityRuntime, for query: StoreQuery, reading read: ReadSlots?
  ) -> PendingCandidates? {
    // Usually one entity, for which no list is made.
    guard runtime.hasSubentities, query.includesSubentities else {
      let entity = runtime.index
      if entities[entity].objects.isEmpty { return nil }
      return entities[entity].candidates(for: query, reading: read, entity: entity)
    }
    let changed = runtime.entities.filter { !entities[$0].objects.isEmpty }
    if changed.isEmpty { return nil }
    var all = PendingCandidates()
    for entity in changed {
      let found = entities[entity].candidates(for: query, reading: read, entity: entity)
      all.objects += found.objects
      all.savedCount += found.savedCount
    }
    return all
  }

  /// All changed objects of some entities, or those whose changes concern a query that reads some
  /// slots.
  mutating func all(of wanted: [Int], reading read: ReadSlots?) -> ContiguousArray<ManagedObject> {
    var all: ContiguousArray<ManagedObject> = []
    for entity in wanted { all += entities[entity].all(reading: read) }
    return all
  }
}
