/// The phases of a migration from one model to the next, in their order. Each is done for all
/// tables before the next one begins.
///
/// All of them are one transaction.
public enum MigrationPhase: CaseIterable, Sendable {
  /// What the rows must fulfill, in the tables of the old model.
  case checkRows
  /// Tables that are kept get their new names. Tables whose names are needed get others.
  case renameTables
  /// Columns that are kept get their new names, and those that are converted or removed get names
  /// that no property has.
  case renameColumns
  /// Indexes that the model does not have, and those of columns that are converted or removed.
  case dropIndexes
  /// New columns, tables and tables of links.
  case addTablesAndColumns
  /// Rows get converted values, values for old objects, and other tables.
  case updateRows
  /// Columns and tables that the model does not have any more, and rows that are removed or have
  /// another table. The other rows get the new names of their entities.
  case dropTablesAndColumns
  /// Derived columns of rows that have got other values, and of new columns.
  case deriveColumns
  /// The indexes that are missing. Those of unique constraints check the rows.
  case createIndexes
}
