import CopalModel
import CopalStore
import Synchronization

/// Counts the batches of a container, so that each context notices those of others at its next
/// call. Only numbers pass from one context to another.
final class BatchCounts: Sendable {
  private let total = Atomic<Int>(0)
  private let log: Locked<Log>

  init(entityCount: Int) {
    log = Locked(Log(counts: [Int](repeating: 0, count: entityCount)))
  }

  /// The batches so far.
  private struct Log {
    /// The number of all batches, and of those that have changed objects of each entity.
    var total = 0
    var counts: [Int]
    /// The last batches, as long as they have few keys together.
    var last: [WrittenObjects] = []
    var keyCount = 0

    mutating func add(_ written: WrittenObjects) {
      total += 1
      for entity in written.entities { counts[entity] += 1 }
      last.append(written)
      keyCount += written.keyCount
      if keyCount <= WrittenObjects.limit, last.count <= WrittenObjects.limit { return }
      // Half of them at a time, so that each batch is moved a few times only.
      let dropped = max(1, last.count / 2)
      keyCount -= last[..<dropped].reduce(0) { $0 + $1.keyCount }
      last.removeFirst(dropped)
    }

    /// What the batches after some have written.
    func written(after seen: Seen) -> WrittenObjects {
      guard total - seen.total <= last.count else {
        return WrittenObjects(
          of: Set(counts.indices.filter { counts[$0] != seen.counts[$0] }), keys: nil)
      }
      return last.suffix(total - seen.total).reduce(into: WrittenObjects()) { $0.formUnion($1) }
    }
  }

  /// What a context has noticed.
  struct Seen {
    fileprivate(set) var total: Int
    fileprivate var counts: [Int]
  }

  func seen() -> Seen { log.withLock { Seen(total: $0.total, counts: $0.counts) } }

  /// Whether there were batches since a context has looked, when there were some in all.
  // With the whole of `Seen`, every look-up of an object would retain its array.
  @inline(__always)
  func hasNew(since seen: Int) -> Bool { total.load(ordering: .relaxed) != seen }

  /// What batches have written since a context has looked.
  func notice(_ seen: inout Seen) -> WrittenObjects {
    log.withLock { log in
      let written = log.written(after: seen)
      seen = Seen(total: log.total, counts: log.counts)
      return written
    }
  }

  /// Counts a batch of a context. It has noticed this one, if it has noticed all others.
  func add(_ written: WrittenObjects, _ seen: inout Seen) {
    log.withLock { log in
      let hasNoticed = seen.total == log.total
      log.add(written)
      total.store(log.total, ordering: .relaxed)
      if hasNoticed { seen = Seen(total: log.total, counts: log.counts) }
    }
  }
}

extension ContextState {
  /// Makes the objects faults that batches of other contexts may have changed. Public functions
  /// call it before they look at objects.
  @inline(__always)
  func noticeBatches() {
    if container.batches.hasNew(since: seenBatches.total) { noticeNewBatches() }
  }

  @inline(never)
  private func noticeNewBatches() {
    // In a read transaction, all reads see the state before the batch.
    if session.isInReadTransaction || isSaving { return }
    forgetStored(container.batches.notice(&seenBatches))
  }

  /// The values of written objects, and the members of the relationships of their entities, are
  /// read again. Objects with unsaved changes keep them until they have none: ``forgetOutdated()``.
  func forgetStored(_ written: WrittenObjects) {
    if written.isEmpty { return }
    storedChangeCount += 1
    _ = noteMutations()
    // The others are collected first, because `didTurnIntoFault()` may fetch.
    var others: ContiguousArray<ManagedObject> = []
    let hasMembers = !relationships.isEmpty
    func forget(_ object: ManagedObject) {
      if object.hasChanges { return outdated.note(object) }
      if hasMembers || !object.turnIntoFaultIfAlone() { others.append(object) }
    }
    if !written.unknown.isEmpty {
      let isForgotten = container.entities.indices.map { written.unknown.contains($0) }
      sweep { if isForgotten[$0.runtime.index] { forget($0) } }
    }
    for (root, keys) in written.keys {
      for key in keys { maps[root].object(key).map(forget) }
    }
    unloadMembers(of: written.entities)
    for object in others where !object.hasChanges && !object.flags.contains(.gone) {
      if object.flags.contains(.fault) { object.forgetFailures() } else { object.turnIntoFault() }
    }
  }

  /// The members of relationships from or to some entities are read again. Those of a new object
  /// are not in the store.
  private func unloadMembers(of entities: Set<Int>) {
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
  }

  /// Objects that had unsaved changes when a batch was noticed, and have none any more, become
  /// faults. Public functions call it after objects have lost their changes.
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

/// Objects with unsaved changes whose rows a batch may have changed. A save that writes such a row
/// is refused; but an object can also lose its changes in another way.
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
