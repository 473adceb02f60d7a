public import CopalStore

/// The statements that a save sends.
public struct WriteTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping

  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
  }

  /// A whole new row with a key of its own.
  public func insert() -> SQLStatement {
    insert(
      columns: [mapping.key, mapping.version] + mapping.columns,
      values: [.binding(.key), .binding(.newVersion)] + slots, rowCount: 1)
  }

  /// Whole new rows with the keys that follow the greatest one, bound one after the other.
  ///
  /// Cheaper than rows with keys: SQLite need not look for a key that it makes itself.
  public func append(rowCount: Int) -> SQLStatement {
    insert(
      columns: [mapping.version] + mapping.columns, values: [.binding(.newVersion)] + slots,
      rowCount: rowCount)
  }

  private var slots: [SQLFragment] {
    (0..<mapping.layout.storedCount).map { SQLFragment.binding(.slot($0)) }
  }

  // OR FAIL: what a failing statement has inserted stays until the transaction is rolled back, as it is
  // after every failure. Undoing a statement of several rows by itself would cost more than it saves.
  private func insert(columns: [SQLFragment], values: [SQLFragment], rowCount: Int) -> SQLStatement
  {
    let row: SQLFragment = "(" + values.joined(by: ", ") + ")"
    let rows = [SQLFragment](repeating: row, count: rowCount).joined(by: ", ")
    let sql: SQLFragment =
      "INSERT OR FAIL INTO " + mapping.table + " (" + columns.joined(by: ", ") + ") VALUES " + rows
    return sql.statement(in: dialect)
  }

  /// The changed columns of a row that is still at the version it was read with.
  public func update(_ changed: SlotSet) -> SQLStatement {
    let assignments =
      [mapping.version + " = " + .binding(.newVersion)]
      + changed.map { mapping.column($0) + " = " + .binding(.slot($0)) }
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + assignments.joined(by: ", ") + ifUnchanged
    return sql.statement(in: dialect)
  }

  /// Takes the values of some columns away, so that other rows of the save may have them.
  public func clearUniqueValues(_ slots: [Int]) -> SQLStatement {
    let assignments = slots.map { mapping.column($0) + " = NULL" }
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + assignments.joined(by: ", ") + " WHERE " + mapping.key
      + " = " + .binding(.key)
    return sql.statement(in: dialect)
  }

  /// A row that is still at the version it was read with.
  public func delete() -> SQLStatement {
    let sql: SQLFragment = "DELETE FROM " + mapping.table + ifUnchanged
    return sql.statement(in: dialect)
  }

  private var ifUnchanged: SQLFragment {
    " WHERE " + mapping.key + " = " + .binding(.key) + " AND " + mapping.version + " = "
      + .binding(.version)
  }
}
