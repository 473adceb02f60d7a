import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalStore

/// One connection to a database file, for one isolation at a time.
///
/// Opened without SQLite's own mutex, because the session that owns it is confined to one
/// isolation.
final class Connection {
  let path: String
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  let watch: StatementWatch
  private let pageCacheKilobytes: Int
  /// The files as they were when the connection was opened, if it reads them without locks.
  var filesReadAlone: StoreFilesOnDisk?
  /// The model that the statements of the connection are for; nil while a store is opened.
  var modelGuard: StoreGuard?
  /// The identifier of the contents that the statements are for; nil while a store is opened.
  var identifier: UUID?
  /// The statement that reads the schema hash; nil before its first use.
  private var modelProbe: OpaquePointer?
  /// The feature that this program does not know, where that is why.
  private var refusedFeature: String?
  /// What the store must say about its derived texts; nil for a store that has none.
  var expectedDerivedMark: String?
  /// Why every statement is refused: another program has migrated the file, so that a statement
  /// could read the values of another attribute without an error, or it has replaced its contents.
  private(set) var refusal: PersistenceError.Code?
  /// In milliseconds.
  let busyTimeout: Int32
  /// Ends the statements of a canceled task; nil where none is canceled.
  private var question: CancellationQuestion?
  // @exclusivity(unchecked): confined to one isolation, and accessed in every read.
  @exclusivity(unchecked) private var readsUntilCache: Int

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: an absolute path, which SQLite cannot take for a special name.
  ///   - access: how the connection uses the file.
  /// - Throws: `store.cannotOpen`, `store.notWritable`.
  init(
    path: String, _ access: Access, busyTimeoutSeconds: Double, pageCacheKilobytes: Int,
    folding: VersionedFolding = .current, onStatement: (@Sendable (String) -> Void)?
  ) throws {
    self.path = path
    self.folding = folding
    self.pageCacheKilobytes = pageCacheKilobytes
    readsUntilCache = pageCacheKilobytes > Self.defaultCacheKilobytes ? 100 : 0
    watch = StatementWatch(onStatement)
    // https://www.sqlite.org/howtocorrupt.html#_carrying_an_open_database_across_a_fork_
    if Fork.isChild { throw PersistenceError(.forked, path: path) }
    var opened: OpaquePointer?
    let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(access.filename(path), &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteFailure(code, opened).error(path)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    Fork.opens()
    busyTimeout = Int32(max(0, min(busyTimeoutSeconds * 1000, Double(Int32.max))))
    sqlite3_busy_timeout(handle, busyTimeout)
    // The file may come from an untrusted source: https://www.sqlite.org/security.html
    configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    configure(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
    // Otherwise the quoted name of a missing column would be read as a text:
    // https://www.sqlite.org/quirks.html#dblquote
    configure(SQLITE_DBCONFIG_DQS_DML, false)
    configure(SQLITE_DBCONFIG_DQS_DDL, false)
    // A damaged page is found when it is read, and not when its values are. An inspection is for
    // files that nobody knows.
    if access.isForReading { try set("cell_size_check=ON") }
    DecimalCollation.register(on: handle)
    FloatFunction.register(on: handle)
    TextFunction.register(on: handle)
    TextOrderFunction.register(on: handle)
    // A connection that only reads never copies the log into the file.
    if access.isForReading { configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }
    if access == .readingAloneWithLog { try run("PRAGMA locking_mode=EXCLUSIVE") }
  }

  deinit {
    statements = [:]
    sqlite3_finalize(modelProbe)
    // To close it would copy the log of the parent.
    if Fork.isChild { return }
    // The last connection that closes a file copies the write-ahead log into it.
    _ = FileSizeSignal.heldBack { sqlite3_close_v2(handle) }
    Fork.closes()
  }

  /// Ends the statement that runs, from any thread: https://www.sqlite.org/c3ref/interrupt.html
  var interrupt: @Sendable () -> Void {
    let handle = InterruptHandle(handle)
    return { handle.interrupt() }
  }

  // @unchecked: SQLite allows this one call on any thread while the connection is open. The caller
  // keeps it open.
  private final class InterruptHandle: @unchecked Sendable {
    private let handle: OpaquePointer
    init(_ handle: OpaquePointer) { self.handle = handle }
    func interrupt() { sqlite3_interrupt(handle) }
  }

  /// Runs work whose statements end with `store.interrupted` as soon as a condition holds.
  ///
  /// SQLite asks between the steps of a statement, and not in a short one:
  /// <https://www.sqlite.org/c3ref/progress_handler.html>
  func unless<R>(
    _ isCanceled: (@Sendable () -> Bool)?, _ body: () throws -> R
  ) throws -> R {
    guard let isCanceled else { return try body() }
    let question = CancellationQuestion(isCanceled)
    sqlite3_progress_handler(
      handle, 10_000,
      { data in
        guard let data else { return 0 }
        let question = Unmanaged<CancellationQuestion>.fromOpaque(data).takeUnretainedValue()
        return question.isCanceled() ? 1 : 0
      }, Unmanaged.passUnretained(question).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(question, body)
  }

  /// A question that SQLite asks on the thread of a statement.
  private final class CancellationQuestion {
    let isCanceled: @Sendable () -> Bool
    /// Whether a COMMIT or a ROLLBACK runs, which always ends.
    var isSuspended = false
    /// How long a statement waits for a lock, and when the wait has begun.
    var timeout: Duration = .zero
    var start = ContinuousClock.now
    init(_ isCanceled: @escaping @Sendable () -> Bool) { self.isCanceled = isCanceled }
  }

  /// Ends each statement as soon as a condition holds, also while it waits for the lock of another
  /// connection: with `store.interrupted` or `store.busy`.
  ///
  /// A handler, and not `sqlite3_interrupt`: that has no effect on a statement which begins just
  /// then, and none on a wait (<https://www.sqlite.org/c3ref/busy_handler.html>).
  func endStatements(when isCanceled: (@Sendable () -> Bool)?) {
    question = isCanceled.map { CancellationQuestion($0) }
    waitForLocks()
    guard let question else { return sqlite3_progress_handler(handle, 0, nil, nil) }
    sqlite3_progress_handler(
      handle, 1000,
      { data in
        guard let data else { return 0 }
        let question = Unmanaged<CancellationQuestion>.fromOpaque(data).takeUnretainedValue()
        return question.isSuspended || !question.isCanceled() ? 0 : 1
      }, Unmanaged.passUnretained(question).toOpaque())
  }

  /// Runs a statement that ends a transaction, to its end.
  func runToEnd(_ text: String) throws {
    question?.isSuspended = true
    defer { question?.isSuspended = false }
    try run(text)
  }

  /// Waits for the locks of other connections up to the busy timeout, or until a task is canceled.
  private func waitForLocks() {
    guard let question else {
      sqlite3_busy_timeout(handle, busyTimeout)
      return
    }
    question.timeout = .milliseconds(busyTimeout)
    sqlite3_busy_handler(
      handle,
      { data, count in
        guard let data else { return 0 }
        let question = Unmanaged<CancellationQuestion>.fromOpaque(data).takeUnretainedValue()
        let now = ContinuousClock.now
        if count == 0 { question.start = now }
        if now - question.start >= question.timeout { return 0 }
        if question.isCanceled(), !question.isSuspended { return 0 }
        usleep(min(UInt32(count + 1) * 500, 10_000))
        return 1
      }, Unmanaged.passUnretained(question).toOpaque())
  }

  private var hasCalculations = false
  /// The function of derived columns.
  let folding: VersionedFolding
  /// The schema of the program, whose transformers make projections; nil for a connection that
  /// writes no objects.
  var schema: StoreSchema?
  private var hasProjections = false
  private var hasFolding = false
  private var hasTrigrams = false
  /// Whether the connection has the triggers that keep the tables of trigrams.
  var keepsTrigrams = false
  /// What is known about rows whose derived columns do not hold.
  var staleRows = StaleRowState()
  /// Whether the tables of JSON functions were used once.
  var hasTablesOfFunctions = false

  /// Registers the functions that a statement may calculate with. Most programs open connections
  /// that never need them.
  func prepareCalculations(for sql: String) {
    if !hasFolding, strstr(sql, FoldingFunction.prefix) != nil {
      hasFolding = true
      FoldingFunction.register(folding, on: handle)
    }
    if !hasProjections, strstr(sql, ProjectionFunction.prefix) != nil {
      hasProjections = true
      ProjectionFunction.register(schema, on: handle)
    }
    if !hasTrigrams, strstr(sql, TrigramFunction.prefix) != nil {
      hasTrigrams = true
      TrigramFunction.register(folding, on: handle)
    }
    if hasCalculations || strstr(sql, CalculationFunction.prefix) == nil { return }
    hasCalculations = true
    CalculationFunction.register(on: handle)
    AggregateFunction.register(on: handle)
    UnreadableFunction.register(on: handle)
  }

  /// A function of the program that statements call. Its result is NULL unless it sets another one.
  typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Registers a function, only for statements of this connection; nil removes it.
  ///
  /// - Parameter data: what the function gets from `sqlite3_user_data`.
  func register(
    _ name: String, argumentCount: Int32, data: UnsafeMutableRawPointer?, _ function: Function?
  ) {
    sqlite3_create_function_v2(
      handle, name, argumentCount, SQLITE_UTF8 | SQLITE_DIRECTONLY, data, function, nil, nil, nil)
  }

  /// Runs work that fails at once with `store.busy` when another connection has the lock.
  func withoutWaiting<R>(_ body: () throws -> R) rethrows -> R {
    sqlite3_busy_timeout(handle, 0)
    defer { waitForLocks() }
    return try body()
  }

  /// Runs statements that rename tables or columns. SQLite then reads the views of other programs,
  /// to give them the new names, and a view may read another one.
  func withViews<R>(_ body: () throws -> R) rethrows -> R {
    configure(SQLITE_DBCONFIG_ENABLE_VIEW, true)
    defer { configure(SQLITE_DBCONFIG_ENABLE_VIEW, false) }
    return try body()
  }

  /// Runs work of a transaction during which references are not checked, which must be done then.
  ///
  /// SQLite would look through all rows that refer to a table for each of its new or deleted rows,
  /// as long as there are references to missing rows or no index of them. The setting of a
  /// connection, unlike the PRAGMA, can change in a transaction.
  func withoutForeignKeys<R>(_ body: () throws -> R) rethrows -> R {
    configure(SQLITE_DBCONFIG_ENABLE_FKEY, false)
    defer { configure(SQLITE_DBCONFIG_ENABLE_FKEY, true) }
    return try body()
  }

  private func configure(_ option: Int32, _ isOn: Bool) {
    _ = copal_sqlite_configure(handle, option, isOn ? 1 : 0)
  }

  /// Allows the schema to use tables of modules.
  func trustSchema() { configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, true) }

  /// Runs work that changes the table of the schema itself.
  func withWritableSchema(_ body: () throws -> Void) throws {
    configure(SQLITE_DBCONFIG_DEFENSIVE, false)
    defer { configure(SQLITE_DBCONFIG_DEFENSIVE, true) }
    try run("PRAGMA writable_schema=ON")
    // Also reads the schema again.
    defer { try? run("PRAGMA writable_schema=RESET") }
    try body()
  }

  /// Whether SQLite could open the file for reading only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether the open transaction has references to rows that do not exist. A commit would fail.
  var hasBrokenReferences: Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// The error of a commit with broken references.
  var referenceError: PersistenceError {
    PersistenceError(
      .backend, path: path, found: "FOREIGN KEY constraint failed",
      backendCode: Int(copal_sqlite_constraint_foreign_key))
  }

  /// Prevents changes to the file when the connection closes, for a file that is refused.
  ///
  /// A log with content stays. An empty one was created by this connection and is removed.
  func leaveUntouched() {
    let log = try? FileManager.default.attributesOfItem(atPath: filePath + "-wal")
    if let size = log?[.size] as? Int, size > 0 {
      configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    }
  }

  /// The path of the file itself, because the connection's path may have symbolic links.
  var filePath: String {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? path
  }

  /// Whether the file is no longer at its path.
  var hasMoved: Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return code == SQLITE_OK && moved != 0
  }

  /// SQLite's default size of the page cache.
  static let defaultCacheKilobytes = 2000

  /// Counts a read. After many reads the connection gets its full page cache; with only a few
  /// reads, allocating it would cost more than it saves.
  @inline(__always)
  func countRead() throws {
    if readsUntilCache == 0 { return }
    readsUntilCache -= 1
    if readsUntilCache == 0 { try takePageCache() }
  }

  /// Runs work with a larger page cache, unless the program wants a smaller one than the default.
  func withPageCache<R>(ofKilobytes size: Int, _ body: () throws -> R) throws -> R {
    if pageCacheKilobytes < Self.defaultCacheKilobytes { return try body() }
    let former = try integer("PRAGMA cache_size") ?? -Int64(Self.defaultCacheKilobytes)
    try run("PRAGMA cache_size=-\(max(size, pageCacheKilobytes))")
    defer {
      try? run("PRAGMA cache_size=\(former)")
      try? run("PRAGMA shrink_memory")
    }
    return try body()
  }

  /// Sets what SQLite has as a pragma only, and what is no work with the file: no log has it.
  func set(_ setting: String) throws {
    let code = sqlite3_exec(handle, "PRAGMA \(setting)", nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code, handle).error(path) }
  }

  func takePageCache() throws {
    // A negative number is in kilobytes. A pragma takes no placeholders.
    try run("PRAGMA cache_size=-\(max(100, min(pageCacheKilobytes, 1_000_000_000)))")
  }

  /// The collation of a column; nil when the table lacks it.
  func collation(of column: String, in table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      handle, "main", table, column, nil, &name, nil, nil, nil)
    return code == SQLITE_OK ? name.map { String(cString: $0) } : nil
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// The prepared statement of a text, kept for the next time.
  func statement(_ text: String) throws -> Statement {
    // A running statement belongs to a loop of a caller: the deinit of a value may fetch while rows
    // are read.
    if let cached = statements[text] {
      return cached.isRunning ? try Statement(text, on: self) : cached
    }
    let made = try Statement(text, on: self)
    // Bounded, so that a program with many different or very long conditions does not fill the
    // memory.
    if text.utf8.count > 10_000 { return made }
    if statements.count >= 200 { statements = [:] }
    statements[text] = made
    return made
  }

  /// Runs a statement that gives no rows and has no placeholders.
  func run(_ text: String) throws {
    let statement = try statement(text)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// The first column of the first row as an integer.
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
  func error(_ code: Int32) -> PersistenceError {
    explained(SQLiteFailure(code, handle).error(path))
  }

  /// The error of a statement that could not be prepared.
  func preparingError(_ code: Int32) -> PersistenceError {
    explained(SQLiteFailure(code, handle).preparing(path))
  }

  /// `store.modelDiffers` when a table or a column is missing because another program has migrated
  /// the file, which can give them other names.
  private func explained(_ error: PersistenceError) -> PersistenceError {
    guard error.code == .backend, error.found?.hasPrefix("no such ") == true,
      let refusal = refusalNow()
    else { return error }
    return self.error(of: refusal)
  }

  /// Why this program may not go on since another one has migrated the file, or has replaced its
  /// contents; nil if it may. From then on, every statement is refused: SQLite would prepare it for
  /// the new tables.
  func refusalNow() -> PersistenceError.Code? {
    if let refusal { return refusal }
    guard let own = modelGuard else { return nil }
    // Reading the metadata may fail because the file is migrated.
    modelGuard = nil
    defer { modelGuard = own }
    guard let stored = try? StoreMetadata(self).read() else { return nil }
    if let identifier, stored.identifier != identifier {
      refusal = .fileReplaced
    } else if expectedDerivedMark != nil, stored.folding != expectedDerivedMark {
      refusal = .newerFormat
      refusedFeature = StoreMetadata.feature(of: stored.folding, beyond: expectedDerivedMark)
    } else if !own.allows(stored.model) {
      refusal = .modelDiffers
    }
    return refusal
  }

  /// The error for a refused statement.
  func error(of refusal: PersistenceError.Code) -> PersistenceError {
    PersistenceError(
      refusal, path: path,
      found: refusal == .newerFormat ? StoreMetadata.feature(refusedFeature ?? "") : nil)
  }

  /// Called when the schema of the file has changed since a statement was prepared.
  ///
  /// - Throws: `store.modelDiffers` when it was a migration that this program cannot go on after;
  ///   `store.fileReplaced` when the file has the contents of another store.
  func checkModelAfterChange() throws {
    guard let own = modelGuard, !hasContents(own.mark.hash), let refusal = refusalNow() else {
      return
    }
    throw error(of: refusal)
  }

  /// Whether the file has the identifier and the schema hash that are expected: the quick look of
  /// ``checkModelAfterChange()``. SQLite also prepares a statement again for another value of a
  /// placeholder, so this can happen in each run of a statement. It is not reported as a statement
  /// of the program.
  private func hasContents(_ hash: String) -> Bool {
    if modelProbe == nil {
      let sql =
        "SELECT value FROM copal_metadata WHERE name IN ('folding', 'identifier', 'schemaHash') ORDER BY name"
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &modelProbe, nil)
    }
    guard let modelProbe else { return false }
    defer { sqlite3_reset(modelProbe) }
    // A store without derived texts has no folding.
    let folding = expectedDerivedMark.map { [Optional($0)] } ?? []
    for expected in folding + [identifier?.uuidString, hash] {
      guard sqlite3_step(modelProbe) == SQLITE_ROW, let text = sqlite3_column_text(modelProbe, 0)
      else { return false }
      if let expected, String(cString: text) != expected { return false }
    }
    return true
  }

  /// Checks that the program may read and write the file.
  ///
  /// - Throws: `store.modelDiffers`.
  func checkModel() throws {
    guard let own = modelGuard else { return }
    if let refusal { throw error(of: refusal) }
    let metadata = StoreMetadata(self)
    let (hash, folding) = try metadata.marks(withFolding: expectedDerivedMark != nil)
    if let expectedDerivedMark, folding != expectedDerivedMark {
      refusal = .newerFormat
      refusedFeature = StoreMetadata.feature(of: folding, beyond: expectedDerivedMark)
      throw error(of: .newerFormat)
    }
    if hash == own.mark.hash { return }
    guard own.allows(try metadata.storedModel()) else {
      refusal = .modelDiffers
      throw PersistenceError(.modelDiffers, path: path)
    }
  }
}
