import CCopalSQLite
import CopalModel
import CopalSQL
import CopalStore

/// A prepared statement: bound, stepped through, reset, and used again.
final class Statement {
  let handle: OpaquePointer
  let text: String
  // unowned: a connection keeps its statements and outlives their use.
  unowned let connection: Connection
  private let watch: StatementWatch
  /// What a statement of the program is for; nil for one of Copal.
  private let role: ExecutedStatement.Role?
  private var phase = Phase.idle
  var isRunning: Bool { phase != .idle }

  /// Whether the rows are right only while no row is stale. Then a run ends with
  /// `UnknownStaleRows` before it gives one, if that is not known.
  var assumesNoStaleRows = false

  private enum Phase: UInt8 {
    case idle, running
    /// Running, and measured for ``StatementWatch``.
    case measured
  }

  /// The run that is measured; nil while nobody asks for it.
  @exclusivity(unchecked) private var measured: StatementWatch.Run?
  /// Whether a text or blob of this run takes so much memory that nobody should keep it needlessly.
  private var hasLargeValue = false

  init(_ text: String, on connection: Connection) throws {
    self.text = text
    self.connection = connection
    watch = connection.watch
    role = nil
    connection.prepareCalculations(for: text)
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw connection.preparingError(code) }
    handle = prepared
  }

  /// A statement that is prepared already. It ends with this object.
  init(
    _ prepared: OpaquePointer, _ text: String, _ role: ExecutedStatement.Role,
    on connection: Connection
  ) {
    self.role = role
    handle = prepared
    self.text = text
    self.connection = connection
    watch = connection.watch
  }

  deinit { sqlite3_finalize(handle) }

  /// Advances to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws -> Bool {
    if phase != .running { return try stepFirst() }
    return try stepNext()
  }

  @inline(__always)
  private func stepNext() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    // What was read without locks is only right if nobody has written meanwhile.
    try connection.checkIsUnchanged()
    if code == SQLITE_DONE { return false }
    throw connection.error(code)
  }

  /// Ends the run, so that the statement can be bound again and no longer holds its view of the
  /// database.
  func reset() {
    let former = phase
    phase = .idle
    sqlite3_reset(handle)
    if former == .measured { endMeasuredRun() }
  }

  /// The first step of a run, and every step of one that is measured. Apart, so that the other
  /// steps have no more to do.
  @inline(never)
  private func stepFirst() throws -> Bool {
    if phase == .idle {
      if Fork.isChild { throw PersistenceError(.forked, path: connection.path) }
      if let refusal = connection.refusal { try check(refusal) }
      phase = .running
      if watch.isOn {
        measured = watch.begin(text)
        if measured != nil { phase = .measured }
      }
    }
    let isRow = try stepNext()
    // SQLite has prepared the statement again, because the schema of the file is another one now.
    if sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 1) != 0 {
      try connection.checkModelAfterChange()
    }
    if assumesNoStaleRows { try checkStaleRows() }
    if isRow, phase == .measured { measured?.rowCount += 1 }
    return isRow
  }

  @inline(never)
  private func checkStaleRows() throws {
    if connection.hasNoStaleRows { return }
    reset()
    throw UnknownStaleRows()
  }

  /// After another program has migrated or replaced the contents, a transaction can only be undone.
  @inline(never)
  private func check(_ refusal: PersistenceError.Code) throws {
    if text.hasPrefix("ROLLBACK") || text.hasPrefix("RELEASE") { return }
    throw connection.error(of: refusal)
  }

  @inline(never)
  private func endMeasuredRun() {
    guard let run = measured.take() else { return }
    watch.end(run, text, role)
  }

  /// Ends the run of a query, and clears the placeholders when one is large: the statement is kept,
  /// and would keep copies of them.
  func resetQuery() {
    reset()
    if hasLargeValue {
      hasLargeValue = false
      clearPlaceholders()
    }
  }

  /// The error when there was no memory for a column.
  var outOfMemory: PersistenceError { connection.error(SQLITE_NOMEM) }

  // MARK: Columns

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The column as an integer; nil when it has another storage class, which ``integer(_:)`` would
  /// convert.
  func integerOrNil(_ column: Int32) -> Int64? {
    let value = sqlite3_column_value(handle, column)
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  /// The number of columns of a row.
  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// The names of the columns of a row.
  var columnNames: [String] {
    (0..<columnCount).map { sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? "" }
  }

  /// How SQLite keeps a value: https://www.sqlite.org/datatype3.html
  enum StorageClass { case null, integer, real, text, blob }

  /// The storage class of the value of a column.
  func storageClass(_ column: Int32) -> StorageClass {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_value_type(sqlite3_column_value(handle, column)) == SQLITE_NULL
  }

  func isText(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_TEXT }

  /// The content of the column for messages: an INTEGER itself, the storage class of everything
  /// else.
  func words(_ column: Int32) -> String {
    integerOrNil(column).map(String.init)
      ?? TypeMismatch(storageClass: sqlite3_column_type(handle, column)).storageClassName
  }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes of a text column; none for NULL.
  func withText<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let start = sqlite3_column_text(handle, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeBufferPointer(start: start, count: count))
  }

  /// The column as a number.
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The bytes of a blob; none for NULL.
  func withBlob<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let start = sqlite3_column_blob(handle, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: start, count: count))
  }

  // MARK: Placeholders

  /// Gives the placeholders values that are known when the statement is made.
  func setPlaceholders(_ values: [PlaceholderValue], key: Int64 = 0) throws {
    for (index, value) in values.enumerated() {
      try setPlaceholder(Int32(index + 1), value, key: key)
    }
  }

  /// Gives the placeholders the values of a query.
  func setPlaceholders(_ values: [PlaceholderValue], of query: StoreQuery, _ layout: EntityLayout)
    throws
  {
    var position: Int32 = 0
    for value in values {
      position &+= 1
      try setPlaceholder(position, value.value(in: query, layout), key: 0)
    }
  }

  private static let largeSize = 10_000

  private func setPlaceholder(_ position: Int32, _ value: PlaceholderValue, key: Int64) throws {
    switch value {
    case .integer(let number): try check(sqlite3_bind_int64(handle, position, number))
    case .real(let number): try check(sqlite3_bind_double(handle, position, number))
    case .text(let text):
      var text = text
      try text.withUTF8 { bytes in
        if bytes.count > Self.largeSize { hasLargeValue = true }
        try bytes.withMemoryRebound(to: CChar.self) { characters in
          // An empty text has no address, and SQLite binds NULL for a missing address.
          if characters.isEmpty {
            try check(sqlite3_bind_text(handle, position, "", 0, SQLiteBytes.copied))
          } else {
            try check(
              sqlite3_bind_text64(
                handle, position, characters.baseAddress, UInt64(characters.count),
                SQLiteBytes.copied,
                UInt8(SQLITE_UTF8)))
          }
        }
      }
    case .blob(let bytes):
      try bytes.withUnsafeBytes { bytes in
        if bytes.count > Self.largeSize { hasLargeValue = true }
        if bytes.isEmpty {
          try check(sqlite3_bind_zeroblob(handle, position, 0))
        } else {
          try check(
            sqlite3_bind_blob64(
              handle, position, bytes.baseAddress, UInt64(bytes.count), SQLiteBytes.copied))
        }
      }
    case .key: try check(sqlite3_bind_int64(handle, position, key))
    case .null, .values, .slot, .derived, .version, .newVersion, .parameter, .list, .limit,
      .offset:
      try check(sqlite3_bind_null(handle, position))
    }
  }

  func setPlaceholder(_ position: Int32, integer: Int64) throws {
    try check(sqlite3_bind_int64(handle, position, integer))
  }

  /// Gives keys to the first placeholders, and the last key to the rest of them, which does not
  /// find a row twice.
  func setPlaceholders(keys: ArraySlice<Int64>, to count: Int) throws {
    var position: Int32 = 0
    for key in keys {
      position += 1
      try setPlaceholder(position, integer: key)
    }
    guard let last = keys.last else { return }
    while position < count {
      position += 1
      try setPlaceholder(position, integer: last)
    }
  }

  /// Gives integers to the first placeholders; NULL for nil.
  func setPlaceholders(_ integers: [Int64?]) throws {
    for (index, integer) in integers.enumerated() {
      let position = Int32(index + 1)
      try check(
        integer.map { sqlite3_bind_int64(handle, position, $0) }
          ?? sqlite3_bind_null(handle, position))
    }
  }

  /// Gives the placeholders the values of a row that a write needs, from a position on. Texts and
  /// blobs are bound without a copy, so the row must outlive the step.
  func setPlaceholders(
    _ placeholders: ContiguousArray<RowPlaceholder>, after start: Int32 = 0, row: UnsafeRawPointer,
    key: Int64, version: Int64, newVersion: Int64
  ) throws {
    var position = start
    for placeholder in placeholders {
      position &+= 1
      let code: Int32
      switch placeholder.source {
      case .key: code = sqlite3_bind_int64(handle, position, key)
      case .version: code = sqlite3_bind_int64(handle, position, version)
      case .newVersion: code = sqlite3_bind_int64(handle, position, newVersion)
      case .integer, .real, .text, .blob, .external, .normalized, .withoutCase:
        code = setPlaceholder(position, placeholder, row)
      case .projected: code = setProjection(position, placeholder, row)
      }
      try check(code)
    }
  }

  private func setPlaceholder(
    _ position: Int32, _ placeholder: RowPlaceholder, _ row: UnsafeRawPointer
  )
    -> Int32
  {
    let slot = Int(placeholder.slot)
    if PackedRowValues.isNull(row, slot) {
      return placeholder.source == .external
        ? setFileName(position, slot, row) : sqlite3_bind_null(handle, position)
    }
    switch placeholder.source {
    case .integer: return sqlite3_bind_int64(handle, position, PackedRowValues.integer(row, slot))
    case .real: return sqlite3_bind_double(handle, position, PackedRowValues.real(row, slot))
    case .text:
      let bytes = PackedRowValues.bytes(row, slot)
      return sqlite3_bind_text64(
        handle, position, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
    case .normalized, .withoutCase:
      let options: FetchPredicate.TextOptions =
        placeholder.source == .normalized ? .normalized : .caseInsensitive
      return setFolded(position, PackedRowValues.bytes(row, slot), options)
    default:
      let bytes = PackedRowValues.bytes(row, slot)
      return sqlite3_bind_blob64(
        handle, position, bytes.baseAddress, UInt64(bytes.count), nil)
    }
  }

  /// Gives a placeholder the folded form of a text.
  private func setFolded(
    _ position: Int32, _ text: UnsafeRawBufferPointer, _ options: FetchPredicate.TextOptions
  ) -> Int32 {
    text.withMemoryRebound(to: UInt8.self) { text in
      connection.folding.withFolded(text, options) { folded in
        let isSame = folded.baseAddress == text.baseAddress
        return folded.withMemoryRebound(to: CChar.self) { characters in
          // An empty text has no address, and SQLite takes NULL for a missing address.
          guard let start = characters.baseAddress, !characters.isEmpty else {
            return sqlite3_bind_text(handle, position, "", 0, nil)
          }
          return sqlite3_bind_text64(
            handle, position, start, UInt64(characters.count), isSame ? nil : SQLiteBytes.copied,
            UInt8(SQLITE_UTF8))
        }
      }
    }
  }

  /// Gives a placeholder the name of the file that has the value of a slot; NULL for none.
  private func setFileName(_ position: Int32, _ slot: Int, _ row: UnsafeRawPointer) -> Int32 {
    guard let name = PackedRowValues.fileName(row, slot) else {
      return sqlite3_bind_null(handle, position)
    }
    return sqlite3_bind_text64(
      handle, position, name.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(name.count),
      nil, UInt8(SQLITE_UTF8))
  }

  /// Clears the placeholders, which may point into rows.
  func clearPlaceholders() { sqlite3_clear_bindings(handle) }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw connection.error(code) }
  }
}

/// The source of a placeholder's value in a write, found when the statement is prepared.
struct RowPlaceholder {
  enum Source: UInt8 {
    case integer, real, text, blob
    /// A blob, or the name of a file.
    case external
    /// The form of a text without case and diacritics, or without case.
    case normalized, withoutCase
    /// A projection of a transformable.
    case projected
    case key, version, newVersion
  }

  let source: Source
  /// The slot of the row with the value.
  let slot: Int32
  /// For a projection, the position of the entity that declares it.
  let entity: Int16

  init?(_ value: PlaceholderValue, _ layout: EntityLayout) {
    switch value {
    case .key: self.init(.key)
    case .version: self.init(.version)
    case .newVersion: self.init(.newVersion)
    case .slot(let slot):
      switch layout.storage(slot) {
      case .integer: self.init(.integer, slot)
      case .real: self.init(.real, slot)
      case .text: self.init(.text, slot)
      case .blob:
        let isExternal = layout.attributes[slot].externalThreshold != nil
        self.init(isExternal ? .external : .blob, slot)
      }
    case .derived(let slot, .folded(let options)):
      self.init(options == .normalized ? .normalized : .withoutCase, slot)
    case .derived(_, .projected(let projection)):
      self.init(.projected, projection.slot, entity: projection.declaringEntity)
    // Only reads have constants and parameters. A write takes all values from a row.
    case .null, .integer, .real, .text, .blob, .values, .parameter, .list, .limit, .offset:
      return nil
    }
  }

  private init(_ source: Source, _ slot: Int = 0, entity: Int = 0) {
    self.source = source
    self.entity = Int16(truncatingIfNeeded: entity)
    self.slot = Int32(truncatingIfNeeded: slot)
  }
}
