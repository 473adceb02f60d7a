import CopalModel
import CopalStore
import Synchronization

extension ContextState {
  /// Whether the context has noticed the batch of a commit already, because it does not merge by
  /// itself.
  func hasNoticed(_ commit: Commit) -> Bool {
    !merging.isAutomatic && commit.isBatch && commit.batch <= seenBatches
  }

  /// Whether something is in the way of a merge: what was read must stay as it is.
  var mustNotMerge: Bool {
    merging.isMerging || isSaving || isPreparingDeletion || session.isInTransaction
  }

  /// The context keeps its place in the log from now on.
  func beginMerging() {
    if let cursor = merging.cursor {
      return container.log.setTurns(cursor.number, hasTurns)
    }
    let (position, entities) = container.log.addCursor(
      number, hasTurns: hasTurns, since: merging.position)
    merging.cursor = LogCursor(container.log, number)
    merging.position = position
    // What a background fetch is reading may be older.
    storedChangeCount += 1
    // A context that has read nothing yet has nothing to read again.
    if registeredCount > 0 || !relationships.isEmpty || session.isInReadTransaction {
      merging.earlier.formUnion(entities)
    }
    // Batches among them are merged with the others.
    if merging.isAutomatic { _ = container.log.noticeBatches(&seenBatches) }
    if hasTurns, !merging.earlier.isEmpty { container.mainContexts.beginTurn() }
  }

  var hasTurns: Bool { merging.isAutomatic && merging.isOfMainActor }

  /// Merges what was published, if the context merges by itself and nothing is in the way.
  func mergeIfDue() {
    guard merging.isAutomatic,
      merging.position != container.log.position || !merging.earlier.isEmpty
        || !merging.waiting.isEmpty
    else { return }
    if mustNotMerge { return }
    _ = merge()
  }

  /// Gives a signal whenever there is something to merge, and when the context ends, until the
  /// returned object is released.
  func beginSignals(_ signal: Signal) -> MergeSignals {
    beginMerging()
    return MergeSignals(signal, container.log, number)
  }

  /// Whether an object that has kept its row is not in conflict any more.
  private var hasResolved: Bool {
    if outdated.isEmpty { return false }
    _ = noteMutations()
    return outdated.newerRows.contains { object, row in
      !object.flags.contains(.deleted) && !object.changesDiffer(from: row, mergePolicy)
    }
  }

  /// Merges what was published.
  func merge() -> (MergedObjects, [Commit], [SavedChanges]) {
    beginMerging()
    guard let cursor = merging.cursor else { return (MergedObjects(), [], []) }
    merging.isMerging = true
    defer { merging.isMerging = false }
    let taken = container.log.take(cursor.number, after: merging.position)
    let entities = taken.entities.union(merging.earlier)
    let waiting = merging.waiting
    (merging.position, merging.earlier, merging.waiting) = (taken.position, [], [])
    var merge = ContextMerge(self)
    if !taken.isBehind { merging.ahead = [] }
    if !taken.commits.isEmpty || !entities.isEmpty || hasResolved {
      merge.merge(taken.commits, entities)
    }
    if merging.isAutomatic || !taken.isBehind { seenBatches = taken.seen }
    for changes in waiting {
      do {
        try merge.merge(changes)
      } catch {
        merging.waiting.append(changes)
        container.report(
          PersistenceError.ofStore(error), self)
      }
    }
    if events != nil { collect { $0.note(merge.result, Array(taken.commits), waiting) } }
    merge.result.lists = []
    return (merge.result, Array(taken.commits), waiting)
  }
}

extension ManagedObjectContext: TurnTaker {
  func takeTurn() {
    state.mergeIfDue()
    state.endTurn()
  }
}
