public import CopalStore

/// Makes the SELECT statements that find references and links to rows that do not exist.
public struct CheckTranslator {
  private let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The rows with a value in a slot that is the key of no row of some tables: their keys, and these values.
  public func missing(
    bySlot slot: Int, of mapping: TableMapping, in others: [TableMapping]
  ) -> SQLStatement {
    let column = mapping.column(slot)
    let sql: SQLFragment =
      "SELECT " + mapping.key + ", " + column + " FROM " + mapping.table + " WHERE " + column
      + " IS NOT NULL AND " + isMissing(column, in: others) + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }

  /// The links whose object at an end is in none of some tables: the keys of owner and member.
  public func missing(_ end: LinkTable.End, of links: LinkMapping, in others: [TableMapping])
    -> SQLStatement
  {
    let sql: SQLFragment =
      "SELECT " + links.owner + ", " + links.member + " FROM " + links.table + " WHERE "
      + isMissing(links.column(at: end), in: others) + " ORDER BY " + links.owner + ", "
      + links.member
    return sql.statement(in: dialect)
  }

  private func isMissing(_ column: SQLFragment, in others: [TableMapping]) -> SQLFragment {
    others.map { column + " NOT IN (SELECT " + $0.key + " FROM " + $0.table + ")" }
      .joined(by: " AND ")
  }
}
