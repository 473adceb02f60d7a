import CopalSQL
import CopalStore

extension SQLiteSession {
  /// The statement of a fetch of rows, and SQLite's plan for it: https://www.sqlite.org/eqp.html
  func explain(_ query: StoreQuery) throws -> QueryExplanation {
    try withDerivedColumns { try explainOnce(query) }
  }

  private func explainOnce(_ query: StoreQuery) throws -> QueryExplanation {
    try prepareToRead()
    let table = table(query.entity)
    let prepared = try table.select(.rows, query)
    var explanation = try explain(prepared.statement.text, prepared.values, of: query, table.layout)
    if prepared.plan == .unsorted {
      explanation.inMemory.append(
        "No index has the order: the rows are read in any order, and the first of it are kept.")
    }
    explanation.searches = table.select.searches(
      query.shape(.rows), connection.staleRows.assumed)
    explanation.objectCount = try table.count(query)
    return explanation
  }

  /// The same for a fetch of values.
  func explain(_ query: ValueQuery) throws -> QueryExplanation {
    try withDerivedColumns { try explainOnce(query) }
  }

  private func explainOnce(_ query: ValueQuery) throws -> QueryExplanation {
    try prepareToRead()
    let table = table(query.objects.entity)
    let sql = table.select.statement(query, connection.staleRows.assumed)
    var bound = query.objects
    (bound.limit, bound.offset) = (query.limit, query.offset)
    var explanation = try explain(sql.text, sql.values, of: bound, table.layout)
    explanation.searches = table.select.searches(
      query.objects.shape(.count), connection.staleRows.assumed)
    explanation.objectCount = try fetchValuesOnce(query).count
    return explanation
  }

  private func explain(
    _ text: String, _ values: [PlaceholderValue], of query: StoreQuery, _ layout: EntityLayout
  ) throws -> QueryExplanation {
    let statement = try Statement("EXPLAIN QUERY PLAN " + text, on: connection)
    defer { statement.reset() }
    try statement.setPlaceholders(values, of: query, layout)
    var steps: [String] = []
    while try statement.step() { if let step = statement.text(3) { steps.append(step) } }
    return QueryExplanation(
      statement: text, bindings: values.map { $0.value(in: query, layout).kind }, steps: steps,
      scannedTables: steps.compactMap { Self.scannedTable($0, text) })
  }

  /// The table of a step that reads all rows; nil for another step. A scan by an index that has all
  /// columns is one as well.
  private static func scannedTable(_ step: String, _ statement: String) -> String? {
    guard step.hasPrefix("SCAN ") else { return nil }
    let name = String(step.dropFirst(5).prefix { $0 != " " })
    // In a selection inside another one, a table has another name.
    guard let renamed = statement.firstRange(of: "\" AS \"\(name)\"") else { return name }
    return statement[..<renamed.lowerBound].split(separator: "\"").last.map(String.init) ?? name
  }
}

extension PlaceholderValue {
  /// The kind of the value, without the value.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    case .values, .parameter, .list, .limit, .offset, .slot, .derived, .key, .version, .newVersion:
      "unknown"
    }
  }
}
