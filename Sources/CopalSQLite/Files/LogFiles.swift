import CopalEssentials

/// The write-ahead log of an open file, and the index of the log.
///
/// They stay the same files as long as a connection is open. SQLite does not notice when another
/// program deletes them: it writes to the deleted files, where no other program finds the data.
struct LogFiles: Sendable {
  private struct File {
    let path: String
    let number: UInt64
  }

  private let files: [File]

  /// The log of a file that has a connection.
  init(of path: String) {
    files = ["-wal", "-shm"].compactMap { suffix in
      Self.number(path + suffix).map { File(path: path + suffix, number: $0) }
    }
  }

  /// The path of one that was deleted, moved or replaced; nil when all are in place.
  var moved: String? { files.first { Self.number($0.path) != $0.number }?.path }

  /// The number (inode) of the file at a path; nil when there is none.
  static func number(_ path: String) -> UInt64? {
    // From `stat`: Foundation collects all attributes of a file, which takes a tenth of the time of
    // opening a store.
    var info = stat()
    return stat(path, &info) == 0 ? UInt64(info.st_ino) : nil
  }
}
