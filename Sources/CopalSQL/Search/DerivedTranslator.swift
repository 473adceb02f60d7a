public import CopalStore

/// Makes the statements that keep the derived columns of a table right.
public struct DerivedTranslator {
  private let dialect: any SQLDialect & SearchDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect & SearchDialect) { self.dialect = dialect }

  /// A row whose derived columns do not hold: one row, or none.
  public func firstStale(_ mapping: TableMapping) -> SQLStatement {
    (staleKeys(mapping) + " LIMIT 1").statement(in: dialect)
  }

  private func staleKeys(_ mapping: TableMapping) -> SQLFragment {
    "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE " + stale(mapping)
      + " IS NOT NULL"
  }

  private func stale(_ mapping: TableMapping) -> SQLFragment {
    .identifier(mapping.staleName ?? "")
  }

  /// Derives the columns of the stale rows, at most of some.
  ///
  /// - Parameter family: the mappings of the root and its subentities.
  public func deriveStale(_ family: [TableMapping], limit: Int) -> SQLStatement? {
    family.first.flatMap { root in
      derive(
        family,
        " WHERE " + root.key + " IN (" + staleKeys(root) + isReadable(family) + " LIMIT "
          + .integer(Int64(limit)) + ")")
    }
  }

  /// Derives the columns of the rows with some keys.
  public func derive(_ family: [TableMapping], _ keys: ClosedRange<Int64>) -> SQLStatement? {
    family.first.flatMap { root in
      derive(
        family,
        " WHERE " + root.key + " BETWEEN " + .integer(keys.lowerBound) + " AND "
          + .integer(keys.upperBound))
    }
  }

  /// Derives the columns of one row if they do not hold.
  public func deriveMarked(_ family: [TableMapping]) -> SQLStatement? {
    family.first.flatMap { root in
      derive(
        family, " WHERE " + root.key + " = " + .key + " AND " + stale(root) + " IS NOT NULL"
      )
    }
  }

  /// The number of rows of a table.
  public func rowCount(_ mapping: TableMapping) -> SQLStatement {
    ("SELECT count(*) FROM " + mapping.table).statement(in: dialect)
  }

  /// Marks all rows, so that none keeps another from a unique value while the columns are made
  /// again. Nil where no constraint has a derived column. Where the program cannot make all of the
  /// columns, the marks stay.
  public func markAll(_ family: [TableMapping]) -> SQLStatement? {
    guard let root = family.first, Self.hasConstraint(family) || !root.canDerive else { return nil }
    return ("UPDATE " + root.table + " SET " + stale(root) + " = 1").statement(in: dialect)
  }

  private static func hasConstraint(_ family: [TableMapping]) -> Bool {
    family.contains { mapping in
      mapping.layout.ownUniqueConstraints.contains { !$0.ignoring.isEmpty }
    }
  }

  /// The keys of the rows that another program has written, and whose values another row has in a
  /// unique constraint that ignores something. Such a row keeps its mark.
  ///
  /// - Parameters:
  ///   - mapping: that of the declaring entity.
  ///   - isOfKey: whether only the row with a key is wanted.
  public func duplicates(
    _ constraint: EntityLayout.UniqueConstraint, _ mapping: TableMapping, isOfKey: Bool = false
  ) -> SQLStatement? {
    guard !constraint.ignoring.isEmpty, let isCurrent = mapping.isCurrent else { return nil }
    let same = zip(constraint.slots, mapping.columnNames(of: constraint)).map {
      (slot, column) -> SQLFragment in
      let value = mapping.table + "." + mapping.column(slot)
      let form = constraint.ignoring[slot].map { dialect.folded($0, value) }
      return "other." + .identifier(column) + " = " + (form ?? value)
    }
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE " + stale(mapping)
      + " IS NOT NULL" + isKind(mapping) + (isOfKey ? isKey(mapping) : "")
      + " AND EXISTS (SELECT 1 FROM " + mapping.table + " AS other WHERE other." + isCurrent
      + isKind(mapping, "other.") + " AND " + same.joined(by: " AND ") + ") ORDER BY "
      + mapping.key
    return sql.statement(in: dialect)
  }

  /// The keys of the marked rows, which are in no index of a unique constraint that ignores
  /// something, each with its values in the constraint.
  ///
  /// - Parameter mapping: that of the declaring entity.
  public func markedValues(
    _ constraint: EntityLayout.UniqueConstraint, _ mapping: TableMapping
  ) -> SQLStatement {
    let sql: SQLFragment =
      keyAndValues(constraint, mapping) + " WHERE " + stale(mapping) + " IS NOT NULL"
      + isKind(mapping) + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }

  /// The key of a row, with its values in a unique constraint: one row, or none.
  ///
  /// - Parameter mapping: that of the declaring entity.
  public func values(
    _ constraint: EntityLayout.UniqueConstraint, _ mapping: TableMapping
  ) -> SQLStatement {
    let sql: SQLFragment =
      keyAndValues(constraint, mapping) + " WHERE " + dialect.truth(true) + isKey(mapping)
      + isKind(mapping)
    return sql.statement(in: dialect)
  }

  private func keyAndValues(
    _ constraint: EntityLayout.UniqueConstraint, _ mapping: TableMapping
  ) -> SQLFragment {
    let values = constraint.slots.map { slot -> SQLFragment in
      let value = mapping.column(slot)
      return constraint.ignoring[slot].map { dialect.folded($0, value) } ?? value
    }
    return "SELECT " + ([mapping.key] + values).joined(by: ", ") + " FROM " + mapping.table
  }

  private func isKey(_ mapping: TableMapping) -> SQLFragment {
    " AND " + mapping.key + " = " + .key
  }

  private func isKind(_ mapping: TableMapping, _ qualifier: SQLFragment = "") -> SQLFragment {
    mapping.isEntity(withSubentities: true, qualifier).map { " AND " + $0 } ?? ""
  }

  private func derive(_ family: [TableMapping], _ condition: SQLFragment) -> SQLStatement? {
    guard let root = family.first, root.staleName != nil else { return nil }
    let values = family.flatMap { mapping in
      mapping.ownDerived.map { derived -> SQLFragment in
        .identifier(derived.name) + " = " + value(of: derived.column, mapping)
      }
    }
    let sql: SQLFragment =
      (Self.hasConstraint(family) ? dialect.updateExceptDuplicates : "UPDATE ") + root.table
      + " SET " + (values + [stale(root) + " = " + mark(family)]).joined(by: ", ")
    return (sql + condition).statement(in: dialect)
  }

  /// Whether a row has a value of a newer version of its transformer, which this program cannot
  /// decode: such a row keeps its mark. Nil where the table has no versions.
  private func isNewer(_ family: [TableMapping]) -> SQLFragment? {
    let versions = family.flatMap { mapping in mapping.ownVersions.map { (mapping, $0) } }
    if versions.isEmpty { return nil }
    return versions.map { mapping, own in
      "ifnull(" + mapping.column(own.slot) + " > " + .number(own.version) + ", 0)"
    }.joined(by: " OR ")
  }

  private func isReadable(_ family: [TableMapping]) -> SQLFragment {
    isNewer(family).map { " AND NOT (" + $0 + ")" } ?? ""
  }

  private func mark(_ family: [TableMapping]) -> SQLFragment {
    isNewer(family).map { "CASE WHEN " + $0 + " THEN 1 END" } ?? "NULL"
  }

  private func value(of column: DerivedColumn, _ mapping: TableMapping) -> SQLFragment {
    mapping.derived(column.function, of: column.source, dialect) { _ in nil }
  }

  /// The rows whose derived column should hold and does not: their keys.
  public func wrong(_ derived: TableMapping.Derived, _ mapping: TableMapping) -> SQLStatement? {
    guard let isCurrent = mapping.isCurrent else { return nil }
    let value = value(of: derived.column, mapping)
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE " + isCurrent + " AND "
      + dialect.isDifferent(.identifier(derived.name), value) + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }
}
