import CopalStore

/// Counts the commits of all programs in the file, and those of this program in memory, so that the
/// difference tells of others. Only with ``SQLiteStore/Options/noticesOtherPrograms``.
final class CommitCounter: Sendable {
  /// What this program has done.
  struct Counts: Sendable, Equatable {
    /// The commits that were counted in the file, with those that are just being committed.
    var commits: Int64 = 0
    /// The other writes, and the commits that have failed.
    var others = 0
  }

  private let state = Locked(Counts())

  var counts: Counts { state.withLock { $0 } }

  /// Counts a commit, directly before it. The connection has the lock for writing.
  // In memory first: whoever reads the number of the file, and then this one, must not take a
  // commit of this program for one of another program.
  func count(_ connection: Connection) throws {
    state.withLock { $0.commits += 1 }
    do {
      let statement = try connection.statement(
        "INSERT INTO copal_metadata (name, value) VALUES ('commits', '1') ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
      )
      defer { statement.reset() }
      _ = try statement.step()
    } catch {
      takeBack()
      throw error
    }
  }

  /// A commit that was counted has failed.
  func takeBack() {
    state.withLock { counts in
      counts.commits -= 1
      counts.others += 1
    }
  }

  /// Something is written that is no commit of a context.
  func noteOtherWrite() { state.withLock { $0.others += 1 } }

  /// The number of commits in the file.
  static func number(_ connection: Connection) throws -> Int64 {
    try integer(
      "SELECT CAST(value AS INTEGER) FROM copal_metadata WHERE name = 'commits'", connection) ?? 0
  }

  /// The number that a query without parameters has in its first row.
  static func integer(_ sql: String, _ connection: Connection) throws -> Int64? {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }
}

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
