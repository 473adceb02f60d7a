public import CopalStore

/// Makes the SQL statements that change a table of links. Each statement lists its placeholders.
public struct LinkTranslator {
  private let dialect: any SQLDialect
  private let links: LinkMapping

  /// A translator for a table of links and a dialect.
  public init(_ links: LinkMapping, _ dialect: any SQLDialect) {
    self.links = links
    self.dialect = dialect
  }

  /// Adds a link; one that exists stays as it is. Placeholders: owner, member, and a position for
  /// each ordered end, the owner's first.
  public func add() -> SQLStatement {
    let columns = [links.owner, links.member] + links.positions
    let values = [SQLFragment](repeating: Self.given, count: columns.count)
    let sql: SQLFragment =
      "INSERT INTO " + links.table + " (" + columns.joined(by: ", ") + ") VALUES ("
      + values.joined(by: ", ") + ") ON CONFLICT (" + links.owner + ", " + links.member
      + ") DO NOTHING"
    return sql.statement(in: dialect)
  }

  /// Changes the positions of a link, those that are not null. Placeholders: a position for each
  /// ordered end, the owner's first, then owner and member. Nil for a table without positions.
  public func move() -> SQLStatement? {
    if links.positions.isEmpty { return nil }
    let updates = links.positions.map { $0 + " = coalesce(" + Self.given + ", " + $0 + ")" }
    let sql: SQLFragment =
      "UPDATE " + links.table + " SET " + updates.joined(by: ", ") + isLink
    return sql.statement(in: dialect)
  }

  /// Removes a link. Placeholders: owner, member.
  public func remove() -> SQLStatement {
    ("DELETE FROM " + links.table + isLink).statement(in: dialect)
  }

  private var isLink: SQLFragment {
    " WHERE " + links.owner + " = " + Self.given + " AND " + links.member + " = " + Self.given
  }

  /// A placeholder for a key or a position that is given when the statement runs.
  private static var given: SQLFragment { .value(.null, .integer) }

  /// Removes every link of an object at an end. Placeholder: its key.
  public func removeAll(at end: LinkTable.End) -> SQLStatement {
    let sql: SQLFragment =
      "DELETE FROM " + links.table + " WHERE " + links.column(at: end) + " = " + .key
    return sql.statement(in: dialect)
  }

  /// The greatest position in the list of an object at an end; nil where it has no order.
  /// Placeholder: its key.
  public func greatestPosition(from end: LinkTable.End) -> SQLStatement? {
    links.position(from: end).map { position in
      let sql: SQLFragment =
        "SELECT max(" + position + ") FROM " + links.table + " WHERE " + links.column(at: end)
        + " = " + .key
      return sql.statement(in: dialect)
    }
  }

  /// The keys of the objects that are linked to an object at an end. Placeholder: its key.
  public func linked(at end: LinkTable.End) -> SQLStatement {
    let other = links.column(at: end.other)
    let sql: SQLFragment =
      "SELECT " + other + " FROM " + links.table + " WHERE " + links.column(at: end) + " = "
      + .key + " ORDER BY " + other
    return sql.statement(in: dialect)
  }
}
