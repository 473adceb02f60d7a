import CopalModel
import CopalSQL
import CopalStore

/// One entity's table in a session: translators, row reader and prepared statements.
final class EntityTable {
  let layout: EntityLayout
  let mapping: TableMapping
  let select: SelectTranslator
  let write: WriteTranslator
  let reader: StatementRowReader
  /// Whether the key column is the rowid, and so always an INTEGER. It may not be in a table that
  /// another tool has rebuilt.
  let keysAreRowIDs: Bool
  private let connection: Connection
  private var updates: [SlotSet: Prepared] = [:]
  private var keyed: [Int: Statement] = [:]

  init(_ layout: EntityLayout, _ connection: Connection, keysAreRowIDs: Bool) {
    self.layout = layout
    self.keysAreRowIDs = keysAreRowIDs
    self.connection = connection
    reader = StatementRowReader(layout)
    mapping = TableMapping(layout)
    select = SelectTranslator(mapping, SQLiteDialect())
    write = WriteTranslator(mapping, SQLiteDialect())
    appends = keysAreRowIDs
    batchSize = min(25, max(1, 1000 / (layout.columns.count + 1)))
  }

  /// A prepared statement with its bindings.
  struct Prepared {
    let statement: Statement
    let bindings: ContiguousArray<RowBinding>
  }

  func prepare(_ sql: SQLStatement) throws -> Prepared {
    Prepared(statement: try Statement(sql.text, on: connection), bindings: bindings(of: sql))
  }

  private func bindings(of sql: SQLStatement) -> ContiguousArray<RowBinding> {
    ContiguousArray(sql.bindings.compactMap { RowBinding($0, layout) })
  }

  // @exclusivity(unchecked): a session is confined to one isolation, and these are accessed in
  // every get by key.
  @exclusivity(unchecked) private var oneRow: Statement?
  private var insertStatement: Prepared?
  private var appendStatement: Prepared?
  private var deleteStatement: Prepared?

  /// The number of rows that the statement of ``append()`` inserts; fewer for entities with very
  /// many columns.
  private let batchSize: Int

  /// The number of rows that the next statement of a save inserts.
  ///
  /// Twenty-five rows at a time cost a third less than one by one. But preparing the statement only
  /// pays off in a save with many inserts.
  func insertBatch(done: Int, of count: Int) -> Int {
    appends && done > 0 && count >= 100 && count - done >= batchSize ? batchSize : 1
  }

  /// Whether rows may be inserted without keys. Not in a table in which SQLite has generated
  /// unexpected keys.
  var appends: Bool

  /// The statement that inserts a row with its key.
  func insert() throws -> Prepared {
    if let insertStatement { return insertStatement }
    let made = try prepare(write.insert())
    insertStatement = made
    return made
  }

  /// The statement that inserts a batch of rows with consecutive keys; its bindings are those of
  /// one row.
  func append() throws -> Prepared {
    if let appendStatement { return appendStatement }
    let made = Prepared(
      statement: try Statement(write.append(rowCount: batchSize).text, on: connection),
      bindings: bindings(of: write.append(rowCount: 1)))
    appendStatement = made
    return made
  }

  /// Clears the bindings of inserts, which point into rows.
  func clearInsertBindings() {
    insertStatement?.statement.clearBindings()
    appendStatement?.statement.clearBindings()
  }

  func delete() throws -> Prepared {
    if let deleteStatement { return deleteStatement }
    let made = try prepare(write.delete())
    deleteStatement = made
    return made
  }

  /// The statement that updates a set of columns. Kept, because programs change the same few sets.
  func update(_ changed: SlotSet) throws -> Prepared {
    if let known = updates[changed] { return known }
    if updates.count >= 100 { updates = [:] }
    let made = try prepare(write.update(changed))
    updates[changed] = made
    return made
  }

  /// The kind of result of a query.
  enum Wanted { case rows, keys, count }

  private struct KnownQuery {
    let wanted: Wanted
    let plan: RangePlan?
    let shape: QueryShape
    let statement: Statement
  }

  // @exclusivity(unchecked): a session is confined to one isolation, and this is accessed in every
  // query.
  @exclusivity(unchecked) private var known: ContiguousArray<KnownQuery> = []

  /// The statement of a query and its bindings. A query of a known shape is not translated again.
  func select(_ wanted: Wanted, _ query: StoreQuery) throws -> (
    statement: Statement, bindings: [SQLBinding]
  ) {
    let plan = wanted == .count ? nil : try plan(query)
    guard let bindings = select.bindings(query) else { return try translated(wanted, query, plan) }
    if let known = known.first(where: {
      $0.wanted == wanted && $0.plan == plan && $0.shape.fits(query)
    }) {
      // A running statement belongs to a loop of a caller.
      return known.statement.isRunning
        ? try translated(wanted, query, plan) : (known.statement, bindings)
    }
    let made = try translated(wanted, query, plan)
    // A condition with a long list is hardly used twice, and would keep much memory.
    if bindings.count > 100 { return made }
    if known.count >= 16 { known.removeFirst() }
    known.append(
      KnownQuery(
        wanted: wanted, plan: plan, shape: QueryShape(of: query), statement: made.statement))
    return made
  }

  private func translated(_ wanted: Wanted, _ query: StoreQuery, _ plan: RangePlan?) throws -> (
    statement: Statement, bindings: [SQLBinding]
  ) {
    let sql =
      switch wanted {
      case .rows: select.rows(query, plan)
      case .keys: select.keys(query, plan)
      case .count: select.count(query)
      }
    return (try connection.statement(sql.text), sql.bindings)
  }

  /// The better plan for a query of a range; nil for other queries, for which SQLite chooses.
  private func plan(_ query: StoreQuery) throws -> RangePlan? {
    guard keysAreRowIDs, let choice = RangeChoice(query, layout),
      let threshold = choice.threshold(rowCount: try maxKey())
    else { return nil }
    let counted = try count(
      StoreQuery(entity: query.entity, predicate: choice.range, limit: threshold))
    return counted < threshold ? .byIndex : .byKey
  }

  /// The number of objects that a query finds.
  func count(_ query: StoreQuery) throws -> Int {
    let (statement, bindings) = try select(.count, query)
    defer { statement.reset(clearingLarge: bindings) }
    try statement.bind(bindings)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  private var maxKeyStatement: Statement?

  private func maxKey() throws -> Int64 {
    let statement =
      try maxKeyStatement ?? Statement(select.maxKey().text, on: connection)
    maxKeyStatement = statement
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  // A running statement belongs to a loop of a caller, here and below: a row that is read may
  // release a value whose deinit reads another object.

  /// The statement that reads the row of one key.
  @inline(__always)
  func rowByKey() throws -> Statement {
    if let oneRow, !oneRow.isRunning { return oneRow }
    let made = try Statement(select.rows(keyCount: 1).text, on: connection)
    oneRow = made
    return made
  }

  /// The statement that reads the rows of a number of keys.
  func rows(keyCount: Int) throws -> Statement {
    if let known = keyed[keyCount], !known.isRunning { return known }
    let made = try Statement(select.rows(keyCount: keyCount).text, on: connection)
    keyed[keyCount] = made
    return made
  }
}
