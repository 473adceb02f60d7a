import CCopalSQLite
import CopalModel
import CopalStore

/// One connection to a database file, for one isolation at a time.
///
/// Opened without SQLite's own mutex: the session that owns it is confined already.
final class Connection {
  let path: String
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private let onStatement: (@Sendable (String) -> Void)?

  /// Opens the file, creating it if there is none.
  ///
  /// - Throws: `store.cannotOpen`, `store.notWritable`.
  init(
    path: String, busyTimeoutSeconds: Double, onStatement: (@Sendable (String) -> Void)?
  ) throws {
    self.path = path
    self.onStatement = onStatement
    var opened: OpaquePointer?
    // No SQLITE_OPEN_URI: a path is a path, whatever signs it has.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteFailure(code, opened).opening(path)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    let timeout = max(0, min(busyTimeoutSeconds * 1000, Double(Int32.max)))
    sqlite3_busy_timeout(handle, Int32(timeout))
    // https://www.sqlite.org/security.html: a file may come from anywhere.
    configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
    DecimalCollation.register(on: handle)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  private func configure(_ option: Int32, _ isOn: Bool) {
    _ = copal_sqlite_configure(handle, option, isOn ? 1 : 0)
  }

  /// Whether SQLite could open the file for reading only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Leaves the log as it is when the connection closes: for a file that is refused.
  func leaveUntouched() { configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }

  /// Whether the file is not at its path any more.
  var hasMoved: Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return code == SQLITE_OK && moved != 0
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// The prepared statement of a text, kept for the next time.
  func statement(_ text: String) throws -> Statement {
    if let cached = statements[text] { return cached }
    let made = try Statement(text, on: self)
    // Bounded: a program that makes up ever new conditions must not fill the memory.
    if statements.count >= 200 { statements = [:] }
    statements[text] = made
    return made
  }

  /// Runs a statement that gives no rows and takes no bindings.
  func run(_ text: String) throws {
    let statement = try statement(text)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// The first column of the first row, as a number.
  func integer(_ text: String) throws -> Int64? {
    let statement = try statement(text)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  func tell(_ text: String) { onStatement?(text) }

  /// The error of a result code of this connection.
  func error(_ code: Int32) -> PersistenceError { SQLiteFailure(code, handle).error(path) }
}
