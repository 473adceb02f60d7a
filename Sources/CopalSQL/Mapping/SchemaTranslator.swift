import CopalModel
import CopalStore

/// Makes the SQL statements that create and change the tables of entities and of links.
public struct SchemaTranslator {
  let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The statement that creates the table of a root and its subentities.
  ///
  /// - Parameter family: the mapping of the root, and those of its subentities.
  public func createTable(_ family: [TableMapping]) -> SQLStatement {
    guard let root = family.first else { return SQLStatement(text: "", values: []) }
    let columns = family.flatMap { mapping in
      mapping.layout.ownColumns.map { definition($0.slot, mapping) }
    }
    return (head(root) + columns.map { ", " + $0 }.joined(by: "") + ")").statement(in: dialect)
  }

  /// The beginning of the statement that creates the table: the columns that every table has.
  public func tableHead(_ mapping: TableMapping) -> String {
    keyAndVersion(mapping).statement(in: dialect).text
  }

  private func head(_ mapping: TableMapping) -> SQLFragment {
    let head = keyAndVersion(mapping)
    guard let entity = mapping.entityColumn else { return head }
    return head + ", " + definition(ofEntityColumn: entity)
  }

  private func keyAndVersion(_ mapping: TableMapping) -> SQLFragment {
    "CREATE TABLE " + mapping.table + " (" + mapping.key + " "
      + .dialectWord(dialect.keyColumnType) + ", " + mapping.version + " "
      + .dialectWord(dialect.columnType(.integer)) + " NOT NULL"
  }

  func definition(ofEntityColumn column: SQLFragment) -> SQLFragment {
    column + " " + .dialectWord(dialect.columnType(.text)) + " NOT NULL"
  }

  /// The statement that adds a column, which is NULL in every row.
  public func addColumn(_ slot: Int, _ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "ALTER TABLE " + mapping.table + " ADD COLUMN " + definition(slot, mapping)
    return sql.statement(in: dialect)
  }

  /// An index of an entity's table: for a unique constraint, or for an index of the model.
  public struct Index {
    /// The name of the index.
    public let name: String
    /// The names of the columns of the index, the most significant first.
    public let columns: [String]
    /// Whether the index is for a unique constraint.
    public let isUnique: Bool
    /// The condition of the rows that the index has; nil for an index of all rows.
    public let condition: String?
    /// The statement that creates the index if there is no index of its name.
    public let creation: String
    /// The statement as the database keeps it in its schema, without `IF NOT EXISTS`.
    public let definition: String

    /// Whether the index has only the rows that meet a condition.
    public var isPartial: Bool { condition != nil }
  }

  /// The indexes of what an entity declares itself: first those for its unique constraints, then
  /// those of the model, then one for each to-one relationship, by which the objects of its inverse
  /// are found, in their order if they have one. In a table of several entities, the root has one
  /// more, by which the rows of an entity are found.
  public func indexes(_ mapping: TableMapping) -> [Index] {
    let layout = mapping.layout
    let references = layout.ownReferences.map { [$0.slot] + ($0.positionSlot.map { [$0] } ?? []) }
      .filter { !layout.ownIndexes.contains($0) }
    return layout.ownUniqueConstraints.map { constraint in
      index(
        constraint.slots, isUnique: true, mapping, condition: mapping.condition(of: constraint))
    } + (layout.ownIndexes + references).map { index($0, isUnique: false, mapping) }
      + entityIndex(mapping)
  }

  /// The indexes by which a row is found that has the name of a file: one for each attribute that
  /// an entity declares itself and whose large values are in files.
  ///
  /// They are no part of ``indexes(_:)``: a table has them once files are to be removed, so that a
  /// table without large values pays nothing for them.
  public func fileIndexes(_ mapping: TableMapping) -> [Index] {
    mapping.layout.ownExternalSlots.compactMap { slot in
      dialect.isFileName(mapping.column(slot)).map { condition in
        index(
          mapping.fileIndexName(slot), [mapping.columnNames[slot]], isUnique: false, mapping,
          condition: condition)
      }
    }
  }

  private func entityIndex(_ mapping: TableMapping) -> [Index] {
    guard mapping.layout.root == mapping.layout.index, let column = mapping.entityColumnName,
      let name = mapping.entityIndexName
    else { return [] }
    return [index(name, [column], isUnique: false, mapping)]
  }

  private func index(
    _ slots: [Int], isUnique: Bool, _ mapping: TableMapping, condition: SQLFragment? = nil
  ) -> Index {
    index(
      mapping.indexName(slots, isUnique: isUnique), slots.map { mapping.columnNames[$0] },
      isUnique: isUnique, mapping, condition: condition)
  }

  private func index(
    _ name: String, _ columns: [String], isUnique: Bool, _ mapping: TableMapping,
    condition: SQLFragment? = nil
  ) -> Index {
    let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX "
    let rest: SQLFragment =
      .identifier(name) + " ON " + mapping.table + " ("
      + columns.map { .identifier($0) }.joined(by: ", ") + ")"
      + (condition.map { " WHERE " + $0 } ?? "")
    return Index(
      name: name, columns: columns, isUnique: isUnique,
      condition: condition.map { $0.statement(in: dialect).text },
      creation: (kind + "IF NOT EXISTS " + rest).statement(in: dialect).text,
      definition: (kind + rest).statement(in: dialect).text)
  }

  private func definition(_ slot: Int, _ mapping: TableMapping) -> SQLFragment {
    let column =
      mapping.column(slot) + " " + .dialectWord(dialect.columnType(mapping.layout.storage(slot)))
    guard let table = mapping.referencedTable(slot) else { return column }
    return column + reference(to: table, mapping.key)
  }

  /// The clause of a column whose values are keys of a table. It is checked at the end of a
  /// transaction, so that the order of inserts does not matter.
  private func reference(to table: String, _ key: SQLFragment) -> SQLFragment {
    " REFERENCES " + .identifier(table) + " (" + key + ") DEFERRABLE INITIALLY DEFERRED"
  }

  // MARK: Tables of links

  /// The statement that creates a table of links.
  public func createTable(_ links: LinkMapping) -> SQLStatement {
    let integer = SQLFragment.dialectWord(dialect.columnType(.integer))
    var columns: [SQLFragment] = [
      links.owner + " " + integer + " NOT NULL" + reference(to: links.ownerTable, links.key),
      links.member + " " + integer + " NOT NULL" + reference(to: links.memberTable, links.key),
    ]
    columns += links.positions.map { $0 + " " + integer }
    columns.append("PRIMARY KEY (" + links.owner + ", " + links.member + ")")
    let sql: SQLFragment =
      "CREATE TABLE " + links.table + " (" + columns.joined(by: ", ") + ")"
    return (sql + dialect.keptByPrimaryKey).statement(in: dialect)
  }

  /// The indexes of a table of links: one for the way back, and one for the order of the members.
  public func indexes(_ links: LinkMapping) -> [LinkIndex] {
    let back = [links.member] + links.inversePosition.map { [$0] }.orEmpty + [links.owner]
    let order = links.position.map { [links.owner, $0, links.member] }
    return order.map { [index(links.names.orderIndex, $0, links)] }.orEmpty
      + [index(links.names.inverseIndex, back, links)]
  }

  /// An index of a table of links.
  public struct LinkIndex {
    /// The name of the index.
    public let name: String
    /// The statement that creates the index if there is no index of its name.
    public let creation: String
    /// The statement as the database keeps it in its schema, without `IF NOT EXISTS`.
    public let definition: String
  }

  private func index(_ name: String, _ columns: [SQLFragment], _ links: LinkMapping) -> LinkIndex {
    let rest: SQLFragment =
      .identifier(name) + " ON " + links.table + " (" + columns.joined(by: ", ") + ")"
    let creation: SQLFragment = "CREATE INDEX IF NOT EXISTS " + rest
    let definition: SQLFragment = "CREATE INDEX " + rest
    return LinkIndex(
      name: name, creation: creation.statement(in: dialect).text,
      definition: definition.statement(in: dialect).text)
  }
}

extension Optional where Wrapped: RangeReplaceableCollection {
  /// The collection, or an empty one.
  fileprivate var orEmpty: Wrapped { self ?? Wrapped() }
}
