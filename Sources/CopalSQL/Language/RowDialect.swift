/// Writing rows.
public protocol RowDialect: Sendable {
  /// The beginning of a statement that inserts rows, up to the name of the table. When it fails,
  /// the transaction is rolled back, so the statement need not undo what it has inserted itself.
  var insertInto: SQLFragment { get }

  /// Whether a column of blobs has the name of a file instead of a value, for the attributes whose
  /// large values are in files. Nil, the default, for a database whose columns have one type: its
  /// stores keep every value in its row.
  func isFileName(_ column: SQLFragment) -> SQLFragment?
}

extension RowDialect {
  /// Nil: every value is in its row.
  public func isFileName(_ column: SQLFragment) -> SQLFragment? { nil }
}
