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
