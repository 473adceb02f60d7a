import CopalEssentials
import CopalModel
import CopalStore

extension Connection {
  /// Turns the write-ahead log on, and waits for the locks of other connections up to the busy
  /// timeout.
  ///
  /// SQLite does not wait in this statement: it has read the file when it needs the exclusive lock,
  /// and a connection that waits with a lock for reading could wait for another one that waits for
  /// it (<https://www.sqlite.org/c3ref/busy_handler.html>). A failed statement has no lock any
  /// more.
  ///
  /// - Returns: false when the file system does not support the log.
  /// - Throws: `store.busy`.
  func turnLogOn() throws -> Bool {
    let end = ContinuousClock.now + .milliseconds(busyTimeout)
    var microseconds: UInt32 = 1000
    return try withoutWaiting {
      while true {
        do {
          return try text("PRAGMA journal_mode=WAL") == "wal"
        } catch let error as PersistenceError
          where error.code == .busy && ContinuousClock.now < end
        {
          // Random, so that two programs do not stop each other at the same moments again.
          usleep(.random(in: microseconds / 2...microseconds))
          microseconds = min(2 * microseconds, 50_000)
        }
      }
    }
  }
}
