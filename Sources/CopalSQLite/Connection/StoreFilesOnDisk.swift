import CopalEssentials

/// A database file and the other files that SQLite keeps beside it, as the file system shows them.
///
/// They are never opened here: when a program closes a file, the system releases all locks that the
/// program has on it, also those of its SQLite connections
/// (<https://www.sqlite.org/howtocorrupt.html>).
struct StoreFilesOnDisk: Equatable {
  private struct File: Equatable {
    let number: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      var info = stat()
      guard stat(path, &info) == 0 else { return nil }
      number = UInt64(info.st_ino)
      size = Int64(info.st_size)
      #if canImport(Darwin)
        let changed = info.st_mtimespec
      #else
        let changed = info.st_mtim
      #endif
      seconds = changed.tv_sec
      nanoseconds = changed.tv_nsec
    }
  }

  private let path: String
  private let database: File?
  private let log: File?
  private let journal: File?
  private let hasIndexOfLog: Bool

  init(_ path: String) {
    self.path = path
    database = File(path)
    log = File(path + "-wal")
    journal = File(path + "-journal")
    // Only whether it exists: its time does not show changes.
    hasIndexOfLog = File(path + "-shm") != nil
  }

  /// Whether there is no database, or an empty file.
  var hasNoContent: Bool { (database?.size ?? 0) == 0 }

  var isUnchanged: Bool { self == Self(path) }

  /// How a connection reads the database without creating a file.
  var access: Connection.Access {
    // A connection that writes has a log or a journal.
    if log == nil && journal == nil { return .readingAlone }
    return log == nil || hasIndexOfLog ? .reading : .readingAloneWithLog
  }
}
