public import CopalStore

/// The statements that a save sends.
public struct WriteTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping

  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
  }

  /// A whole new row.
  public func insert() -> SQLStatement {
    let columns = [mapping.key, mapping.version] + mapping.columns
    let values =
      [SQLFragment.binding(.key), .binding(.newVersion)]
      + (0..<mapping.layout.storedCount).map { SQLFragment.binding(.slot($0)) }
    let sql: SQLFragment =
      "INSERT INTO " + mapping.table + " (" + columns.joined(by: ", ") + ") VALUES ("
      + values.joined(by: ", ") + ")"
    return sql.statement(in: dialect)
  }

  /// The changed columns of a row that is still at the version it was read with.
  public func update(_ changed: SlotSet) -> SQLStatement {
    let assignments =
      [mapping.version + " = " + .binding(.newVersion)]
      + changed.slots.map { mapping.column($0) + " = " + .binding(.slot($0)) }
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + assignments.joined(by: ", ") + ifUnchanged
    return sql.statement(in: dialect)
  }

  /// Takes the values of some columns away, so that other rows of the save may have them.
  public func vacate(_ slots: [Int]) -> SQLStatement {
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
