import CCopalSQLite
import CopalSQL

/// What a connection knows about rows whose derived columns do not hold, because another program
/// has written them.
struct StaleRowState {
  /// The state of the file in which there was no such row; nil for none that is known.
  fileprivate var freshVersion: UInt32?
  /// What the statements that are made now are for.
  fileprivate(set) var assumed = StaleRows.none
  /// Whether somebody has just looked, in the transaction in which these statements run.
  fileprivate var isCertain = false

  /// Forgets what is known: this program may make such rows itself.
  mutating func forget() {
    freshVersion = nil
    isCertain = false
  }
}

/// A statement assumed that there is no stale row, and it is not known whether there is one. It has
/// given no row yet.
struct UnknownStaleRows: Error {}

extension Connection {
  /// A number that is another one after each change of the file, also by other programs. It is that
  /// of the state that the last statement has read:
  /// <https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion>
  private var dataVersion: UInt32? {
    var version: UInt32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  /// Whether the state that the last statement has read is known to have no stale row.
  var hasNoStaleRows: Bool {
    if staleRows.isCertain { return true }
    guard let known = staleRows.freshVersion else { return false }
    return known == dataVersion
  }

  /// Looks for stale rows, in an open transaction.
  ///
  /// In one that writes, nothing is remembered: what it has derived is undone with it, and the
  /// number of the state stays the same.
  ///
  /// - Parameter tables: the mappings of the roots with derived columns.
  /// - Returns: the tables that have some.
  func lookForStaleRows(_ tables: [TableMapping]) throws -> [TableMapping] {
    let translator = DerivedTranslator(SQLiteDialect())
    let found = try tables.filter { try !integers(translator.firstStale($0)).isEmpty }
    let writes = sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE
    staleRows.freshVersion = found.isEmpty && !writes ? dataVersion : nil
    return found
  }
}

extension Connection {
  /// The prepared statement of a query. If it relies on derived columns, its runs end with
  /// ``UnknownStaleRows`` unless it is known that no row is stale.
  func statement(_ sql: SQLStatement) throws -> Statement {
    let statement = try statement(sql.text)
    if sql.usesDerivedColumns { statement.assumesNoStaleRows = staleRows.assumed == .none }
    return statement
  }

  /// Runs work directly after a look, in the same transaction: its statements are made for what was
  /// found.
  func afterLook<R>(_ found: StaleRows, _ body: () throws -> R) rethrows -> R {
    let former = staleRows
    staleRows.assumed = found
    staleRows.isCertain = found == .none
    defer {
      staleRows.assumed = former.assumed
      staleRows.isCertain = staleRows.isCertain && former.isCertain
    }
    return try body()
  }
}
