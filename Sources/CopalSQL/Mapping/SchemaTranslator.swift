public import CopalModel
import CopalStore

/// Makes the SQL statements that create and change an entity's table.
public struct SchemaTranslator {
  private let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The statement that creates the table.
  public func createTable(_ mapping: TableMapping) -> SQLStatement {
    let columns = mapping.layout.columns.map { definition($0.slot, mapping) }
    return (head(mapping) + columns.map { ", " + $0 }.joined(by: "") + ")").statement(in: dialect)
  }

  /// The beginning of the statement that creates the table, up to the columns of the attributes.
  public func tableHead(_ mapping: TableMapping) -> String {
    head(mapping).statement(in: dialect).text
  }

  private func head(_ mapping: TableMapping) -> SQLFragment {
    "CREATE TABLE " + mapping.table + " (" + mapping.key + " "
      + .dialectWord(dialect.keyColumnType) + ", " + mapping.version + " "
      + .dialectWord(dialect.columnType(.integer)) + " NOT NULL"
  }

  /// The statement that adds a column, which is NULL in every row.
  public func addColumn(_ slot: Int, _ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "ALTER TABLE " + mapping.table + " ADD COLUMN " + definition(slot, mapping)
    return sql.statement(in: dialect)
  }

  /// The statement that sets a column to one value in every row.
  public func fillColumn(_ slot: Int, with value: PropertyValue, _ mapping: TableMapping)
    -> SQLStatement
  {
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + mapping.column(slot) + " = "
      + .binding(mapping.binding(value, slot: slot))
    return sql.statement(in: dialect)
  }

  /// Sets a column of one row.
  public func setColumn(_ slot: Int, to value: PropertyValue, _ mapping: TableMapping)
    -> SQLStatement
  {
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + mapping.column(slot) + " = "
      + .binding(mapping.binding(value, slot: slot)) + " WHERE " + mapping.key + " = "
      + .binding(.key)
    return sql.statement(in: dialect)
  }

  /// An index of an entity's table: for a unique constraint, or for an index of the model.
  public struct Index {
    /// The name of the index.
    public let name: String
    /// The slots of the index, the most significant first.
    public let slots: [Int]
    /// Whether the index is for a unique constraint.
    public let isUnique: Bool
    /// The statement that creates the index if there is no index of its name.
    public let creation: String
    /// The statement as the database keeps it in its schema, without `IF NOT EXISTS`.
    public let definition: String
  }

  /// The indexes of an entity: first those for its unique constraints, then those of the model, then one for each
  /// to-one relationship, by which the objects of its inverse are found.
  public func indexes(_ mapping: TableMapping) -> [Index] {
    let layout = mapping.layout
    let references = layout.referenceSlots.map { [$0] }.filter { !layout.indexes.contains($0) }
    return layout.uniqueConstraints.map { index($0, isUnique: true, mapping) }
      + (layout.indexes + references).map { index($0, isUnique: false, mapping) }
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
      + .dialectWord(dialect.columnType(mapping.layout.storage(slot)))
  }
}
