/// What a migration writes.
public protocol MigrationDialect: Sendable {
  /// What a migration makes of a value of a row. The meaning of the conversions is that of
  /// `ColumnConversion`; the database calls a function of the program.
  ///
  /// - Parameters:
  ///   - key: the key of the row, for the error when the value has no new one.
  ///   - conversion: the position of the conversion in ``TableChanges/conversions``.
  func converted(_ value: SQLFragment, ofRow key: SQLFragment, conversion: Int) -> SQLFragment

  /// A new UUID for each row.
  var newUUID: SQLFragment { get }
}
