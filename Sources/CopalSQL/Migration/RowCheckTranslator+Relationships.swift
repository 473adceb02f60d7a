/// The queries about pairs of objects of relationships.
extension RowCheckTranslator {
  /// The near objects of the pairs that refuse a migration, in their order.
  public func rows(against check: RelationshipChanges.Check) -> SQLStatement {
    let pairs = check.pairs
    let near = pairs.column(pairs.near.column)
    let far = pairs.column(pairs.far.column)
    var from: SQLFragment = " FROM " + .identifier(pairs.table) + " WHERE " + pairs.isPair
    if let rows = check.near { from += " AND " + rows.exist(for: near) }
    return switch check.rule {
    case .one:
      statement(
        "SELECT " + near + from + " GROUP BY " + near + " HAVING count(*) > 1 ORDER BY " + near)
    case .exists(let rows):
      statement("SELECT " + near + from + " AND NOT " + rows.exist(for: far) + " ORDER BY " + near)
    case .entity(let rows), .stays(let rows):
      statement("SELECT " + near + from + " AND " + rows.exist(for: far) + " ORDER BY " + near)
    }
  }
}
