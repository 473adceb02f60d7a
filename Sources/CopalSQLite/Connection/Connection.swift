import CCopalSQLite
import CopalModel
import CopalStore
import Foundation

/// One connection to a database file, for one isolation at a time.
///
/// Opened without SQLite's own mutex: the session that owns it is confined already.
final class Connection {
  let path: String
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  let onStatement: (@Sendable (String) -> Void)?
  private let pageCacheKilobytes: Int
  /// In milliseconds.
  private let busyTimeout: Int32
  // @exclusivity(unchecked): one isolation, and every read passes here.
  @exclusivity(unchecked) private var readsUntilCache: Int

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: an absolute path, to which SQLite gives no other meaning.
  ///   - createsFile: whether a file is made where there is none.
  /// - Throws: `store.cannotOpen`, `store.notWritable`.
  init(
    path: String, createsFile: Bool, busyTimeoutSeconds: Double, pageCacheKilobytes: Int,
    onStatement: (@Sendable (String) -> Void)?
  ) throws {
    self.path = path
    self.pageCacheKilobytes = pageCacheKilobytes
    readsUntilCache = pageCacheKilobytes > Self.defaultCacheKilobytes ? 100 : 0
    self.onStatement = onStatement
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (createsFile ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteFailure(code, opened).error(path)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    busyTimeout = Int32(max(0, min(busyTimeoutSeconds * 1000, Double(Int32.max))))
    sqlite3_busy_timeout(handle, busyTimeout)
    // https://www.sqlite.org/security.html: a file may come from anywhere.
    configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    configure(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
    // https://www.sqlite.org/quirks.html#dblquote: the name of a column that is missing would be read
    // as a text.
    configure(SQLITE_DBCONFIG_DQS_DML, false)
    configure(SQLITE_DBCONFIG_DQS_DDL, false)
    DecimalCollation.register(on: handle)
    FloatFunction.register(on: handle)
  }

  deinit {
    statements = [:]
    // The last one to close a file copies its log into it.
    _ = FileSizeSignal.heldBack { sqlite3_close_v2(handle) }
  }

  /// Runs work that fails at once with `store.busy` when another connection has the lock.
  func withoutWaiting<R>(_ body: () throws -> R) rethrows -> R {
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    return try body()
  }

  private func configure(_ option: Int32, _ isOn: Bool) {
    _ = copal_sqlite_configure(handle, option, isOn ? 1 : 0)
  }

  /// Whether SQLite could open the file for reading only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Leaves the file as it is when the connection closes: for one that is refused.
  ///
  /// A log with something in it stays as well. An empty one is this connection's own, and goes.
  func leaveUntouched() {
    let log = try? FileManager.default.attributesOfItem(atPath: filePath + "-wal")
    if let size = log?[.size] as? Int, size > 0 {
      configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    }
  }

  /// The path of the file itself: the connection's may lead there by a symbolic link.
  private var filePath: String {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? path
  }

  /// Whether the file is not at its path any more.
  var hasMoved: Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return code == SQLITE_OK && moved != 0
  }

  /// As many pages as SQLite keeps in memory by itself.
  static let defaultCacheKilobytes = 2000

  /// Counts a read. A connection that reads again and again takes all the memory for pages that it may
  /// have; one that reads a few times would only pay for touching it.
  @inline(__always)
  func countRead() throws {
    if readsUntilCache == 0 { return }
    readsUntilCache -= 1
    if readsUntilCache == 0 { try takePageCache() }
  }

  func takePageCache() throws {
    // A negative number is in kilobytes; a pragma takes no bindings.
    try run("PRAGMA cache_size=-\(max(100, min(pageCacheKilobytes, 1_000_000_000)))")
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// The prepared statement of a text, kept for the next time.
  func statement(_ text: String) throws -> Statement {
    // One that is running belongs to a loop further up: a value's deinit may fetch while rows come in.
    if let cached = statements[text] {
      return cached.isRunning ? try Statement(text, on: self) : cached
    }
    let made = try Statement(text, on: self)
    // Bounded: a program that makes up ever new conditions, or very long ones, must not fill the
    // memory.
    if text.utf8.count > 10_000 { return made }
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

  /// The first column of the first row, as text.
  func text(_ sql: String) throws -> String? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : nil
  }

  /// The error of a result code of this connection.
  func error(_ code: Int32) -> PersistenceError { SQLiteFailure(code, handle).error(path) }

  /// The error of a statement that could not be prepared.
  func preparingError(_ code: Int32) -> PersistenceError {
    SQLiteFailure(code, handle).preparing(path)
  }
}
