import CopalSQL
import CopalStore

/// What lightweight migration changes in the table of a root and its subentities.
struct TableChange {
  /// The name of the table until now.
  let oldName: String
  /// The root, which is a new entity where the table gets another name.
  let root: TableMapping
  /// The name of the entity of the existing rows, in a table that gets the column with the names of
  /// entities.
  let entityOfRows: String?
  /// The columns, and what existing rows get in them.
  let columns: ColumnChange
  /// The indexes.
  let indexes: IndexChange

  init(from oldRoot: EntityLayout, to newRoot: EntityLayout, _ history: ModelHistory) {
    let (old, new) = (history.old, history.new)
    let before = old.kinds(of: oldRoot.index).map { TableMapping(old.entities[$0], in: old) }
    let after = new.kinds(of: newRoot.index).map { TableMapping(new.entities[$0], in: new) }
    root = TableMapping(newRoot, in: new)
    let oldTable = TableMapping(oldRoot, in: old)
    oldName = oldTable.tableName
    let isFamilyNow = oldTable.entityColumnName == nil && root.entityColumnName != nil
    entityOfRows = isFamilyNow ? oldRoot.name : nil
    columns = ColumnChange(
      from: before, to: after, rowsOf: history.entitiesWithRows(of: newRoot.index), history)
    indexes = IndexChange(from: before, to: after, columns)
  }
}
