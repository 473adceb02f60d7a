import CopalStore

/// Makes the SELECT statements that find the names of files in the columns of attributes whose
/// large values are in files.
public struct FileTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping

  /// A translator for a table and a dialect.
  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
  }

  /// Whether a row of the table has the name of a file in the column of a slot: one row, or none.
  /// The name is bound.
  public func hasFile(_ slot: Int) -> SQLStatement {
    let column = mapping.column(slot)
    let sql: SQLFragment =
      "SELECT 1 FROM " + mapping.table + " WHERE " + isFileName(slot) + " AND " + column + " = "
      + .value(.null, .text) + " LIMIT 1"
    return sql.statement(in: dialect)
  }

  /// All names of files in the column of a slot.
  public func names(_ slot: Int) -> SQLStatement {
    let sql: SQLFragment =
      "SELECT " + mapping.column(slot) + " FROM " + mapping.table + " WHERE " + isFileName(slot)
    return sql.statement(in: dialect)
  }

  /// The name of a file in the column of a slot, of one row: one row, or none.
  public func name(_ slot: Int) -> SQLStatement {
    let sql: SQLFragment =
      "SELECT " + mapping.column(slot) + " FROM " + mapping.table + " WHERE " + mapping.key + " = "
      + .key + " AND " + isFileName(slot)
    return sql.statement(in: dialect)
  }

  private func isFileName(_ slot: Int) -> SQLFragment {
    dialect.isFileName(mapping.column(slot)) ?? dialect.truth(false)
  }
}
