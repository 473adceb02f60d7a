public import CopalModel
import CopalStore

/// The statements that make an entity's table, and that add to it.
public struct SchemaTranslator {
  private let dialect: any SQLDialect

  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The table.
  public func createTable(_ mapping: TableMapping) -> SQLStatement {
    let columns = (0..<mapping.layout.storedCount).map { definition($0, mapping) }
    return (head(mapping) + columns.map { ", " + $0 }.joined(by: "") + ")").statement(in: dialect)
  }

  /// How the statement that makes the table begins: up to the columns of the attributes.
  public func tableHead(_ mapping: TableMapping) -> String {
    head(mapping).statement(in: dialect).text
  }

  private func head(_ mapping: TableMapping) -> SQLFragment {
    "CREATE TABLE " + mapping.table + " (" + mapping.key + " "
      + .dialectWord(dialect.keyColumnType) + ", " + mapping.version + " "
      + .dialectWord(dialect.columnType(.integer)) + " NOT NULL"
  }

  /// One more column, empty in every row.
  public func addColumn(_ slot: Int, _ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "ALTER TABLE " + mapping.table + " ADD COLUMN " + definition(slot, mapping)
    return sql.statement(in: dialect)
  }

  /// The same value for a column of every row.
  public func fillColumn(_ slot: Int, with value: PropertyValue, _ mapping: TableMapping)
    -> SQLStatement
  {
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + mapping.column(slot) + " = "
      + .binding(mapping.binding(value, slot: slot))
    return sql.statement(in: dialect)
  }

  /// A column of the row at hand.
  public func setColumn(_ slot: Int, to value: PropertyValue, _ mapping: TableMapping)
    -> SQLStatement
  {
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + mapping.column(slot) + " = "
      + .binding(mapping.binding(value, slot: slot)) + " WHERE " + mapping.key + " = "
      + .binding(.key)
    return sql.statement(in: dialect)
  }

  /// An index that an entity has: for a unique constraint, or one of the model's own.
  public struct Index {
    public let name: String
    public let slots: [Int]
    public let isUnique: Bool
    /// The statement that makes it where there is none of its name.
    public let creation: String
    /// The same as a database keeps it among its definitions.
    public let definition: String
  }

  /// The indexes of an entity: of its unique constraints and of its own.
  public func indexes(_ mapping: TableMapping) -> [Index] {
    mapping.layout.uniqueConstraints.map { index($0, isUnique: true, mapping) }
      + mapping.layout.indexes.map { index($0, isUnique: false, mapping) }
  }

  private func index(_ slots: [Int], isUnique: Bool, _ mapping: TableMapping) -> Index {
    let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX "
    let name = mapping.indexName(slots, isUnique: isUnique)
    let rest: SQLFragment =
      .identifier(name) + " ON " + mapping.table + " ("
      + slots.map(mapping.column).joined(by: ", ") + ")"
    return Index(
      name: name, slots: slots, isUnique: isUnique,
      creation: (kind + "IF NOT EXISTS " + rest).statement(in: dialect).text,
      definition: (kind + rest).statement(in: dialect).text)
  }

  private func definition(_ slot: Int, _ mapping: TableMapping) -> SQLFragment {
    mapping.column(slot) + " "
      + .dialectWord(dialect.columnType(mapping.layout.storage[slot]))
  }
}
