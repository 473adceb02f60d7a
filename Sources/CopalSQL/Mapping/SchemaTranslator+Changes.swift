public import CopalModel
import CopalStore

/// The statements that change the tables of a store to those of another model.
extension SchemaTranslator {
  /// Renames a table. The database changes the references of other tables, too.
  public func renameTable(_ name: String, to new: String) -> SQLStatement {
    let sql: SQLFragment =
      "ALTER TABLE " + .identifier(name) + " RENAME TO " + .identifier(new)
    return sql.statement(in: dialect)
  }

  /// Renames a column.
  public func renameColumn(_ name: String, to new: String, _ mapping: TableMapping)
    -> SQLStatement
  {
    let sql: SQLFragment =
      "ALTER TABLE " + mapping.table + " RENAME COLUMN " + .identifier(name) + " TO "
      + .identifier(new)
    return sql.statement(in: dialect)
  }

  /// Adds the column with the name of a row's entity. The existing rows get the name of the entity
  /// that they have had. Nil for a table of one entity.
  public func addEntityColumn(ofRows entity: String, _ mapping: TableMapping) -> SQLStatement? {
    guard let column = mapping.entityColumn else { return nil }
    let sql: SQLFragment =
      "ALTER TABLE " + mapping.table + " ADD COLUMN " + definition(ofEntityColumn: column)
      + " DEFAULT " + .literal(entity)
    return sql.statement(in: dialect)
  }

  /// Drops an index that another tool may have dropped before.
  public func dropIndex(_ name: String) -> SQLStatement {
    let sql: SQLFragment = "DROP INDEX IF EXISTS " + .identifier(name)
    return sql.statement(in: dialect)
  }

  /// A slot and the value that rows get in its column.
  public typealias SlotValue = (slot: Int, value: PropertyValue)

  /// Sets columns to one value each.
  ///
  /// - Parameter entities: the positions of the entities whose rows get the values; nil for all
  ///   rows of the table.
  public func setColumns(
    _ values: [SlotValue], ofRowsOf entities: [Int]? = nil, _ mapping: TableMapping
  ) -> SQLStatement {
    let condition = entities.flatMap { mapping.isOne(of: $0) }.map { " WHERE " + $0 } ?? ""
    return (update(values, mapping) + condition).statement(in: dialect)
  }

  /// Sets columns of one row.
  public func setColumnsOfRow(_ values: [SlotValue], _ mapping: TableMapping) -> SQLStatement {
    let condition: SQLFragment = " WHERE " + mapping.key + " = " + .value(.key)
    return (update(values, mapping) + condition).statement(in: dialect)
  }

  private func update(_ values: [SlotValue], _ mapping: TableMapping) -> SQLFragment {
    let columns = values.map { slot, value in
      mapping.column(slot) + " = " + .value(mapping.stored(value, slot: slot))
    }
    return "UPDATE " + mapping.table + " SET " + columns.joined(by: ", ")
  }

  /// Whether the table has a row of the entity itself: one row with 0 or 1.
  public func hasRow(_ mapping: TableMapping) -> SQLStatement {
    let condition =
      mapping.isEntity(withSubentities: false).map { " WHERE " + $0 } ?? ""
    let sql: SQLFragment =
      "SELECT EXISTS (SELECT 1 FROM " + mapping.table + condition + ")"
    return sql.statement(in: dialect)
  }

  // MARK: Tables of links

  /// Gives a table of links its new name, and its indexes theirs.
  public func rename(_ links: LinkMapping, to new: LinkMapping) -> [SQLStatement] {
    indexes(links).map { dropIndex($0.name) }
      + [renameTable(links.names.table, to: new.names.table)] + createIndexes(new)
  }

  /// Makes a table of links in place of another one whose members are the owners of the new one.
  /// Its primary key has another order, so the links are copied.
  public func reverse(_ links: LinkMapping, into new: LinkMapping) -> [SQLStatement] {
    let position = new.position.flatMap { to in links.inversePosition.map { (to, $0) } }
    let inverse = new.inversePosition.flatMap { to in links.position.map { (to, $0) } }
    let columns =
      [(new.owner, links.member), (new.member, links.owner)]
      + [position, inverse].compactMap { $0 }
    let copy: SQLFragment =
      "INSERT INTO " + new.table + " (" + columns.map(\.0).joined(by: ", ") + ") SELECT "
      + columns.map(\.1).joined(by: ", ") + " FROM " + links.table
    let drop: SQLFragment = "DROP TABLE " + links.table
    return [createTable(new), copy.statement(in: dialect), drop.statement(in: dialect)]
      + createIndexes(new)
  }

  private func createIndexes(_ links: LinkMapping) -> [SQLStatement] {
    indexes(links).map { SQLStatement(text: $0.creation, values: []) }
  }
}
