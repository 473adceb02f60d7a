import CopalModel
import CopalStore
import Synchronization

/// How a context merges what others save.
struct Merging {
  /// The last published commit that the context has merged, or that was published when it was made.
  var position: Int
  /// Whether the context merges by itself.
  var isAutomatic = false
  /// Whether the container ends turns of the context, between the jobs of the main actor.
  let isOfMainActor: Bool
  /// The place of the context in the log; nil while it does not merge.
  var cursor: LogCursor?
  /// The entities of commits that were published before the cursor began.
  var earlier: Set<Int> = []
  /// Changes that came another way while the context could not merge.
  var waiting: [SavedChanges] = []
  /// Lists that were read while something may have been committed that was not published. They may
  /// be newer than what is merged next.
  var ahead: Set<RelationshipPlace> = []
  var isMerging = false
}

/// Ends a cursor of a log when nobody needs it any more. Its `deinit` may run on any thread.
final class LogCursor: Sendable {
  let log: CommitLog
  let number: UInt64

  init(_ log: CommitLog, _ number: UInt64) {
    self.log = log
    self.number = number
  }

  deinit { log.removeCursor(number) }
}

extension ContextState {
  // MARK: Publishing

  /// Runs a commit outside of a transaction, and publishes it.
  ///
  /// - Parameters:
  ///   - entities: what it may have written, if it throws: a failed commit is no proof.
  ///   - body: commits.
  ///   - published: what was committed, and its place. Nil publishes nothing.
  func committing<R>(
    _ entities: @autoclosure () -> Set<Int>, _ body: () throws -> R,
    published: (R) -> (contents: CommitContents, place: CommitPlace?)?
  ) throws -> R {
    if !session.transactions.isEmpty { return try body() }
    return try committingAlways(entities(), body, published: published)
  }

  /// The same for the end of a transaction.
  @discardableResult
  func committingAlways<R>(
    _ entities: @autoclosure () -> Set<Int>, _ body: () throws -> R,
    published: (R) -> (contents: CommitContents, place: CommitPlace?)?
  ) throws -> R {
    let log = container.log
    let ticket = log.begin()
    defer { session.noteWrite() }
    do {
      let result = try body()
      let written = published(result)
      if let written {
        publish(written.contents, at: written.place, ticket)
      } else {
        log.end(ticket)
      }
      return result
    } catch {
      log.end(ticket)
      if !isCertainlyUnwritten(error) {
        let commit = Commit(uncertain: entities(), by: self)
        _ = log.publish(commit, at: nil, nil, &seenBatches)
      }
      throw error
    }
  }

  private func publish(
    _ contents: CommitContents, at place: CommitPlace?, _ ticket: CommitTicket?
  ) {
    let log = container.log
    if let ticket = place?.ticket ?? ticket,
      log.publishUnkept(contents, container.schema, at: ticket, &seenBatches)
    {
      return
    }
    let commit = Commit(contents, by: self)
    if commit.entities.isEmpty { return log.end(ticket, at: place) }
    if let position = log.publish(commit, at: place, ticket, &seenBatches) {
      merging.position = position
    }
  }

  /// Whether an error means that the commit was not tried.
  private func isCertainlyUnwritten(_ error: any Error) -> Bool {
    guard let error = error as? PersistenceError else { return true }
    return [.busy, .noBatches, .noTransactions, .noSQL].contains(error.code)
  }

  /// Whether the context has noticed the batch of a commit already, because it does not merge by
  /// itself.
  func hasNoticed(_ commit: Commit) -> Bool {
    !merging.isAutomatic && commit.isBatch && commit.batch <= seenBatches
  }

  // MARK: Merging

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

/// The contexts of the main actor. What others save is merged between its jobs.
@MainActor
final class MainContexts {
  private struct Reference {
    weak var context: ManagedObjectContext?
  }

  private var references: [Reference] = []
  private nonisolated let isScheduled = Atomic<Bool>(false)

  nonisolated init() {}

  func add(_ context: ManagedObjectContext) {
    references.removeAll { $0.context == nil }
    references.append(Reference(context: context))
  }

  /// Ends the turn of the contexts after the current job of the main actor. Several calls before
  /// that are one.
  nonisolated func beginTurn() {
    if isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
    Task { @MainActor [weak self] in self?.endTurn() }
  }

  /// Merges what others have saved.
  func endTurn() {
    isScheduled.store(false, ordering: .releasing)
    for reference in references {
      guard let state = reference.context?.state else { continue }
      state.mergeIfDue()
      state.endTurn()
    }
  }
}

extension ContainerRuntime {
  /// Ends the turn of the main actor's contexts, if that is the isolation of the caller. Everything
  /// that was committed before is merged then.
  func endTurn(of isolation: isolated (any Actor)?) async {
    guard let isolation, isolation === MainActor.shared else { return }
    await log.publishAll()
    await mainContexts.endTurn()
  }
}
