import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// A result code of SQLite with its message, and its translation into an error of Copal.
///
/// The codes: <https://www.sqlite.org/rescode.html>.
struct SQLiteFailure {
  let code: Int32
  private let message: String
  private let handle: OpaquePointer?

  init(_ code: Int32, _ handle: OpaquePointer?) {
    self.code = code
    self.handle = handle
    message =
      handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
      ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// The error of an operation on an open database.
  func error(_ path: String) -> PersistenceError {
    var error = PersistenceError(.backend, path: path, found: message, backendCode: Int(code))
    switch code & 0xff {
    case SQLITE_FULL: error.code = .diskFull
    case SQLITE_BUSY, SQLITE_LOCKED: error.code = .busy
    case SQLITE_CORRUPT:
      error.code = couldNotRead ? .inputOutput : isOfSearch ? .searchNeedsRebuild : .corrupt
    case SQLITE_ERROR where isOfSearch: error.code = .searchNeedsRebuild
    case SQLITE_NOTADB: error.code = .notADatabase
    case SQLITE_IOERR:
      switch code {
      case copal_sqlite_ioerr_nomem: error.code = .backend
      // The index of the log could not grow.
      case copal_sqlite_ioerr_shmsize:
        error.code = systemError == EIO ? .inputOutput : .diskFull
      default:
        error.code = hasNoDescriptor ? .tooManyFiles : hasNoRoom ? .diskFull : .inputOutput
      }
    case SQLITE_READONLY:
      error.code = code == copal_sqlite_readonly_dbmoved ? .fileReplaced : .notWritable
    case SQLITE_CANTOPEN: error.code = hasNoDescriptor ? .tooManyFiles : .cannotOpen
    case SQLITE_PERM, SQLITE_AUTH: error.code = .cannotOpen
    case SQLITE_TOOBIG: error.code = .tooBig
    case SQLITE_INTERRUPT: error.code = .interrupted
    default: break
    }
    return error
  }

  /// Whether a table of trigrams is damaged or missing, or that with the keys of deleted rows.
  private var isOfSearch: Bool {
    if code == copal_sqlite_corrupt_vtab { return true }
    let names = [CopalNaming.trigramsPrefix, CopalNaming().gone]
    let isNamed = [
      "no such table: ", "no such table: main.", "vtable constructor failed: ",
    ].contains { words in names.contains { message.hasPrefix(words + $0) } }
    // FTS5 says no more when it cannot find one of its own tables.
    return isNamed || message == "SQL logic error" && hasTrigrams
  }

  private var hasTrigrams: Bool {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let sql =
      "SELECT 1 FROM sqlite_schema WHERE substr(name, 1, \(CopalNaming.trigramsPrefix.utf8.count)) = '\(CopalNaming.trigramsPrefix)'"
    return sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK
      && sqlite3_step(statement) == SQLITE_ROW
  }

  /// Whether a read of the disk failed. SQLite then reports a damaged file, although the file
  /// itself may be intact.
  private var couldNotRead: Bool { hasSystemError([EIO, ENXIO, ERANGE]) }

  /// Whether a limit of the process or a quota stopped the file from growing. SQLite reports it as
  /// a failed write like any other.
  private var hasNoRoom: Bool {
    let errors = [EFBIG, EDQUOT, ENOSPC]
    // SQLite also writes temporary files, for example when it sorts the rows for a new index.
    return hasSystemError(errors) || systemError.map(errors.contains) == true
  }

  /// Whether the process or the system has as many files open as it may.
  private var hasNoDescriptor: Bool { systemError.map([EMFILE, ENFILE].contains) == true }

  /// The error of the last call of the system that SQLite has noted.
  private var systemError: Int32? { handle.map { sqlite3_system_errno($0) } }

  private func hasSystemError(_ wanted: [Int32]) -> Bool {
    guard let handle else { return false }
    return wanted.contains(copal_sqlite_last_errno(handle, 0))
      || wanted.contains(copal_sqlite_last_errno(handle, 1))
  }

  /// The error of a statement that could not be prepared. SQLite names the limit that was exceeded
  /// only in its message. See <https://www.sqlite.org/limits.html>.
  func preparing(_ path: String) -> PersistenceError {
    var error = error(path)
    let limits = [
      "parser stack overflow", "Expression tree is too large", "too many SQL variables",
    ]
    if code & 0xff == SQLITE_TOOBIG || limits.contains(where: message.hasPrefix) {
      error.code = .tooComplex
    }
    return error
  }

  /// Whether a unique constraint was violated, or a row has the key already. A commit then searches
  /// the objects (`ConflictSearch`) and returns the conflicts.
  static func isUniqueConflict(_ error: PersistenceError) -> Bool {
    let codes = [
      copal_sqlite_constraint_unique, copal_sqlite_constraint_primary_key,
      copal_sqlite_constraint_rowid,
    ]
    return codes.contains { error.backendCode == Int($0) }
  }

  /// Whether a commit has failed because a row or a link refers to a row that does not exist.
  static func isReferenceConflict(_ error: PersistenceError) -> Bool {
    error.backendCode == Int(copal_sqlite_constraint_foreign_key)
  }
}

/// The SQLite library that the program is linked with.
enum SQLiteLibrary {
  static let oldestVersion = 3_037_000

  static func check() throws {
    let version = sqlite3_libversion_number()
    guard version >= oldestVersion else {
      throw PersistenceError(
        .backendTooOld, found: String(cString: sqlite3_libversion()), expected: "3.37.0")
    }
  }
}
