public import CopalModel

/// Tables and the types of their columns.
public protocol SchemaDialect: Sendable {
  /// The type of one of Copal's own columns: keys, versions, positions, names, dates.
  func columnType(_ storage: StorageType) -> String

  /// The type of the column of an attribute. Default: that of its storage type, for a database that
  /// has no types of its own for integers of 16 bits, UUIDs and others.
  ///
  /// - Parameter storage: the storage type of the attribute's values.
  func columnType(of attribute: AttributeDescription, _ storage: StorageType) -> String

  /// The type of the key column, which is the primary key of the table.
  var keyColumnType: String { get }

  /// What follows the definition of a table whose rows are kept in the order of its primary key,
  /// without another key.
  var keptByPrimaryKey: SQLFragment { get }
}

extension SchemaDialect {
  /// The type of the storage type.
  public func columnType(of attribute: AttributeDescription, _ storage: StorageType) -> String {
    columnType(storage)
  }
}
