public import CopalStore

/// Makes the SELECT statements that find references and links to rows that do not exist, and rows
/// with the same unique values.
public struct CheckTranslator {
  private let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The rows of an entity itself with a value in a slot that is the key of no object of another
  /// entity: their keys, and these values.
  public func missing(bySlot slot: Int, of mapping: TableMapping, in other: TableMapping)
    -> SQLStatement
  {
    let column = mapping.column(slot)
    let entity = mapping.isEntity(withSubentities: false).map { " AND " + $0 } ?? ""
    let sql: SQLFragment =
      "SELECT " + mapping.key + ", " + column + " FROM " + mapping.table + " WHERE " + column
      + " IS NOT NULL" + entity + " AND " + isMissing(column, in: other) + " ORDER BY "
      + mapping.key
    return sql.statement(in: dialect)
  }

  /// The links whose object at an end does not exist, or is of another entity: the keys of owner
  /// and member.
  public func missing(_ end: LinkTable.End, of links: LinkMapping, in other: TableMapping)
    -> SQLStatement
  {
    let sql: SQLFragment =
      "SELECT " + links.owner + ", " + links.member + " FROM " + links.table + " WHERE "
      + isMissing(links.column(at: end), in: other) + " ORDER BY " + links.owner + ", "
      + links.member
    return sql.statement(in: dialect)
  }

  /// The groups of rows with the same values in a unique constraint: for each group its least and
  /// its greatest key, and the number of its rows. No index is used, because one that is damaged or
  /// of something else can be in its place.
  public func repeated(_ constraint: EntityLayout.UniqueConstraint, of mapping: TableMapping)
    -> SQLStatement
  {
    let values = constraint.slots.map { slot in
      constraint.ignoring[slot].flatMap { dialect.search?.folded($0, mapping.column(slot)) }
        ?? mapping.column(slot)
    }
    let conditions =
      values.map { $0 + " IS NOT NULL" }
      + [mapping.isEntity(withSubentities: true, dialect.notByIndex)].compactMap { $0 }
    let sql: SQLFragment =
      "SELECT min(" + mapping.key + "), max(" + mapping.key + "), count(*) FROM " + mapping.table
      + dialect.withoutIndexes + " WHERE " + conditions.joined(by: " AND ") + " GROUP BY "
      + values.joined(by: ", ") + " HAVING count(*) > 1 ORDER BY 1"
    return sql.statement(in: dialect)
  }

  private func isMissing(_ column: SQLFragment, in other: TableMapping) -> SQLFragment {
    let entity = other.isEntity(withSubentities: true).map { " WHERE " + $0 } ?? ""
    return dialect.isNotIn(
      column, selection: "SELECT " + other.key + " FROM " + other.table + entity)
  }
}
