public import CopalModel

/// Batches.
extension PersistenceError.Code {
  /// A batch was to change objects of which the context has unsaved changes.
  public static let batchPendingChanges = Self("batch.pendingChanges") {
    let subject =
      $0.entity.map { "a batch cannot change the objects of \($0)" }
      ?? "a statement cannot change rows"
    return $0.found.map {
      "\(subject) while this context has unsaved changes of \($0); save or roll back first"
    } ?? "\(subject) in a hook of a save; run it before or after the save"
  }
  /// A batch would break several rules of the model; `causes` has them.
  public static let batchFailed = Self("batch.failed") {
    "the batch was refused for \($0.causes.count) reasons; nothing was written"
  }
  /// A batch was to give a value to a property that only objects can change.
  public static let batchNotAssignable = Self("batch.notAssignable") {
    "\($0.subject) \($0.expected == nil ? "is \($0.foundText), so a batch cannot give it a value" : $0.foundText); \($0.expected ?? "fetch the objects and change them")"
  }
  /// The properties by which an upsert finds objects are no unique constraint of the entity.
  public static let batchNoConstraint = Self("batch.noConstraint") {
    "\($0.entityText) has no unique constraint of \($0.foundText), so an upsert cannot find its objects by it; \($0.expected.map { "its unique constraints are: \($0)" } ?? "it has no unique constraint; add one to the model")"
  }

  package static let allBatchCodes: [Self] = [
    .batchPendingChanges, .batchFailed, .batchNotAssignable, .batchNoConstraint,
  ]
}
