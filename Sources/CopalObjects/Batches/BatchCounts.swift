import CopalModel
import CopalStore
import Synchronization

/// Counts the batches of a container, so that each context notices those of others at its next call. Only numbers pass from
/// one context to another.
final class BatchCounts: Sendable {
  private let total = Atomic<Int>(0)
  /// The number of batches that have changed objects of each entity.
  private let counts: Locked<[Int]>

  init(entityCount: Int) { counts = Locked([Int](repeating: 0, count: entityCount)) }

  /// What a context has noticed.
  struct Seen {
    fileprivate(set) var total: Int
    fileprivate var counts: [Int]
  }

  func seen() -> Seen {
    counts.withLock { Seen(total: total.load(ordering: .relaxed), counts: $0) }
  }

  /// Whether there were batches since a context has looked, when there were some in all.
  // With the whole of `Seen`, every look-up of an object would retain its array.
  @inline(__always)
  func hasNew(since seen: Int) -> Bool { total.load(ordering: .relaxed) != seen }

  /// The entities of whose objects batches have changed some since a context has looked.
  func notice(_ seen: inout Seen) -> Set<Int> {
    let now = self.seen()
    defer { seen = now }
    return Set(now.counts.indices.filter { now.counts[$0] != seen.counts[$0] })
  }

  /// Counts a batch of a context, which has noticed it.
  func add(_ entities: Set<Int>, _ seen: inout Seen) {
    counts.withLock { counts in
      for entity in entities { counts[entity] += 1 }
      total.add(1, ordering: .relaxed)
    }
    for entity in entities { seen.counts[entity] += 1 }
    seen.total += 1
  }
}

extension ContextState {
  /// Makes the objects faults that batches of other contexts may have changed. Public functions call it before they look at objects.
  @inline(__always)
  func noticeBatches() {
    if container.batches.hasNew(since: seenBatches.total) { noticeNewBatches() }
  }

  @inline(never)
  private func noticeNewBatches() {
    // In a read transaction, all reads see the state before the batch.
    if readTransactionDepth > 0 || isSaving { return }
    let entities = container.batches.notice(&seenBatches)
    forgetStored(entities)
  }

  /// The values of the objects of some entities, and the members of their relationships, are read again. Objects with unsaved
  /// changes keep them until they have none: ``forgetOutdated()``.
  func forgetStored(_ entities: Set<Int>) {
    if entities.isEmpty { return }
    storedChangeCount += 1
    _ = noteMutations()
    let isForgotten = container.entities.indices.map { entities.contains($0) }
    // The others are collected first, because `didTurnIntoFault()` may fetch.
    var others: ContiguousArray<ManagedObject> = []
    let hasMembers = !relationships.isEmpty
    sweep { object in
      guard isForgotten[object.runtime.index] else { return }
      if object.hasChanges { return outdated.note(object) }
      if hasMembers || !object.turnIntoFaultIfAlone() { others.append(object) }
    }
    // The members of a new object are not in the store.
    for place in relationships.places where place.key > 0 {
      let runtime = container.entities[place.entity]
      let destination = container.entities[runtime.relationships[place.ordinal].destination]
      if entities.isDisjoint(with: runtime.entities),
        entities.isDisjoint(with: destination.entities)
      {
        continue
      }
      relationships.changeKnown(place) { $0.unload() }
    }
    for object in others where !object.hasChanges && !object.flags.contains(.gone) {
      if object.flags.contains(.fault) { object.forgetFailures() } else { object.turnIntoFault() }
    }
  }

  /// Objects that had unsaved changes when a batch was noticed, and have none any more, become faults. Public functions call it
  /// after objects have lost their changes.
  func forgetOutdated() {
    if outdated.isEmpty { return }
    for object in outdated.removeUnchanged() where !object.hasChanges { object.turnIntoFault() }
  }

  /// Checks that nothing stands in the way of a write to objects of some entities without a save.
  ///
  /// - Parameter entity: the name of the entity for the error; nil for a statement of the program.
  func prepareForBatch(of entities: Set<Int>, entity: String?) throws {
    noticeBatches()
    if isSaving { throw PersistenceError(.batchPendingChanges, entity: entity) }
    if let names = changedNames(of: entities) {
      throw PersistenceError(.batchPendingChanges, entity: entity, found: names)
    }
  }

  /// The names of the entities, of some, of which the context has unsaved changes; nil for none.
  func changedNames(of entities: Set<Int>) -> String? {
    _ = noteMutations()
    var found: Set<Int> = []
    for object in changed.objects where object.hasChanges { found.insert(object.runtime.index) }
    found.formUnion(unreadDeletions.rows.keys)
    for place in relationships.linked {
      let runtime = container.entities[place.entity]
      found.formUnion(runtime.entities)
      found.formUnion(
        container.entities[runtime.relationships[place.ordinal].destination].entities)
    }
    let names = found.intersection(entities).map { container.entities[$0].layout.name }.sorted()
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}

/// Objects with unsaved changes whose rows a batch may have changed. A save that writes such a row is refused; but an object can
/// also lose its changes in another way.
struct OutdatedObjects {
  private var rows: [ObjectIdentifier: (object: ManagedObject, row: PackedRow)] = [:]

  var isEmpty: Bool { rows.isEmpty }

  mutating func note(_ object: ManagedObject) {
    if let row = object.row { rows[ObjectIdentifier(object)] = (object, row) }
  }

  /// Removes the objects that have no changes.
  ///
  /// - Returns: those of them that still have the former row.
  mutating func removeUnchanged() -> [ManagedObject] {
    let ended = rows.filter { !$0.value.object.hasChanges }
    for object in ended.keys { rows[object] = nil }
    return ended.values.filter { $0.object.row === $0.row && !$0.object.flags.contains(.gone) }
      .map(\.object).sorted { $0.key < $1.key }
  }

  mutating func removeAll() { self = OutdatedObjects() }
}
