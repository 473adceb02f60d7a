import CopalEssentials
import CopalModel
import CopalStore

/// The numbers of members that the model limits, in batches.
extension ManagedObjectContext {
  /// Runs a batch, and checks the numbers of the members that it has changed as sets, in one
  /// transaction with it. The versions of these owners are raised, so that a context that adds
  /// members at the same time finds a conflict.
  func checkingLimits<R>(
    of owners: [BatchReferences.LimitedOwners], _ body: () throws -> R
  ) throws -> R {
    let owners = owners.filter { !$0.keys.isEmpty }
    if owners.isEmpty { return try body() }
    return try transaction {
      let result = try body()
      var failures = BatchFailures()
      for (entity, relationship, keys) in owners {
        try check(relationship, of: keys, entity, &failures)
      }
      try failures.throwIfAny()
      for (entity, _, keys) in owners { try raiseVersions(of: keys, entity) }
      return result
    }
  }

  private func check(
    _ relationship: RelationshipRuntime, of keys: Set<Int64>, _ entity: Int,
    _ failures: inout BatchFailures
  ) throws {
    guard let limits = relationship.countLimits else { return }
    let counter = MemberCounter()
    try state.session.opened().fetchRelated(
      RelatedQuery(
        entity: entity, relationship: relationship.ordinal, owners: keys.inOrder(),
        wantsKeysOnly: true),
      into: counter)
    let runtime = state.container.entities[entity]
    for key in keys.inOrder() {
      let count = counter.counts[key] ?? 0
      if limits.contains(count) { continue }
      let isTooFew = count < limits.lowerBound
      failures.add(
        PersistenceError(
          isTooFew ? .tooFewObjects : .tooManyObjects, entity: runtime.layout.name,
          property: relationship.description.name,
          objectID: ManagedObjectID(runtime.identity, key), found: "\(count)",
          expected: "\(isTooFew ? limits.lowerBound : limits.upperBound)"))
    }
  }

  private func raiseVersions(of keys: Set<Int64>, _ entity: Int) throws {
    let runtime = state.container.entities[entity]
    var failures = BatchFailures()
    for part in keys.inOrder().parts(of: FaultHandler.greatestCount) {
      _ = try run(
        .update(StoreQuery(entity: entity, keys: part), []), runtime,
        entities: Set(runtime.entities), failures: &failures
      ) { _, _, _, _ in nil }
    }
  }
}

/// Counts the members of owners.
private final class MemberCounter: RelatedReceiver {
  private(set) var counts: [Int64: Int] = [:]

  func beginRow(relatedTo owner: Int64, position: Int64?) { counts[owner, default: 0] += 1 }
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) {}
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) {}
}
