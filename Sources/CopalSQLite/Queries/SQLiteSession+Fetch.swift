import CopalModel
import CopalSQL
import CopalStore

extension SQLiteSession {
  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    try withDerivedColumns { try fetchOnce(query, into: receiver) }
  }

  private func fetchOnce(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    try prepareToRead()
    let table = table(query.entity)
    let prepared = try table.select(.rows, query)
    if prepared.plan == .unsorted {
      if try deliverFirst(prepared, query, table, to: receiver) { return }
      return try deliver(try table.select(.rows, query, nil), query, table, to: receiver)
    }
    try deliver(prepared, query, table, to: receiver)
  }

  func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    try withDerivedColumns { try fetchKeysOnce(query) }
  }

  private func fetchKeysOnce(_ query: StoreQuery) throws -> [Int64] {
    try prepareToRead()
    let table = table(query.entity)
    var keys: [Int64] = []
    try run(try table.select(.keys, query), query, in: table) { statement in
      while try statement.step() { keys.append(try key(of: statement, table)) }
    }
    return keys
  }

  private func run<Result>(
    _ prepared: PreparedQuery, _ query: StoreQuery, in table: EntityTable,
    body: (Statement) throws -> Result
  ) throws -> Result {
    let statement = prepared.statement
    defer { statement.resetQuery() }
    try statement.setPlaceholders(prepared.values, of: query, table.layout)
    // SQLite writes temporary files when it sorts a large result.
    return try FileSizeSignal.heldBack(failuresAreThrown: true) { try body(statement) }
  }

  func count(_ query: StoreQuery) throws -> Int {
    try withDerivedColumns {
      try prepareToRead()
      return try table(query.entity).count(query)
    }
  }

  func fetchRow(_ key: Int64, entity: Int) throws -> PackedRow? {
    try prepareToRead()
    let table = table(entity)
    let statement = try table.rowByKey()
    defer { statement.reset() }
    try statement.setPlaceholder(1, integer: key)
    guard try statement.step() else { return nil }
    _ = try self.key(of: statement, table)
    guard let version = version(of: statement, 1) else {
      throw invalidVersion(statement, 1, of: key, table)
    }
    if let family = table.familyReader {
      return try familyRow(statement, table, family, version: version)
    }
    return try table.reader.row(of: statement, version: version)
  }

  @inline(never)
  private func familyRow(
    _ statement: Statement, _ table: EntityTable, _ family: FamilyRowReader, version: Int64
  ) throws -> PackedRow {
    guard let reader = family.reader(of: statement) else {
      throw try unknownEntity(statement, of: statement.integer(0), table)
    }
    return try reader.row(of: statement, version: version)
  }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) throws {
    let table = table(entity)
    if keys.count <= Self.chunkSizes[0] {
      try prepareToRead()
      return try fetchChunk(keys, table, receiver)
    }
    // Several statements must see one state of the store.
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    var rest = keys
    while !rest.isEmpty {
      try fetchChunk(rest.prefix(Self.chunkSizes[0]), table, receiver)
      rest = rest.dropFirst(Self.chunkSizes[0])
    }
  }

  /// The numbers of keys per statement. Few sizes, so that each statement is prepared once.
  private static let chunkSizes = [100, 10, 1]

  private func fetchChunk(
    _ keys: ArraySlice<Int64>, _ table: EntityTable, _ receiver: any RowReceiver
  ) throws {
    if keys.isEmpty { return }
    let size = Self.chunkSizes.last { $0 >= keys.count } ?? Self.chunkSizes[0]
    let statement = try table.rows(keyCount: size)
    defer { statement.reset() }
    try statement.setPlaceholders(keys: keys, to: size)
    if let family = table.familyReader {
      try deliver(statement, table, family, to: receiver)
    } else {
      try deliver(statement, table, to: receiver)
    }
  }

  /// Passes the first rows of a sorted query whose statement has no order.
  ///
  /// - Returns: false, and has passed nothing, if a row has something that Copal cannot have
  ///   written. SQLite has an order for such values as well.
  private func deliverFirst(
    _ prepared: PreparedQuery, _ query: StoreQuery, _ table: EntityTable,
    to receiver: any RowReceiver
  ) throws -> Bool {
    guard let limit = query.limit else { return false }
    let reader = table.reader
    var first = FirstRows(query.sortKeys, table.layout, limit: query.offset + limit)
    let isComplete = try run(prepared, query, in: table) { statement in
      while try statement.step() {
        if !first.wantsRow(of: statement) { continue }
        let key = keyOrZero(of: statement, table)
        guard key > 0, let version = version(of: statement, 1) else { return false }
        let row = try reader.row(of: statement, version: version)
        if row.hasTypeMismatch { return false }
        first.add(.init(key: key, row: row))
      }
      return true
    }
    if !isComplete { return false }
    first.forEach(from: query.offset) { row in
      if receiver.wantsRow(key: row.key, version: row.row.version) {
        receiver.receive(key: row.key, row: row.row)
      } else {
        receiver.skip(key: row.key)
      }
    }
    return true
  }

  private func deliver(
    _ prepared: PreparedQuery, _ query: StoreQuery, _ table: EntityTable,
    to receiver: any RowReceiver
  ) throws {
    try run(prepared, query, in: table) { statement in
      if query.includesSubentities, let family = table.familyReader {
        try deliver(statement, table, family, to: receiver)
      } else {
        try deliver(statement, table, to: receiver)
      }
    }
  }

  private func deliver(_ statement: Statement, _ table: EntityTable, to receiver: any RowReceiver)
    throws
  {
    let reader = table.reader
    while try statement.step() {
      let key = try key(of: statement, table)
      guard let version = version(of: statement, 1) else {
        receiver.receive(key: key, failure: invalidVersion(statement, 1, of: key, table))
        continue
      }
      if receiver.wantsRow(key: key, version: version) {
        receiver.receive(key: key, row: try reader.row(of: statement, version: version))
      } else {
        receiver.skip(key: key)
      }
    }
  }

  /// Passes rows of an entity and of its subentities.
  @inline(never)
  private func deliver(
    _ statement: Statement, _ table: EntityTable, _ family: FamilyRowReader,
    to receiver: any RowReceiver
  ) throws {
    while try statement.step() {
      let key = try key(of: statement, table)
      guard let version = version(of: statement, 1) else {
        receiver.receive(key: key, failure: invalidVersion(statement, 1, of: key, table))
        continue
      }
      if !receiver.wantsRow(key: key, version: version) {
        receiver.skip(key: key)
      } else if let reader = family.reader(of: statement) {
        receiver.receive(key: key, row: try reader.row(of: statement, version: version))
      } else {
        receiver.receive(key: key, failure: try unknownEntity(statement, of: key, table))
      }
    }
  }

  // MARK: Keys, versions and entities of other programs

  /// The version in a column of the statement's current row; nil for a version that Copal cannot
  /// have written.
  func version(of statement: Statement, _ column: Int32) -> Int64? {
    guard let version = statement.integerOrNil(column), RowVersion.range.contains(version) else {
      return nil
    }
    return version
  }

  /// The error of a row with an invalid version.
  func invalidVersion(
    _ statement: Statement, _ column: Int32, of key: Int64, _ table: EntityTable
  ) -> PersistenceError {
    let range = RowVersion.range
    return PersistenceError(
      .typeMismatch, entity: table.layout.name, property: table.mapping.versionName,
      objectID: id(key, table.layout), path: store.path, found: statement.words(column),
      expected: "a number from \(range.lowerBound) to \(range.upperBound)")
  }

  /// The error of a row whose entity is not one of the family of the table.
  ///
  /// - Throws: `store.modelDiffers` when another program has migrated the file, which can add
  ///   entities.
  func unknownEntity(_ statement: Statement, of key: Int64, _ table: EntityTable) throws
    -> PersistenceError
  {
    if let refusal = connection.refusalNow() { throw connection.error(of: refusal) }
    let kinds = store.schema.kinds(of: table.layout.index).map { store.schema.entities[$0] }
    let column = FamilyRowReader.entityColumn
    return PersistenceError(
      .typeMismatch, entity: table.layout.name, property: table.mapping.entityColumnName,
      objectID: id(key, table.layout), path: store.path,
      // Another program can have written anything there, so the text is not shown.
      found: statement.isText(column) ? "another text" : statement.words(column),
      expected: kinds.filter { !$0.entity.isAbstract }.map(\.name).joined(separator: ", "))
  }
}
