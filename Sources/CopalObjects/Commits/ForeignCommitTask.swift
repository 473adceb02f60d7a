import CopalStore
import Synchronization

/// Looks for the commits of other programs while a log has cursors, and publishes them as a change
/// of all entities.
final class ForeignCommitTask: Sendable {
  private let commits: any ForeignCommits
  private let entities: Set<Int>
  private let executor: ContextExecutor
  private let isRunning = Atomic<Bool>(false)

  init(_ commits: any ForeignCommits, entities: Set<Int>, _ executor: ContextExecutor) {
    (self.commits, self.entities, self.executor) = (commits, entities, executor)
  }

  /// Begins to look, unless it does already.
  func begin(_ log: CommitLog) {
    if isRunning.exchange(true, ordering: .acquiringAndReleasing) { return }
    Task.detached { [weak log] in
      while let log, log.needsCommits {
        await self.look(log)
        try? await Task.sleep(for: self.commits.interval)
      }
      self.isRunning.store(false, ordering: .releasing)
      // A cursor may have begun since the last question.
      if let log, log.needsCommits { self.begin(log) }
    }
  }

  private func look(_ log: CommitLog) async {
    let commits = commits
    // What prevents a look, prevents the reads of contexts, too: they report it.
    guard let hasFound = try? await executor.run({ try commits.look() }), hasFound else { return }
    var seen = 0
    _ = log.publish(Commit(foreign: entities), at: nil, nil, &seen)
  }
}
