import CopalEssentials
import CopalStore

/// Those who want to know which statements a connection runs. The statements of the connection
/// share it.
final class StatementWatch {
  /// Called before each statement, from the opening of the store on.
  private let onStatement: (@Sendable (String) -> Void)?
  /// Called after each statement of the session that has the connection.
  var handler: ((ExecutedStatement) -> Void)? {
    didSet { isOn = onStatement != nil || handler != nil }
  }
  /// Whether anybody wants to know.
  @exclusivity(unchecked) private(set) var isOn: Bool

  /// A run of a statement that is measured.
  struct Run {
    let start = ContinuousClock.now
    var rowCount = 0
  }

  init(_ onStatement: (@Sendable (String) -> Void)?) {
    self.onStatement = onStatement
    isOn = onStatement != nil
  }

  /// A statement is about to run.
  ///
  /// - Returns: nil when it is not to be measured.
  func begin(_ text: String) -> Run? {
    onStatement?(text)
    return handler == nil ? nil : Run()
  }

  /// - Parameter role: what the statement is for; nil for a statement of Copal, whose text says it.
  func end(_ run: Run, _ text: String, _ role: ExecutedStatement.Role?) {
    handler?(
      ExecutedStatement(
        text: text, role: role ?? .init(sql: text), start: run.start,
        duration: ContinuousClock.now - run.start, rowCount: run.rowCount))
  }
}

extension ExecutedStatement.Role {
  /// The tables that only the store itself needs.
  private static let ownTables = [
    "copal_metadata", "copal_keys", "copal_unreferencedFiles", "copal_programMetadata",
  ]

  /// The role of a statement that Copal has made.
  fileprivate init(sql: String) {
    switch sql.prefix(while: { $0 != " " }) {
    case "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE": self = .transaction
    case "PRAGMA": self = .housekeeping
    case "SELECT", "WITH", "EXPLAIN": self = Self.isOwn(sql) ? .housekeeping : .query
    default: self = Self.isOwn(sql) ? .housekeeping : .write
    }
  }

  private static func isOwn(_ sql: String) -> Bool {
    // The greatest key, which the next keys come after.
    sql.hasPrefix("SELECT max(\"copal_id\") FROM") || ownTables.contains { strstr(sql, $0) != nil }
  }
}
