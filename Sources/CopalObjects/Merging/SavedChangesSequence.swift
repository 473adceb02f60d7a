import CopalStore

/// The commits of a container, as an asynchronous sequence of values:
/// ``PersistentContainer/saves``.
public struct SavedChangesSequence: AsyncSequence, Sendable {
  /// What one commit has changed.
  public typealias Element = SavedChanges
  /// It throws nothing.
  public typealias Failure = Never

  private let names: CommitNames
  private let log: CommitLog
  private let cursor: LogCursor

  init(_ container: ContainerRuntime) {
    names = container.names
    log = container.log
    cursor = LogCursor(log, log.addReader())
  }

  /// Reads the commits since the sequence was made. Each iterator reads all of them.
  public func makeAsyncIterator() -> Iterator {
    Iterator(names, log, cursor, LogCursor(log, log.addReader(at: cursor.number)))
  }

  /// Reads the commits one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let names: CommitNames
    private let log: CommitLog
    private var start: LogCursor?
    private let cursor: LogCursor
    private var taken: ArraySlice<SavedChanges> = []

    fileprivate init(
      _ names: CommitNames, _ log: CommitLog, _ start: LogCursor, _ cursor: LogCursor
    ) {
      (self.names, self.log, self.start, self.cursor) = (names, log, start, cursor)
    }

    /// Waits for the next commit. Nil when the task was canceled, and when the container and all
    /// its contexts have ended.
    public mutating func next() async -> SavedChanges? {
      start = nil
      while taken.isEmpty {
        guard await log.waitForCommits(cursor.number) else { return nil }
        let found = log.take(cursor.number, after: 0)
        if !found.isComplete {
          taken.append(SavedChanges(dropped: found.entities, names))
        }
        taken += found.commits.map { SavedChanges($0, names) }
      }
      return taken.popFirst()
    }
  }
}
