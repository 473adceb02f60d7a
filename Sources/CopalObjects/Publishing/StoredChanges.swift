import CopalEssentials
import CopalModel
import CopalStore

extension ContextState {
  /// Makes the objects faults that batches of other contexts may have changed. Public functions
  /// call it before they look at objects.
  @inline(__always)
  func noticeBatches() {
    if container.log.hasNewBatches(since: seenBatches) { noticeNewBatches() }
  }

  @inline(never)
  private func noticeNewBatches() {
    // In a read transaction, all reads see the state before the batch.
    if session.isInReadTransaction || isSaving { return }
    // A context that merges takes batches as it takes saves: not within a synchronous stretch.
    if merging.isAutomatic { return }
    forgetStored(container.log.noticeBatches(&seenBatches))
  }

  /// The values of written objects, and the members of the relationships of their entities, are
  /// read again.
  ///
  /// - Parameter note: is called for objects with unsaved changes. They keep them until they have
  ///   none: ``forgetOutdated()``.
  func forgetStored(_ written: WrittenObjects, note: ((ManagedObject) -> Void)? = nil) {
    if written.isEmpty { return }
    storedChangeCount += 1
    _ = noteMutations()
    // The others are collected first, because `didTurnIntoFault()` may fetch.
    var others: ContiguousArray<ManagedObject> = []
    let hasMembers = !relationships.isEmpty
    func forget(_ object: ManagedObject) {
      if object.hasChanges {
        return note.map { $0(object) } ?? outdated.note(object, .unknown)
      }
      if !object.flags.contains(.fault) { collect { $0.note(object, .invalidated) } }
      if hasMembers || !object.turnIntoFaultIfAlone() { others.append(object) }
    }
    if events != nil {
      collect { $0.noteStored(written.entities) }
      if !written.unknown.isEmpty { collect { $0.noteAll() } }
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
  func unloadMembers(of entities: Set<Int>) {
    noteObservedMembers(of: entities)
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

  /// Checks that nothing stands in the way of a write to objects of some entities without a save.
  ///
  /// - Parameter entity: the name of the entity for the error; nil for a statement of the program.
  func prepareForBatch(of entities: Set<Int>, entity: String?) throws {
    try session.cancellation?.check()
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
    var names = found.intersection(entities).map { container.entities[$0].layout.name }.inOrder()
    if entities.count == container.entities.count, !metadata.isEmpty { names.append("metadata") }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
