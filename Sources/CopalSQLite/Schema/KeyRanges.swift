import CopalSQL

/// The rows of a table in ranges of keys, for statements that must not write all of them at once.
struct KeyRanges {
  /// The number of keys of a range. Where rows are few, it grows.
  private static let size: Int64 = 20_000

  private let connection: Connection
  private let table: TableMapping

  init(_ connection: Connection, _ table: TableMapping) {
    self.connection = connection
    self.table = table
  }

  /// Calls the body for each range that has a row, in their order.
  ///
  /// - Parameter write: returns the number of rows that it has written.
  func forEach(_ write: (ClosedRange<Int64>) throws -> Int) throws {
    let select = SelectTranslator(table, SQLiteDialect())
    // Keys of another program can be negative, and far from each other.
    var key = Int64.min
    var span = Self.size
    while let next = try connection.integers(select.nextKey(after: key)).first {
      let (sum, isTooGreat) = next.addingReportingOverflow(span - 1)
      let last = isTooGreat ? Int64.max : sum
      let count = try write(next...last)
      if last == Int64.max { return }
      key = last
      span = count < Self.size / 4 ? min(span, Int64.max / 4) * 4 : Self.size
    }
  }
}
