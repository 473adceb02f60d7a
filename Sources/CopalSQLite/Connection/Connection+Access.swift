import CCopalSQLite
import CopalEssentials

extension Connection {
  /// How a connection uses its file.
  ///
  /// SQLite creates a log and its index beside a store even for a connection that only reads, when
  /// they do not exist (<https://www.sqlite.org/wal.html#read_only_databases>). So there are three
  /// ways to read.
  enum Access {
    /// Reads and writes the file, and creates it when it is missing.
    case creating
    /// Reads and writes the file.
    case writing
    /// Reads the file and its existing log, with locks for reading, while other connections may
    /// write.
    ///
    /// Not with `readonly_shm=1`: SQLite shares the index of a log among the connections of a
    /// process. A store that the program opens at the same time could not write.
    case reading
    /// Reads a file without a log, and without locks.
    case readingAlone
    /// Reads a file with a log whose index is missing, for example a copy: no other connection has
    /// it open. The connection keeps an index in memory, and has no locks.
    case readingAloneWithLog

    var isForReading: Bool { self != .creating && self != .writing }

    /// Whether other connections wait for this one, so that it sees one state of the file.
    var hasLocks: Bool { self != .readingAlone && self != .readingAloneWithLog }

    var flags: Int32 {
      switch self {
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .writing: SQLITE_OPEN_READWRITE
      case .reading: SQLITE_OPEN_READONLY
      case .readingAlone, .readingAloneWithLog: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    }

    /// The path for SQLite. The parameters are SQLite's: <https://www.sqlite.org/uri.html>.
    func filename(_ path: String) -> String {
      switch self {
      case .creating, .writing, .reading: path
      case .readingAlone: uri(path) + "?immutable=1"
      case .readingAloneWithLog: uri(path) + "?vfs=unix-none"
      }
    }

    private func uri(_ path: String) -> String {
      // Every byte in its hexadecimal form, so that none has a meaning in the URI.
      "file:///"
        + path.utf8.dropFirst().map { byte in
          byte == UInt8(ascii: "/") ? "/" : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
  }
}
