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

  /// An operation of a context.
  struct Operation {
    var reason: StatementReason
    var objectCount: Int?
    /// Whether the program has asked for the next read of a fault or a relationship: it belongs to this operation.
    var coversLazyRead = false
    /// Taken at the first statement.
    var stack: CallStack?
    var hasStack = false
  }

  init(_ container: ContainerRuntime) { accessors = Accessors(container) }

  /// Whether there is no log.
  var isEmpty: Bool { log == nil && budgets.isEmpty }

  func begin(budget: StatementLog) { budgets.append(budget) }

  func end(budget: StatementLog) { budgets.removeAll { $0 === budget } }

  // MARK: Operations

  /// An operation of the context begins.
  ///
  /// - Returns: the operation that it is inside of, for ``end(_:)``.
  func begin(_ reason: StatementReason, coversLazyRead: Bool = false) -> Former {
    begin(Operation(reason: reason, coversLazyRead: coversLazyRead))
  }

  /// A property reads lazily.
  ///
  /// - Parameter count: the number of faults, or of owners, that are read together.
  func beginLazy(_ reason: StatementReason, count: Int) -> Former {
    if operation.coversLazyRead {
      // Only this read: a hook that it calls may read something else.
      operation.coversLazyRead = false
      return Former(observer: self, operation: operation)
    }
    return begin(Operation(reason: reason, objectCount: count))
  }

  private func begin(_ new: Operation) -> Former {
    let former = Former(observer: self, operation: operation)
    operation = new
    return former
  }

  /// The operation that a context goes back to.
  struct Former {
    fileprivate let observer: StatementObserver
    fileprivate let operation: Operation

    func end() { observer.operation = operation }
  }

  // MARK: Statements

  /// A statement of the current operation was run.
  func add(_ statement: ExecutedStatement) {
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

extension ContextState {
  /// Changes the logs. There is an observer only while there is a log.
  func changeObserver(_ change: (StatementObserver) -> Void) {
    let observer = statements ?? StatementObserver(container)
    change(observer)
    if observer.isEmpty {
      statements = nil
    } else if statements == nil {
      statements = observer
    }
  }

  /// An operation begins. Call ``StatementObserver/Former/end()`` at its end.
  func begin(
    _ operation: StatementReason.Operation, _ runtime: EntityRuntime?, _ property: String? = nil,
    coversLazyRead: Bool = false
  ) -> StatementObserver.Former? {
    statements?.begin(
      StatementReason(operation, runtime?.layout.name, property), coversLazyRead: coversLazyRead)
  }

  /// A relationship of an object is about to be read, because the program uses it.
  func beginLazy(
    _ operation: StatementReason.Operation, _ relationship: RelationshipRuntime,
    of owner: ManagedObject, count: Int
  ) -> StatementObserver.Former? {
    statements?.beginLazy(
      StatementReason(operation, owner.entityName, relationship.description.name), count: count)
  }

  /// The values of a fault are about to be read, because the program uses a property.
  func beginLazy(valuesOf object: ManagedObject, _ slot: Int?, _ cohort: Cohort?, count: Int)
    -> StatementObserver.Former?
  {
    guard let statements else { return nil }
    let path = cohort?.origin?.relationship.flatMap { relationship, owner in
      relationship.slot == nil ? nil : "\(owner.layout.name).\(relationship.description.name)"
    }
    return statements.beginLazy(
      StatementReason(
        .fault, object.entityName, slot.map { object.runtime.layout.attributes[$0].name }, path: path),
      count: count)
  }
}
