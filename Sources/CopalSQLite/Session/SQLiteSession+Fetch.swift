import CopalModel
import CopalSQL
import CopalStore

extension SQLiteSession {
  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    try run(query, .rows) { statement, table in try deliver(statement, table, to: receiver) }
  }

  func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    var keys: [Int64] = []
    try run(query, .keys) { statement, table in
      while try statement.step() { keys.append(try key(of: statement, table)) }
    }
    return keys
  }

  @inline(__always)
  private func run(
    _ query: StoreQuery, _ wanted: EntityTable.Wanted,
    _ body: (Statement, EntityTable) throws -> Void
  ) throws {
    try prepareToRead()
    let table = table(query.entity)
    let (statement, bindings) = try table.select(wanted, query)
    defer { statement.reset(lettingGoOf: bindings) }
    try statement.bind(bindings)
    // To sort a large result SQLite writes files of its own.
    try FileSizeSignal.heldBack(failuresAreThrown: true) { try body(statement, table) }
  }

  func count(_ query: StoreQuery) throws -> Int {
    try prepareToRead()
    return try table(query.entity).count(query)
  }

  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try prepareToRead()
    let table = table(entity)
    let statement = try table.rowByKey()
    defer { statement.reset() }
    try statement.bind(1, integer: key)
    guard try statement.step() else { return nil }
    _ = try self.key(of: statement, table)
    guard let version = version(of: statement, 1) else {
      throw foreignVersion(statement, 1, of: key, table)
    }
    return try table.reader.row(of: statement, version: version)
  }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    let table = table(entity)
    if keys.count <= Self.chunkSizes[0] {
      try prepareToRead()
      return try fetchChunk(keys, table, receiver)
    }
    // Several statements: one view of the store for all of them.
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    var rest = keys
    while !rest.isEmpty {
      try fetchChunk(rest.prefix(Self.chunkSizes[0]), table, receiver)
      rest = rest.dropFirst(Self.chunkSizes[0])
    }
  }

  /// How many keys a statement takes: few sizes, so that each is prepared once.
  private static let chunkSizes = [100, 10, 1]

  private func fetchChunk(
    _ keys: ArraySlice<Int64>, _ table: EntityTable, _ receiver: any RowReceiver
  ) throws {
    guard let last = keys.last else { return }
    let size = Self.chunkSizes.last { $0 >= keys.count } ?? Self.chunkSizes[0]
    let statement = try table.rows(keyCount: size)
    defer { statement.reset() }
    var position: Int32 = 0
    for key in keys {
      position += 1
      try statement.bind(position, integer: key)
    }
    // The places that are left take the last key again, which finds nothing twice.
    while position < size {
      position += 1
      try statement.bind(position, integer: last)
    }
    try deliver(statement, table, to: receiver)
  }

  private func deliver(_ statement: Statement, _ table: EntityTable, to receiver: any RowReceiver)
    throws
  {
    let reader = table.reader
    while try statement.step() {
      let key = try key(of: statement, table)
      guard let version = version(of: statement, 1) else {
        receiver.receive(key: key, failure: foreignVersion(statement, 1, of: key, table))
        continue
      }
      if receiver.wantsRow(key: key, version: version) {
        receiver.receive(key: key, row: try reader.row(of: statement, version: version))
      } else {
        receiver.skip(key: key)
      }
    }
  }

  // MARK: Keys and versions of other programs

  /// The key of the row that the statement stands on.
  ///
  /// - Throws: `object.typeMismatch` for one that no object can have: keys below 1 are those of objects
  ///   that are not saved, and what is not an INTEGER would only look like one.
  @inline(__always)
  private func key(of statement: Statement, _ table: EntityTable) throws -> Int64 {
    let key = table.keysAreRowIDs ? statement.integer(0) : statement.integerOrNil(0) ?? 0
    if key > 0 { return key }
    throw foreignKey(statement, table)
  }

  /// The error of a row whose key, the statement's first column, cannot be an object's.
  func foreignKey(_ statement: Statement, _ table: EntityTable) -> PersistenceError {
    PersistenceError(
      .typeMismatch, entity: table.layout.name, property: TableMapping.keyColumn,
      path: store.path, found: statement.words(0), expected: "a number from 1 to \(Int64.max)")
  }

  /// The version in a column of the row that the statement stands on; nil for one that Copal cannot have
  /// written.
  @inline(__always)
  func version(of statement: Statement, _ column: Int32) -> Int64? {
    guard let version = statement.integerOrNil(column), RowVersion.range.contains(version) else {
      return nil
    }
    return version
  }

  /// The error of a row whose version, in a column of the statement, cannot be one.
  func foreignVersion(
    _ statement: Statement, _ column: Int32, of key: Int64, _ table: EntityTable
  ) -> PersistenceError {
    let range = RowVersion.range
    return PersistenceError(
      .typeMismatch, entity: table.layout.name, property: TableMapping.versionColumn,
      objectID: id(key, table.layout), path: store.path, found: statement.words(column),
      expected: "a number from \(range.lowerBound) to \(range.upperBound)")
  }
}
