/// The queries about pairs of objects of relationships.
extension RowCheckTranslator {
  /// The near objects of the pairs that refuse a migration, in their order; nil where no pair can
  /// do that.
  public func rows(against check: RelationshipChanges.Check) -> SQLStatement? {
    let pairs = isPlan ? check.oldPairs : check.pairs
    let near = SQLFragment.identifier(pairs.near)
    let from: SQLFragment = " FROM " + .identifier(pairs.table) + " WHERE " + pairs.isPair
    switch check.rule {
    case .one:
      return statement(
        "SELECT " + near + from + " GROUP BY " + near + " HAVING count(*) > 1 ORDER BY " + near)
    case .entity(let rows, let old, let all):
      // What does not exist is another finding.
      let far = pairs.column(pairs.far)
      let allowed = isPlan ? old : rows
      guard let existing = isPlan ? all : rows.ofAllEntities else { return nil }
      let isAllowed = allowed.map { " AND NOT " + $0.exist(for: far) } ?? ""
      return statement(
        "SELECT " + near + from + " AND " + existing.exist(for: far) + isAllowed + " ORDER BY "
          + near)
    case .exists(let rows, let old):
      let far = pairs.column(pairs.far)
      let isMissing = (isPlan ? old : rows).map { " AND NOT " + $0.exist(for: far) } ?? ""
      return statement("SELECT " + near + from + isMissing + " ORDER BY " + near)
    }
  }
}
