public import CopalEssentials
import CopalModel
public import CopalStore

/// Makes the statements of a migration.
public struct MigrationTranslator {
  let dialect: any SQLDialect
  private let schema: StoreSchema
  /// The instant of `"now"`, one for all rows.
  private let now: Date

  /// A translator for the schema that the store gets.
  public init(_ schema: StoreSchema, _ dialect: any SQLDialect, now: Date) {
    self.schema = schema
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

  /// Copies the links of a table into one whose owners are its members.
  public func copyLinks(_ change: LinkTableChange) -> SQLStatement {
    let (old, new) = (change.old, change.new)
    let position = new.position.flatMap { to in old.inversePosition.map { (to, $0) } }
    let inverse = new.inversePosition.flatMap { to in old.position.map { (to, $0) } }
    let columns =
      [(new.owner, old.member), (new.member, old.owner)] + [position, inverse].compactMap { $0 }
    return statement(
      "INSERT INTO " + new.table + " (" + columns.map(\.0).joined(by: ", ") + ") SELECT "
        + columns.map(\.1).joined(by: ", ") + " FROM " + .identifier(change.oldName))
  }

  // MARK: Rows

  /// Gives the rows of a family the new names of their entities; nil where no name has changed.
  public func renameEntities(_ change: TableChange) -> SQLStatement? {
    guard let column = change.root.entityColumn, !change.renamedEntities.isEmpty else { return nil }
    return statement(
      "UPDATE " + change.root.table + " SET " + column + " = " + change.newName(of: column)
        + " END WHERE " + column + " IN ("
        + change.renamedEntities.map { .literal($0.old) }.joined(by: ", ") + ")")
  }

  /// Deletes the rows of the entities that a family does not have any more; nil where there are
  /// none.
  public func deleteRows(_ change: TableChange) -> SQLStatement? {
    guard let column = change.root.entityColumn, !change.removedEntities.isEmpty else { return nil }
    return statement(
      "DELETE FROM " + change.root.table + " WHERE " + column + " IN ("
        + change.removedEntities.map { .literal($0) }.joined(by: ", ") + ")")
  }

  /// Writes the rows of some entities of a table: they are found by the index of entities. Nil for
  /// an update of all rows.
  public func update(_ update: RowUpdate) -> SQLStatement? {
    guard !update.areAll, let first = update.entities.first else { return nil }
    let mapping = TableMapping(first, in: schema)
    return statement(
      "UPDATE " + mapping.table + " SET " + columns(of: update, mapping)
        + mapping.condition(update.entities, areAll: false, before: " WHERE "))
  }

  private func columns(of update: RowUpdate, _ mapping: TableMapping) -> SQLFragment {
    update.assignments.map { assignment -> SQLFragment in
      let stored = mapping.column(assignment.slot)
      let old: SQLFragment =
        switch assignment.source {
        case .converted(let column, _), .copied(let column): .identifier(column)
        default: stored
        }
      return stored + " = " + assignment.value(of: old, in: mapping, dialect, now: now)
    }.joined(by: ", ")
  }

  /// Writes the rows with keys after one and up to another one, in an update of all rows.
  ///
  /// The two keys are the last placeholders.
  public func update(_ update: RowUpdate, from key: Int64, through last: Int64) -> SQLStatement? {
    guard update.areAll, let first = update.entities.first else { return nil }
    let mapping = TableMapping(first, in: schema)
    return statement(
      "UPDATE " + mapping.table + dialect.withoutIndexes + " SET " + columns(of: update, mapping)
        + " WHERE " + mapping.key + " > " + .value(.integer(key)) + " AND " + mapping.key + " <= "
        + .value(.integer(last)))
  }

  /// The first key after a key: one row, or none behind the last one.
  public func nextKey(after key: Int64, _ mapping: TableMapping) -> SQLStatement {
    statement(
      "SELECT " + mapping.key + " FROM " + mapping.table + dialect.withoutIndexes + " WHERE "
        + mapping.key + " > " + .value(.integer(key)) + " ORDER BY " + mapping.key + " LIMIT 1")
  }

  func statement(_ sql: SQLFragment) -> SQLStatement { sql.statement(in: dialect) }
}
