import CopalModel

/// Statements in SQL that a program has written itself.
extension PersistenceError.Code {
  /// The store does not understand SQL.
  public static let noSQL = Self("store.noSQL") { _ in
    "the store does not understand SQL, so it cannot run a statement; use a fetch request or a batch, or a store that does"
  }
  /// The database does not accept the text of a statement.
  public static let sqlInvalid = Self("sql.invalid") {
    "the statement cannot be prepared: \($0.foundText); correct its text"
  }
  /// A statement does something that is not allowed to it.
  public static let sqlNotAllowed = Self("sql.notAllowed") {
    "the statement is not allowed, because it has \($0.foundText); \($0.expectedText)"
  }
  /// The text has more than one statement.
  public static let sqlSeveralStatements = Self("sql.severalStatements") {
    "the text has more than one statement: after the first one comes \($0.foundText); run each statement alone, in a transaction if they belong together"
  }
  /// The database has ended a statement with an error.
  public static let sqlFailed = Self("sql.failed") {
    "the statement has failed: \($0.foundText); nothing was changed; correct the statement or its values"
  }
  /// A column of a result is missing, or has a value that is not of the wanted type.
  public static let sqlWrongColumn = Self("sql.wrongColumn") {
    "the column '\($0.property ?? "")' of the result is \($0.foundText), and \($0.expectedText) was expected; correct the statement, or ask for another column or type"
  }
  /// A statement for objects has given something that is not the key of an object.
  public static let sqlNoKey = Self("sql.noKey") {
    "the statement for objects of \($0.entityText) has given \($0.foundText) in place of the key of an object; select one column, the key of \($0.entityText), and no other rows than those of its objects"
  }
}
