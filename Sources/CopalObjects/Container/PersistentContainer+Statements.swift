import CopalStore

extension PersistentContainer {
  /// The log of the contexts that are made from now on; nil, the default, for none. A context can
  /// have another one: ``ManagedObjectContext/statementLog``.
  ///
  /// ```swift
  /// container.statementLog = StatementLog { record in print(record) }
  /// ```
  ///
  /// It can be set at any time, from any thread.
  public var statementLog: StatementLog? {
    get { runtime.statementLog.withLock { $0 } }
    set { runtime.statementLog.withLock { $0 = newValue } }
  }
}
