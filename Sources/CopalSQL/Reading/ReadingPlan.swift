/// A way to find the rows of a query that a database without statistics would not choose.
public enum ReadingPlan: Sendable {
  /// Finds the rows by an index of their values, and sorts them by key.
  case byIndex
  /// Reads the rows in the order of their keys, and leaves out those that do not meet the
  /// condition.
  case byKey
  /// Finds the rows by the index of entities, and sorts them.
  case byEntity
  /// Reads the rows without an order and a limit: the session keeps the first ones of the order.
  case unsorted
}
