import Synchronization

/// What has turns, which end between the jobs of the main actor: a context.
protocol TurnTaker: AnyObject {
  /// A job of the main actor has ended.
  func takeTurn()
}

/// The contexts of the main actor. What others save is merged between its jobs.
@MainActor
final class MainContexts {
  private struct Reference {
    weak var context: (any TurnTaker)?
  }

  private var references: [Reference] = []
  private nonisolated let isScheduled = Atomic<Bool>(false)

  nonisolated init() {}

  func add(_ context: any TurnTaker) {
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
    for reference in references { reference.context?.takeTurn() }
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
