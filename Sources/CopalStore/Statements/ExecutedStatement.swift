/// A statement that a session has run, or a call of a session whose store has no statements.
public struct ExecutedStatement: Sendable {
  /// What a statement is for. Budgets count queries and writes.
  public enum Role: String, Sendable, Hashable {
    /// Reads objects or values.
    case query
    /// Inserts, changes or deletes rows of objects.
    case write
    /// Begins or ends a transaction.
    case transaction
    /// Reads or writes what only the store itself needs: options of the connection, the next keys,
    /// the hash of the schema.
    case housekeeping
  }

  /// The text with placeholders, without values; nil for a store that has no statements.
  public var text: String?
  /// What the statement is for.
  public var role: Role
  /// When it began.
  public var start: ContinuousClock.Instant
  /// From its beginning until its last row was taken and it was reset. What the receiver does with
  /// a row is included.
  public var duration: Duration
  /// The number of rows that it gave; 0 for a write that gives none.
  public var rowCount: Int

  /// A statement that was run.
  public init(
    text: String?, role: Role, start: ContinuousClock.Instant, duration: Duration, rowCount: Int
  ) {
    self.text = text
    self.role = role
    self.start = start
    self.duration = duration
    self.rowCount = rowCount
  }

  /// Whether a budget counts it: it is a query or a write.
  public var isCounted: Bool { role == .query || role == .write }
}
