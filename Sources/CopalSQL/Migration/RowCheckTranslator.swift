public import CopalEssentials
import CopalModel
package import CopalStore

/// Makes the queries by which a migration, or a plan of it, finds what rows refuse. They ask the
/// tables of the old model, before anything is changed.
public struct RowCheckTranslator {
  private let dialect: any SQLDialect
  private let pair: SchemaPair
  private let changes: TableChanges
  /// The instant of `"now"`, one for all rows.
  private let now: Date

  /// A translator for the changes of a migration.
  public init(
    _ changes: TableChanges, _ pair: SchemaPair, _ dialect: any SQLDialect, now: Date
  ) {
    self.changes = changes
    self.pair = pair
    self.dialect = dialect
    self.now = now
  }

  // MARK: What rows refuse

  /// The keys of the rows that refuse a migration, in their order: those without a value, or with
  /// one that must not be.
  public func rows(against part: RowCheck.Part, _ rule: RowCheck.Rule) -> SQLStatement {
    let (rows, root) = (part.rows, part.rows.mapping)
    var isMissing: SQLFragment =
      switch part.source {
      // A value that cannot be converted is another finding.
      case .cell(.converted(let column, _)): .identifier(column) + " IS NULL"
      case .cell(let source): value(source, part) + " IS NULL"
      case .pairs(let pairs): "NOT " + pairs.exist(for: root.table + "." + root.key)
      }
    if rule == .noValue { isMissing = "NOT (" + isMissing + ")" }
    return statement(
      "SELECT " + root.key + " FROM " + root.table + " WHERE " + isMissing
        + rows.condition(after: " AND ") + " ORDER BY " + root.key)
  }

  /// Reads the value of each row with a conversion, which notes the rows that it does not accept.
  public func accept(_ part: RowCheck.Part, conversion: Int) -> SQLStatement? {
    guard case .cell(let source) = part.source else { return nil }
    let root = part.rows.mapping
    let accepted = dialect.converted(value(source, part), ofRow: root.key, conversion: conversion)
    return statement(
      "SELECT count(" + accepted + ") FROM " + root.table + dialect.withoutIndexes
        + part.rows.condition(after: " WHERE "))
  }

  /// The number of rows.
  public func rowCount(_ rows: FormerRows) -> SQLStatement {
    statement("SELECT count(*) FROM " + rows.mapping.table + rows.condition(after: " WHERE "))
  }

  private func value(_ source: CellSource, _ part: RowCheck.Part) -> SQLFragment {
    cells(part.rows, part.mapping).sql(source)
  }

  private func cells(_ rows: FormerRows, _ mapping: TableMapping) -> CellTranslator {
    let key = rows.mapping.key
    return CellTranslator(
      dialect: dialect, now: now, oldKey: key, newKey: key, mapping: mapping
    ) { .identifier($0) }
  }

  // MARK: Plans

  /// Calculates what a table's rows get by conversions, which note the rows that they do not
  /// accept: a statement for each group of rows that get the same.
  public func convert(_ table: TableChange) -> [SQLStatement] {
    groups(of: table) { $0.source.conversion != nil }.map { group in
      let cells = cells(group.rows, group.mapping)
      let counts = group.cells.map { "count(" + cells.sql($0.source) + ")" }
      return statement(
        "SELECT " + counts.joined(by: ", ") + " FROM " + group.rows.mapping.table
          + dialect.withoutIndexes + group.rows.condition(after: " WHERE "))
    }
  }

  /// The groups of rows with equal values of a unique index: for each group its first and its last
  /// key, and the number of its rows. The keys are those that the rows get.
  public func duplicates(
    _ index: SchemaTranslator.Index, _ mapping: TableMapping, in table: TableChange
  ) -> SQLStatement {
    // The forms of texts are not made yet.
    let columns = index.columns.map { calculated($0, mapping) }
    return duplicates(
      columns.map(\.value), mapping, from: rows(of: Set(columns.map(\.source)), table))
  }

  /// A column of an index, calculated from the one that an attribute has.
  private func calculated(_ column: String, _ mapping: TableMapping) -> (
    source: String, value: SQLFragment
  ) {
    guard let derived = mapping.derived.first(where: { $0.name == column }) else {
      return (column, .identifier(column))
    }
    let source = derived.column.source
    return (
      mapping.columnNames[source],
      mapping.derived(derived.column.function, of: source, dialect) { _ in nil }
    )
  }

  /// The same, of the tables that a migration has changed.
  public func duplicates(
    _ index: SchemaTranslator.Index, _ mapping: TableMapping
  ) -> SQLStatement {
    // A program without transformers makes no derived columns.
    let columns = index.columns.map { column -> SQLFragment in
      mapping.canDerive ? .identifier(column) : calculated(column, mapping).value
    }
    return duplicates(columns, mapping, from: mapping.table)
  }

  private func duplicates(
    _ columns: [SQLFragment], _ mapping: TableMapping, from rows: SQLFragment
  ) -> SQLStatement {
    let condition = columns.map { $0 + " IS NOT NULL" }.joined(by: " AND ")
    let entities = mapping.isEntity(withSubentities: true).map { " AND " + $0 } ?? ""
    return statement(
      "SELECT min(" + mapping.key + "), max(" + mapping.key + "), count(*) FROM "
        + rows + " WHERE " + condition + entities + " GROUP BY "
        + columns.joined(by: ", ") + " HAVING count(*) > 1 ORDER BY 1")
  }

  // MARK: Rows as they would be

  /// Rows of one old table that get the same in some columns.
  private struct Group {
    let rows: FormerRows
    let cells: [RowChange.Cell]
    /// An entity of the new model that has the slots of the cells.
    let mapping: TableMapping
    let formers: [Int]
  }

  /// The rows that a table gets or has, in groups. Rows without such cells are in none.
  private func groups(
    of table: TableChange, withRowsWithoutCells: Bool = false,
    _ isIncluded: (RowChange.Cell) -> Bool
  ) -> [Group] {
    var groups: [(root: Int, cells: [RowChange.Cell], formers: [Int])] = []
    for row in table.columns.rows {
      let cells = row.cells.filter(isIncluded)
      if cells.isEmpty, !withRowsWithoutCells { continue }
      let root = pair.oldRoot(row.former)
      if let place = groups.firstIndex(where: { $0.root == root && $0.cells == cells }) {
        groups[place].formers.append(row.former)
      } else {
        groups.append((root, cells, [row.former]))
      }
    }
    return groups.compactMap { _, cells, formers in
      guard let rows = pair.rows(of: formers),
        let entity = formers.first.flatMap(pair.mapping.newEntity)
      else { return nil }
      return Group(
        rows: rows, cells: cells, mapping: pair.newMapping(entity), formers: formers)
    }
  }

  /// A table expression with the key, the name of the entity, and some columns.
  private func rows(of columns: Set<String>, _ table: TableChange) -> SQLFragment {
    let names = columns.inOrder()
    let groups = groups(of: table, withRowsWithoutCells: true) { columns.contains($0.column) }
    let selects = groups.map { group -> SQLFragment in
      let cells = cells(group.rows, group.mapping)
      let root = group.rows.mapping
      let added = changes.moves.added(
        from: root.layout.index, to: table.root.layout.index)
      var values = [root.key.adding(added) + " AS " + table.root.key]
      if let entity = table.root.entityColumn {
        values.append(entityNow(of: group) + " AS " + entity)
      }
      values += names.map { name in
        let source = group.cells.first { $0.column == name }?.source ?? .null
        return cells.sql(source) + " AS " + .identifier(name)
      }
      return "SELECT " + values.joined(by: ", ") + " FROM " + root.table
        + group.rows.condition(after: " WHERE ")
    }
    return "(" + selects.joined(by: " UNION ALL ") + ") AS " + table.root.table
  }

  /// The new name of the entity of a row of a group.
  private func entityNow(of group: Group) -> SQLFragment {
    func name(_ former: Int) -> SQLFragment {
      .literal(pair.mapping.newEntity(of: former).map { pair.new.entities[$0].name } ?? "")
    }
    guard let first = group.formers.first else { return "NULL" }
    guard group.formers.count > 1, let column = group.rows.mapping.entityColumn else {
      return name(first)
    }
    let cases = group.formers.map {
      " WHEN " + .literal(pair.old.entities[$0].name) + " THEN " + name($0)
    }
    return "CASE " + column + cases.joined(by: "") + " END"
  }

  func statement(_ sql: SQLFragment) -> SQLStatement { sql.statement(in: dialect) }
}

extension RelatedPairs {
  /// The condition that a near object has a pair.
  fileprivate func exist(for key: SQLFragment) -> SQLFragment {
    let name: SQLFragment = "copal_pairs."
    return "EXISTS (SELECT 1 FROM " + .identifier(table) + " AS copal_pairs WHERE " + name
      + .identifier(near.column) + " = " + key + " AND " + name + .identifier(far.column)
      + " IS NOT NULL)"
  }
}

/// Makes the queries by which the rows of a store are counted.
public struct RowCountTranslator {
  private let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The number of rows of exactly the entity.
  public func objectCount(_ mapping: TableMapping) -> SQLStatement {
    let condition = mapping.isEntity(withSubentities: false).map { " WHERE " + $0 } ?? ""
    return statement("SELECT count(*) FROM " + mapping.table + condition)
  }

  /// The number of values in the columns of some slots: one row, with a column for each.
  ///
  /// - Parameter rows: the rows whose values are counted.
  public func valueCounts(
    _ slots: [Int], _ mapping: TableMapping, in rows: FormerRows
  ) -> SQLStatement {
    let counts = slots.map { "count(" + mapping.column($0) + ")" }.joined(by: ", ")
    return statement(
      "SELECT " + counts + " FROM " + mapping.table + rows.condition(after: " WHERE "))
  }

  /// The number of pairs of a relationship whose pairs are kept in a table of links; nil for
  /// another one.
  ///
  /// - Parameter rows: the near objects whose pairs are counted.
  package func linkCount(
    of place: ModelMapping.Place, in formers: [Int], _ pair: SchemaPair
  ) -> SQLStatement? {
    let end = ModelMapping.RelationshipEnd(place: place, isReversed: false)
    guard let pairs = RelatedPairs(end, in: pair.old), pairs.reference == nil else { return nil }
    let rows = RelatedRows(formers, of: pair.oldRoot(place.entity), pair)
    return statement(
      "SELECT count(*) FROM " + .identifier(pairs.table) + " WHERE "
        + rows.exist(for: pairs.column(pairs.near.column)))
  }

  /// The number of pairs that only an end has which is not kept.
  package func oneSidedPairs(_ end: DroppedEnd) -> SQLStatement {
    statement(
      "SELECT count(*) FROM " + end.half.mapping.table + " WHERE " + end.half.isOneSided
        + end.rows.condition(after: " AND "))
  }

  private func statement(_ sql: SQLFragment) -> SQLStatement { sql.statement(in: dialect) }
}
