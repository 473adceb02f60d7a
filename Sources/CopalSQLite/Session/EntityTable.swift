import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The rows of an entity in a session: translators, row readers and prepared statements. The rows
/// of its subentities are in the same table.
final class EntityTable {
  let layout: EntityLayout
  let mapping: TableMapping
  let select: SelectTranslator
  let write: WriteTranslator
  /// Reads rows of the entity itself.
  let reader: StatementRowReader
  /// Reads rows of the entity and of its subentities; nil for an entity without any.
  let familyReader: FamilyRowReader?
  /// Whether the key column is the rowid, and so always an INTEGER. It may not be in a table that
  /// another tool has rebuilt.
  let keysAreRowIDs: Bool
  /// The positions of the entity and of its subentities.
  private let kinds: [Int]
  private let schema: StoreSchema
  private let connection: Connection
  private var updates: [SlotSet: Prepared] = [:]
  private var rangeUpdates: [SlotSet: Prepared] = [:]
  private var keyed: [Int: Statement] = [:]

  init(
    _ layout: EntityLayout, _ schema: StoreSchema, _ connection: Connection, keysAreRowIDs: Bool
  ) {
    self.layout = layout
    self.keysAreRowIDs = keysAreRowIDs
    self.schema = schema
    self.connection = connection
    kinds = schema.kinds(of: layout.index)
    reader = StatementRowReader(layout)
    familyReader =
      schema.descendants[layout.index].isEmpty ? nil : FamilyRowReader(layout, schema)
    mapping = TableMapping(layout, in: schema)
    select = SelectTranslator(mapping, SQLiteDialect())
    write = WriteTranslator(mapping, SQLiteDialect())
    appends = keysAreRowIDs
    batchSize = min(25, max(1, 1000 / (layout.columns.count + 1)))
  }

  /// A prepared statement with its placeholders.
  struct Prepared {
    let statement: Statement
    let placeholders: ContiguousArray<RowPlaceholder>
  }

  func prepare(_ sql: SQLStatement) throws -> Prepared {
    Prepared(
      statement: try Statement(sql.text, on: connection), placeholders: placeholders(of: sql))
  }

  /// Prepares a statement for several rows.
  ///
  /// - Parameter row: the same for one row, whose placeholders are those of each of the rows.
  func prepare(_ sql: SQLStatement, row: SQLStatement) throws -> Prepared {
    Prepared(
      statement: try Statement(sql.text, on: connection), placeholders: placeholders(of: row))
  }

  private func placeholders(of sql: SQLStatement) -> ContiguousArray<RowPlaceholder> {
    ContiguousArray(sql.values.compactMap { RowPlaceholder($0, layout) })
  }

  private var oneRow: Statement?
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

  /// The statement that inserts a batch of rows with consecutive keys; its placeholders are those
  /// of one row.
  func append() throws -> Prepared {
    if let appendStatement { return appendStatement }
    let made = try prepare(write.append(rowCount: batchSize), row: write.append(rowCount: 1))
    appendStatement = made
    return made
  }

  /// Clears the placeholders of inserts, which point into rows.
  func clearInsertPlaceholders() {
    insertStatement?.statement.clearPlaceholders()
    appendStatement?.statement.clearPlaceholders()
  }

  func delete() throws -> Prepared {
    if let deleteStatement { return deleteStatement }
    let made = try prepare(write.delete())
    deleteStatement = made
    return made
  }

  /// The number of rows that the statement of ``deleteMany()`` deletes.
  static let deleteBatch = 100
  private var deleteManyStatement: Statement?

  /// The statement that deletes a batch of rows which have one version. One by one takes a third
  /// more time.
  func deleteMany() throws -> Statement {
    if let deleteManyStatement { return deleteManyStatement }
    let made = try Statement(
      write.delete(rowCount: Self.deleteBatch).text, on: connection)
    deleteManyStatement = made
    return made
  }

  /// The number of consecutive keys from which on the statements of ``deleteRange()`` and
  /// ``updateRange(_:)`` are used.
  static let leastRange = 16
  private var deleteRangeStatement: Statement?

  /// The statement that deletes all rows between two keys which have one version. A list of keys
  /// takes a half more time.
  func deleteRange() throws -> Statement {
    if let deleteRangeStatement { return deleteRangeStatement }
    let made = try Statement(write.deleteRange().text, on: connection)
    deleteRangeStatement = made
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

  /// The statement that gives the rows between two keys the same values in a set of columns. One by
  /// one takes twice the time.
  func updateRange(_ changed: SlotSet) throws -> Prepared {
    if let known = rangeUpdates[changed] { return known }
    if rangeUpdates.count >= 100 { rangeUpdates = [:] }
    let made = try prepare(write.updateRange(changed))
    rangeUpdates[changed] = made
    return made
  }

  private var lastColumns: (changed: SlotSet, columns: [EntityLayout.Column])?

  /// The columns of some slots. Kept for the last ones, because a save usually changes the same
  /// slots of many rows.
  func columns(_ changed: SlotSet) -> [EntityLayout.Column] {
    if let lastColumns, lastColumns.changed == changed { return lastColumns.columns }
    let columns = layout.columns.filter { changed.contains($0.slot) }
    lastColumns = (changed, Array(columns))
    return Array(columns)
  }

  private struct QueryName: Hashable {
    let shape: QueryShape
    let plan: ReadingPlan?
    let stale: StaleRows
  }

  private var known: [QueryName: PreparedQuery] = [:]
  /// The query that was looked up last. Programs repeat a query with other constants, and a
  /// comparison takes less time than a look-up by hash.
  private var last: PreparedQuery?
  private var preparedCount = 0

  /// The statement of a query. A query of a known shape is not translated again.
  func select(_ result: QueryResult, _ query: StoreQuery) throws -> PreparedQuery {
    try select(result, query, result == .count ? nil : try plan(query, result))
  }

  /// The statement of a query with a plan.
  func select(_ result: QueryResult, _ query: StoreQuery, _ plan: ReadingPlan?) throws
    -> PreparedQuery
  {
    let shape = query.shape(result)
    // A running statement belongs to a loop of a caller, here and below.
    if let last, last.plan == plan, last.stale == connection.staleRows.assumed, last.shape == shape,
      !last.statement.isRunning
    {
      return last
    }
    return try lookUp(shape, plan)
  }

  private func lookUp(_ shape: QueryShape, _ plan: ReadingPlan?) throws -> PreparedQuery {
    let name = QueryName(shape: shape, plan: plan, stale: connection.staleRows.assumed)
    if let found = known[name] {
      if found.statement.isRunning { return try prepare(shape, plan) }
      last = found
      return found
    }
    let made = try prepare(shape, plan)
    // A condition with a long list is hardly used twice, and would keep much memory.
    if made.values.count > 100 { return made }
    if known.count >= 16, let oldest = known.min(by: { $0.value.number < $1.value.number }) {
      known[oldest.key] = nil
    }
    known[name] = made
    last = made
    return made
  }

  private func prepare(_ shape: QueryShape, _ plan: ReadingPlan?) throws -> PreparedQuery {
    let sql = select.statement(shape, plan, connection.staleRows.assumed)
    preparedCount += 1
    return PreparedQuery(
      shape, plan, connection.staleRows.assumed, try connection.statement(sql), values: sql.values,
      number: preparedCount)
  }

  /// The plan for a query; nil if SQLite chooses a good one.
  private func plan(_ query: StoreQuery, _ result: QueryResult) throws -> ReadingPlan? {
    let isPart = isPart(query)
    if result == .rows, !isPart, sortsRows(query) { return .unsorted }
    if mapping.staleName != nil, query.sortKeys.isEmpty, isFoundByDerived(query.shape(.rows)) {
      return .byIndex
    }
    if isPart, select.findsByConstraint(query.shape(.rows)) { return nil }
    let range = try rangePlan(query)
    if range == .byIndex || !isPart { return range }
    let shape = query.shape(.rows)
    if select.sortsByIndex(shape) { return try sortPlan(query) }
    return select.usesOtherIndex(shape) ? nil : try kindPlan(query)
  }

  private func isFoundByDerived(_ shape: QueryShape) -> Bool {
    connection.staleRows.assumed == .none
      ? select.findsRangeByDerived(shape) : select.findsByDerivedAndMarks(shape)
  }

  /// Whether the session keeps the first rows of a sorted query itself, which takes less time than
  /// SQLite's temporary table.
  private func sortsRows(_ query: StoreQuery) -> Bool {
    guard let limit = query.limit, !query.sortKeys.isEmpty, familyReader == nil else {
      return false
    }
    return (1...Self.greatestSort).contains(limit) && query.offset < Self.greatestSort
      && select.canSortRows(query.shape(.rows))
  }

  /// The greatest limit of a query whose rows the session sorts. The rows up to it are in memory.
  private static let greatestSort = 1000

  /// The plan for a query of a range; nil for other queries.
  private func rangePlan(_ query: StoreQuery) throws -> ReadingPlan? {
    guard keysAreRowIDs, let choice = RangeChoice(query, layout, in: schema),
      let threshold = choice.threshold(rowCount: try maxKey())
    else { return nil }
    let range = StoreQuery(
      entity: query.entity, condition: choice.range, parameters: query.parameters,
      limit: threshold, includesSubentities: query.includesSubentities)
    return try count(range) < threshold ? .byIndex : .byKey
  }

  /// Whether a query is for some entities of a table of several.
  private func isPart(_ query: StoreQuery) -> Bool {
    mapping.entityColumnName != nil
      && (layout.root != layout.index || !query.includesSubentities)
  }

  /// The plan for a sorted query of some entities with a limit whose first rows the index of the
  /// first sort key gives, where the rows of all entities are.
  private func sortPlan(_ query: StoreQuery) throws -> ReadingPlan? {
    guard keysAreRowIDs, let limit = query.limit else { return nil }
    let rowCount = try maxKey()
    if rowCount < KindChoice.leastRowCount { return nil }
    let threshold = KindChoice.threshold(
      rowCount: rowCount, wantedCount: Double(limit) + Double(query.offset))
    let some = StoreQuery(
      entity: query.entity, limit: threshold, includesSubentities: query.includesSubentities)
    return try count(some) < threshold ? .byEntity : nil
  }

  /// The plan for a query of some entities that only their index finds.
  private func kindPlan(_ query: StoreQuery) throws -> ReadingPlan? {
    let entities = query.includesSubentities ? kinds : [layout.index]
    // The index gives the rows in the order of their keys, so that a limit ends the query.
    if !keysAreRowIDs || entities.count == 1 && query.sortKeys.isEmpty && query.limit != nil {
      return nil
    }
    let rowCount = try maxKey()
    if rowCount < KindChoice.leastRowCount { return nil }
    let needsSort = entities.count > 1 && query.sortKeys.isEmpty
    let name = KindQuery(entityCount: entities.count, needsSort: needsSort)
    if let known = kindPlans[name], known.rowCount == rowCount { return known.plan }
    var choice = KindChoice(rowCount: rowCount)
    for part in choice.parts { choice.add(try keys(of: entities, in: part)) }
    let plan = choice.prefersKey(needsSort: needsSort) ? ReadingPlan.byKey : nil
    kindPlans[name] = (rowCount, plan)
    return plan
  }

  private struct KindQuery: Hashable {
    let entityCount: Int
    let needsSort: Bool
  }

  /// The plans of queries of some entities, and the greatest key for which they were made.
  private var kindPlans: [KindQuery: (rowCount: Int64, plan: ReadingPlan?)] = [:]
  private var kindStatements: [Int: Statement] = [:]

  /// The keys of the rows of some entities in a part of the table, in their order.
  private func keys(of entities: [Int], in part: ClosedRange<Int64>) throws -> [Int64] {
    var keys: [Int64] = []
    for entity in entities {
      let statement =
        try kindStatements[entity] ?? Statement(select.keys(ofEntity: entity).text, on: connection)
      kindStatements[entity] = statement
      defer { statement.reset() }
      try statement.setPlaceholder(1, integer: part.lowerBound)
      try statement.setPlaceholder(2, integer: part.upperBound)
      while try statement.step() { keys.append(statement.integer(0)) }
    }
    return entities.count == 1 ? keys : keys.inOrder()
  }

  /// The number of objects that a query finds.
  func count(_ query: StoreQuery) throws -> Int {
    let prepared = try select(.count, query)
    defer { prepared.statement.resetQuery() }
    try prepared.statement.setPlaceholders(prepared.values, of: query, layout)
    return try prepared.statement.step() ? Int(prepared.statement.integer(0)) : 0
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

/// The prepared statement of all queries of a shape: the placeholders take their values from each
/// query.
final class PreparedQuery {
  let shape: QueryShape
  let plan: ReadingPlan?
  /// Which stale rows the statement is for.
  let stale: StaleRows
  let statement: Statement
  let values: [PlaceholderValue]
  /// The number of queries of the table that were prepared so far.
  let number: Int

  init(
    _ shape: QueryShape, _ plan: ReadingPlan?, _ stale: StaleRows, _ statement: Statement,
    values: [PlaceholderValue], number: Int
  ) {
    self.shape = shape
    self.plan = plan
    self.stale = stale
    self.statement = statement
    self.values = values
    self.number = number
  }
}
