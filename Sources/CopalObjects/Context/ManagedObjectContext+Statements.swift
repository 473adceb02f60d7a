import CopalStore

/// Logs and budgets of statements.
extension ManagedObjectContext {
  /// The log that gets a record of every statement of this context; nil, the default, for none. A
  /// context has the log of its container from the beginning, if there is one:
  /// ``PersistentContainer/statementLog``.
  ///
  /// ```swift
  /// let log = StatementLog()
  /// context.statementLog = log
  /// let names = try context.fetch(Painting.self).map { $0.artist?.name }
  /// print(log.statementCount, log.groups)
  /// ```
  ///
  /// Without a log, statements are not measured.
  public var statementLog: StatementLog? {
    get { state.session.statements?.log }
    set { state.changeObserver { $0.log = newValue } }
  }

  /// Runs the body, and throws at its end when this context has run more statements than a number.
  /// Use it in tests: it finds loops that run a statement for each object.
  ///
  /// ```swift
  /// let titles = try context.expectStatements(atMost: 2) {
  ///   try context.fetch(Painter.fetchRequest().prefetching(\.paintings)).flatMap { $0.paintings.map(\.title) }
  /// }
  /// ```
  ///
  /// Queries and writes count. Transactions, such as BEGIN and COMMIT, do not, and neither do
  /// statements that only the store itself needs, such as those for the next keys and the hash of
  /// the schema. Statements of other contexts do not count. Calls nest: a statement in the inner
  /// body counts in the outer body, too.
  ///
  /// For work that awaits, give the context a log, and call
  /// ``StatementLog/expectStatements(atMost:)``.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of statements.
  ///   - body: the work.
  /// - Returns: the result of the body.
  /// - Throws: what the body throws. Else, after more statements, `context.tooManyStatements`,
  ///   whose `causes` say how often each operation has run a statement, at which place in the
  ///   program, and what to do: the most frequent one first.
  public func expectStatements<R>(atMost limit: Int, _ body: () throws -> R) throws -> R {
    let budget = StatementLog()
    state.changeObserver { $0.begin(budget: budget) }
    let result: R
    do {
      defer { state.changeObserver { $0.end(budget: budget) } }
      result = try body()
    }
    try budget.expectStatements(atMost: limit)
    return result
  }
}
