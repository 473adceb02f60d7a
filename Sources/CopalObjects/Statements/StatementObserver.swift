import CopalModel
import CopalStore

/// Adds the statements of one context to its logs. A context has one only while it has a log.
final class StatementObserver {
  /// The log of the context.
  var log: StatementLog?
  /// The logs of the budgets that are running.
  private(set) var budgets: [StatementLog] = []
  private let accessors: Accessors
  /// The operation that the context is in.
  private var operation = Operation(reason: StatementReason(.other))
  /// The operations that it is inside of.
  private var outer: [Operation] = []

  /// An operation of a context.
  struct Operation {
    var reason: StatementReason
    var objectCount: Int?
    /// Whether the program has asked for the next read of a fault or a relationship: it belongs to
    /// this operation.
    var coversLazyRead = false
    /// Taken at the first statement.
    var stack: CallStack?
    var hasStack = false
  }

  init(_ accessors: Accessors) { self.accessors = accessors }

  /// Whether there is no log.
  var isEmpty: Bool { log == nil && budgets.isEmpty }

  func begin(budget: StatementLog) { budgets.append(budget) }

  func end(budget: StatementLog) { budgets.removeAll { $0 === budget } }

  // MARK: Operations

  /// An operation of the context begins.
  ///
  /// - Returns: the observer, for ``end()``.
  func begin(_ new: Operation) -> StatementObserver {
    outer.append(operation)
    operation = new
    return self
  }

  /// A property reads lazily.
  func beginLazy(_ new: Operation) -> StatementObserver {
    if !operation.coversLazyRead { return begin(new) }
    // Only this read: a hook that it calls may read something else.
    operation.coversLazyRead = false
    return begin(operation)
  }

  /// The last operation ends.
  func end() {
    if let last = outer.popLast() { operation = last }
  }

  // MARK: Statements

  /// A statement of the current operation was run.
  func add(_ statement: ExecutedStatement) {
    // Outside of every operation, each statement has its own place.
    if outer.isEmpty {
      return add(statement, operation.reason, operation.objectCount, stack: wantedStack)
    }
    if !operation.hasStack, keepsCallSites {
      operation.hasStack = true
      operation.stack = CallStack.capture()
    }
    add(statement, operation.reason, operation.objectCount, stack: operation.stack)
  }

  /// A statement was run on another thread.
  func add(
    _ statement: ExecutedStatement, _ reason: StatementReason, _ objectCount: Int? = nil,
    stack: CallStack?
  ) {
    let record = StatementRecord(
      statement: statement, reason: reason, objectCount: objectCount, stack: stack,
      accessors: accessors)
    log?.add(record)
    for budget in budgets { budget.add(record) }
  }

  /// Whether a log wants to know the place in the program.
  var keepsCallSites: Bool {
    log?.keepsCallSites == true || budgets.contains(where: \.keepsCallSites)
  }

  /// The stack of the caller, if a log wants it.
  var wantedStack: CallStack? { keepsCallSites ? CallStack.capture() : nil }
}
