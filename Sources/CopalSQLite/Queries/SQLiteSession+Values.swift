import CopalModel
import CopalSQL
import CopalStore

extension SQLiteSession {
  var interrupt: (@Sendable () -> Void)? { connection.interrupt }

  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try withDerivedColumns { try fetchValuesOnce(query) }
  }

  func fetchValuesOnce(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try prepareToRead()
    let table = table(query.objects.entity)
    let sql = table.select.statement(query, connection.staleRows.assumed)
    let statement = try connection.statement(sql)
    defer { statement.resetQuery() }
    var bound = query.objects
    (bound.limit, bound.offset) = (query.limit, query.offset)
    try statement.setPlaceholders(sql.values, of: bound, table.layout)
    let numbers = query.countsUnreadable ? query.values.map { _ in QueryValueType.integer } : []
    let letters = (query.columns.map(\.type) + numbers).map {
      CalculationFunction.letter(of: $0).utf8.first ?? 0
    }
    var rows: [[PropertyValue]] = []
    // SQLite writes temporary files when it sorts or groups many rows.
    try FileSizeSignal.heldBack(failuresAreThrown: true) {
      while try statement.step() {
        rows.append(letters.indices.map { statement.value(Int32($0), letters[$0]) })
      }
    }
    return rows
  }
}

/// What programs keep beside their objects.
extension SQLiteSession {
  func fetchMetadata(named name: String?) throws -> [String: MetadataValue] {
    // Both statements see one state of the store.
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    return try ProgramMetadata(connection).values(name)
  }
}
