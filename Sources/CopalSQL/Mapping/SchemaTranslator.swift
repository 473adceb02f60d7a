public import CopalModel
import CopalStore

/// The statements that make an entity's table, and that add to it.
public struct SchemaTranslator {
  private let dialect: any SQLDialect

  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The table.
  public func createTable(_ mapping: TableMapping) -> SQLStatement {
    var columns = [
      mapping.key + " " + .dialectWord(dialect.keyColumnType),
      mapping.version + " " + .dialectWord(dialect.columnType(.integer)) + " NOT NULL",
    ]
    columns += (0..<mapping.layout.storedCount).map { definition($0, mapping) }
    let sql: SQLFragment = "CREATE TABLE " + mapping.table + " (" + columns.joined(by: ", ") + ")"
    return sql.statement(in: dialect)
  }

  /// One more column, empty in every row.
  public func addColumn(_ slot: Int, _ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "ALTER TABLE " + mapping.table + " ADD COLUMN " + definition(slot, mapping)
    return sql.statement(in: dialect)
  }

  /// The same value for a column of every row.
  public func fillColumn(_ slot: Int, with value: Value, _ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + mapping.column(slot) + " = "
      + .binding(mapping.binding(value, slot: slot))
    return sql.statement(in: dialect)
  }

  /// A column of the row at hand.
  public func setColumn(_ slot: Int, to value: Value, _ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + mapping.column(slot) + " = "
      + .binding(mapping.binding(value, slot: slot)) + " WHERE " + mapping.key + " = "
      + .binding(.key)
    return sql.statement(in: dialect)
  }

  /// The indexes of an entity: of its unique constraints and of its own.
  public func createIndexes(_ mapping: TableMapping) -> [SQLStatement] {
    mapping.layout.uniqueConstraints.map { createIndex($0, isUnique: true, mapping) }
      + mapping.layout.indexes.map { createIndex($0, isUnique: false, mapping) }
  }

  private func createIndex(_ slots: [Int], isUnique: Bool, _ mapping: TableMapping)
    -> SQLStatement
  {
    let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX "
    let name = SQLFragment.identifier(mapping.indexName(slots, isUnique: isUnique))
    let sql: SQLFragment =
      kind + "IF NOT EXISTS " + name + " ON " + mapping.table + " ("
      + slots.map(mapping.column).joined(by: ", ") + ")"
    return sql.statement(in: dialect)
  }

  private func definition(_ slot: Int, _ mapping: TableMapping) -> SQLFragment {
    mapping.column(slot) + " "
      + .dialectWord(dialect.columnType(mapping.layout.storage[slot]))
  }
}
