import CopalStore

/// The connection of a context to its store: the session, what is open in it, and who hears of its
/// statements.
struct ContextSession {
  private let make: () throws -> any StoreSession
  private var session: (any StoreSession)?
  private(set) var readTransactionDepth = 0
  /// Whether the outermost read transaction is that of `perform`, which ends at the first save.
  private(set) var isInPerform = false
  /// What was written in each open transaction, the outermost first.
  var transactions: ContiguousArray<WrittenInTransaction> = []
  /// Ends the work of the context; nil for a context that is never canceled.
  var cancellation: Cancellation?
  /// Adds the statements of the session to logs; nil while there is none.
  private(set) var statements: StatementObserver?

  /// - Parameter make: makes the session.
  init(_ make: @escaping () throws -> any StoreSession) { self.make = make }

  /// The session, made on first use.
  mutating func opened() throws -> any StoreSession {
    if let session { return session }
    let made = try make()
    let new = reporting(cancellation.map { WrappedSession(made, $0) } ?? made)
    for _ in 0..<readTransactionDepth { try new.beginReadTransaction() }
    session = new
    return new
  }

  // MARK: Transactions

  /// Whether a read transaction is open: reads see the state of its beginning.
  var isInReadTransaction: Bool { readTransactionDepth > 0 }

  /// Begins the read transaction of the body of `perform`.
  mutating func beginPerform() throws {
    try beginReadTransaction()
    isInPerform = true
  }

  /// The context has tried to write: from now on, `perform` sees what others save.
  mutating func noteWrite() {
    guard isInPerform, transactions.isEmpty, readTransactionDepth > 0 else { return }
    isInPerform = false
    endReadTransaction()
  }

  /// Ends the read transaction of `perform`, if no write has done it.
  mutating func endPerform() {
    guard isInPerform else { return }
    isInPerform = false
    endReadTransaction()
  }

  /// Whether a transaction of any kind is open. Then the context must not take up what others have
  /// saved.
  var isInTransaction: Bool { isInReadTransaction || !transactions.isEmpty }

  mutating func beginReadTransaction() throws {
    try session?.beginReadTransaction()
    readTransactionDepth += 1
  }

  mutating func endReadTransaction() {
    session?.endReadTransaction()
    readTransactionDepth -= 1
  }

  // MARK: Statements

  /// Changes the logs. There is an observer only while there is a log.
  ///
  /// - Parameter new: makes an observer.
  mutating func changeObserver(
    _ change: (StatementObserver) -> Void, new: () -> StatementObserver
  ) {
    let former = statements
    let observer = former ?? new()
    change(observer)
    let wanted = observer.isEmpty ? nil : observer
    if wanted === former { return }
    statements = wanted
    _ = session?.reportStatements(to: nil)
    session = session.map(reporting)
  }

  /// The session itself, or one that reports its calls, while there is an observer.
  private func reporting(_ session: any StoreSession) -> any StoreSession {
    guard let statements else { return session }
    return WrappedSession.reporting(session) { statements.add($0) }
  }
}
