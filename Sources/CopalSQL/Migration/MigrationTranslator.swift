public import CopalEssentials
import CopalModel
import CopalStore

/// Makes the statements of a migration.
public struct MigrationTranslator {
  let dialect: any SQLDialect
  /// The names that tables and columns have by then.
  let names: NamesNow
  /// The instant of `"now"`, one for all rows.
  private let now: Date

  /// A translator for the changes of a migration.
  public init(_ changes: TableChanges, _ dialect: any SQLDialect, now: Date) {
    names = changes.names
    self.dialect = dialect
    self.now = now
  }

  // MARK: Tables and columns

  /// Renames a table. The database changes the references of other tables, too.
  public func renameTable(_ rename: Rename) -> SQLStatement {
    statement(
      "ALTER TABLE " + .identifier(rename.old) + " RENAME TO " + .identifier(rename.new))
  }

  /// Renames a column.
  public func renameColumn(_ rename: Rename, of mapping: TableMapping) -> SQLStatement {
    statement(
      "ALTER TABLE " + mapping.table + " RENAME COLUMN " + .identifier(rename.old) + " TO "
        + .identifier(rename.new))
  }

  /// Adds the column with the name of a row's entity. The existing rows get the name of the entity
  /// that they have had. Nil for a table of one entity.
  public func addEntityColumn(ofRows entity: String, _ mapping: TableMapping) -> SQLStatement? {
    guard let column = mapping.entityColumn else { return nil }
    let definition = SchemaTranslator(dialect).definition(ofEntityColumn: column)
    return statement(
      "ALTER TABLE " + mapping.table + " ADD COLUMN " + definition + " DEFAULT " + .literal(entity))
  }

  /// Removes a column with its values. It must have no index.
  public func dropColumn(_ name: String, of mapping: TableMapping) -> SQLStatement {
    statement("ALTER TABLE " + mapping.table + " DROP COLUMN " + .identifier(name))
  }

  /// Removes a table with its rows.
  public func dropTable(_ name: String) -> SQLStatement {
    statement("DROP TABLE " + .identifier(name))
  }

  /// Removes an index.
  public func dropIndex(_ name: String) -> SQLStatement {
    statement("DROP INDEX " + .identifier(name))
  }

  // MARK: Rows

  /// Deletes the rows of entities that are removed, or have another table; nil where there are
  /// none.
  ///
  /// - Parameter last: the greatest key of the rows that the table has had.
  public func deleteRows(_ change: TableChange, through last: Int64) -> SQLStatement? {
    guard let old = change.old, let column = old.entityColumn, !change.leavingEntities.isEmpty
    else { return nil }
    return statement(
      "DELETE FROM " + change.root.table + " WHERE " + column + " IN ("
        + change.leavingEntities.map { .literal($0) }.joined(by: ", ") + ")"
        + own(change, through: last))
  }

  /// Gives the rows of a family the new names of their entities; nil where no name has changed.
  ///
  /// - Parameter last: the greatest key of the rows that the table has had.
  public func renameEntities(_ change: TableChange, through last: Int64) -> SQLStatement? {
    guard let column = change.root.entityColumn, !change.renamedEntities.isEmpty else { return nil }
    let cases = change.renamedEntities.map {
      " WHEN " + .literal($0.old) + " THEN " + .literal($0.new)
    }
    return statement(
      "UPDATE " + change.root.table + " SET " + column + " = CASE " + column
        + cases.joined(by: "") + " END WHERE " + column + " IN ("
        + change.renamedEntities.map { .literal($0.old) }.joined(by: ", ") + ")"
        + own(change, through: last))
  }

  /// The condition for the rows that the table has had, where others have come into it.
  private func own(_ change: TableChange, through last: Int64) -> SQLFragment {
    change.getsRows ? " AND " + change.root.key + " <= " + .integer(last) : ""
  }

  /// Writes the rows of some entities of a table: they are found by the index of entities. Nil for
  /// an update of all rows.
  public func update(_ update: RowUpdate) -> SQLStatement? {
    if update.areAll { return nil }
    return statement(
      "UPDATE " + update.target.table + " SET " + columns(of: update)
        + update.rows.condition(after: " WHERE "))
  }

  private func columns(of update: RowUpdate) -> SQLFragment {
    let cells = cellTranslator(update.rows, update.entity, added: 0)
    return update.cells.map { .identifier($0.column) + " = " + cells.sql($0.source) }
      .joined(by: ", ")
  }

  /// - Parameters:
  ///   - mapping: an entity of the new model that has the slots of the cells.
  ///   - added: what is added to the keys of the rows.
  private func cellTranslator(
    _ rows: FormerRows, _ mapping: TableMapping, added: Int64
  ) -> CellTranslator {
    let (names, table) = (names, rows.mapping.tableName)
    return CellTranslator(
      dialect: dialect, now: now, oldKey: rows.mapping.key,
      newKey: added == 0 ? rows.mapping.key : "(" + rows.mapping.key.adding(added) + ")",
      mapping: mapping
    ) { .identifier(names.column($0, of: table)) }
  }

  /// Writes the rows with some keys, in an update of all rows.
  ///
  /// The two keys are the last placeholders.
  public func update(_ update: RowUpdate, _ keys: ClosedRange<Int64>) -> SQLStatement? {
    guard update.areAll else { return nil }
    let table = update.target
    return statement(
      "UPDATE " + table.table + dialect.withoutIndexes + " SET " + columns(of: update)
        + " WHERE " + table.key + " BETWEEN " + .integer(keys.lowerBound) + " AND "
        + .integer(keys.upperBound))
  }

  /// Puts the rows of an entity into another table, in the order of their keys.
  ///
  /// - Parameter last: the greatest key of the rows that the table has had; nil for one into which
  ///   no rows of others come.
  public func move(
    _ move: RowMove, into change: TableChange, through last: Int64?
  ) -> SQLStatement {
    let (old, new) = (move.rows.mapping, move.target)
    let cells = cellTranslator(move.rows, new, added: move.added)
    let filled = move.cells.filter { $0.source != .null }
    var columns = [new.key, new.version]
    var values = [old.key.adding(move.added), old.version]
    // A family that has one entity now loses its column later.
    if let entity = new.entityColumnName ?? change.droppedEntityColumn {
      columns.append(.identifier(entity))
      values.append(.literal(new.layout.name))
    }
    columns += filled.map { .identifier($0.column) }
    values += filled.map { cells.sql($0.source) }
    let condition: SQLFragment =
      if let last {
        " WHERE " + old.key + " <= " + .integer(last) + move.rows.condition(after: " AND ")
      } else {
        move.rows.condition(after: " WHERE ")
      }
    return statement(
      "INSERT INTO " + new.table + " (" + columns.joined(by: ", ") + ") SELECT "
        + values.joined(by: ", ") + " FROM " + .identifier(names.table(old.tableName))
        + condition + " ORDER BY " + old.key)
  }

  /// The name that an old table has by then.
  public func tableName(of move: RowMove) -> String { names.table(move.rows.mapping.tableName) }

  func statement(_ sql: SQLFragment) -> SQLStatement { sql.statement(in: dialect) }
}
