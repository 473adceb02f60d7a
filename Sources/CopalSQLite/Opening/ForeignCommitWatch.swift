import CopalStore

/// Looks for the commits of other programs in a SQLite file.
///
/// `PRAGMA data_version` changes with each commit of another connection, and costs no statement of
/// SQL. Only then the number of commits is read. A program that does not count its commits, such as
/// a tool, is noticed unless this program has written in the same interval.
final class ForeignCommitWatch: ForeignCommits {
  let interval: Duration
  private let counter: CommitCounter
  private let state: Locked<State>

  private struct State: Sendable {
    /// Weak, so that a store ends with its container.
    weak var store: SQLiteStore?
    /// Its own connection; nil before the first look.
    var connection: IdleConnection?
    var dataVersion: Int64?
    var number: Int64
    var counts = CommitCounter.Counts()
    /// The number of commits of other programs that were noticed.
    var noticed: Int64
  }

  /// - Parameter number: the number of commits when the store was opened.
  init(_ store: SQLiteStore, _ counter: CommitCounter, _ interval: Duration, number: Int64) {
    self.counter = counter
    self.interval = max(interval, .milliseconds(10))
    state = Locked(State(store: store, number: number, noticed: number))
  }

  func look() throws -> Bool {
    try state.withLock { state in
      guard let store = state.store else { return false }
      let own = try state.connection ?? IdleConnection(store.idleConnection())
      state.connection = own
      let connection = own.connection
      let hasFailed = counter.counts.others != state.counts.others
      if try Self.dataVersion(connection) == state.dataVersion, !hasFailed { return false }
      // Both of one moment.
      let (number, version) = try connection.inReadTransaction {
        (try CommitCounter.number(connection), try Self.dataVersion(connection))
      }
      let counts = counter.counts
      let isOther = number - counts.commits > state.noticed
      let isUncounted =
        state.dataVersion != nil && version != state.dataVersion && number == state.number
        && counts == state.counts
      state.noticed = max(state.noticed, number - counts.commits)
      (state.dataVersion, state.number, state.counts) = (version, number, counts)
      return isOther || isUncounted
    }
  }

  private static func dataVersion(_ connection: Connection) throws -> Int64? {
    try CommitCounter.integer("PRAGMA data_version", connection)
  }
}
