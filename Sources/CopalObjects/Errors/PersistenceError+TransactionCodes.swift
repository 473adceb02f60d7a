public import CopalModel

/// Transactions of several saves.
extension PersistenceError.Code {
  /// A transaction was to begin while the context has unsaved changes.
  public static let transactionPendingChanges = Self("transaction.pendingChanges") {
    "a transaction cannot begin while this context has unsaved changes of \($0.foundText), because an error in it could not restore them; save or roll back first, or make the changes in the transaction"
  }

  package static let allTransactionCodes: [Self] = [.transactionPendingChanges]
}
