public import CopalModel

/// What one kind of database says differently from the others.
public protocol SQLDialect: Sendable {
  /// A name in the dialect's quotes, those inside it escaped.
  func quote(_ name: String) -> String

  /// The placeholder of the n-th binding, from 1.
  func placeholder(_ position: Int) -> String

  /// The type of a column of the given storage.
  func columnType(_ storage: StorageType) -> String

  /// The type of the key column, which is the table's primary key.
  var keyColumnType: String { get }

  /// An expression of decimals stored as text, so that it compares and sorts by number.
  func decimalOrder(_ expression: SQLFragment) -> SQLFragment

  /// An expression of doubles, rounded to the nearest float.
  func roundedToFloat(_ expression: SQLFragment) -> SQLFragment

  /// An equality that is true between two nulls.
  func isSame(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment

  /// An inequality that is false between two nulls and true between a null and a value.
  func isDifferent(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment

  /// The key as a sort key by which the database does not read the table.
  func sortedLast(_ key: SQLFragment) -> SQLFragment

  /// What follows a table's name so that the database reads it by its key.
  var withoutIndexes: SQLFragment { get }

  /// The clause for a part of a result.
  func limit(_ limit: Int?, offset: Int) -> SQLFragment
}
