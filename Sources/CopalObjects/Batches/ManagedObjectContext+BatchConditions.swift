public import CopalModel

extension ManagedObjectContext {
  /// Deletes the objects of a class that meet a condition, and does what the delete rules say for
  /// the objects related to them.
  ///
  /// - Parameter condition: the condition on the stored values; nil for all objects of the class.
  /// - Returns: the number of objects that the condition has found.
  /// - Throws: as ``deleteAll(_:where:)-(T.Type,((QueryProperties<T>)->FetchCondition)?)``.
  @_disfavoredOverload
  @discardableResult
  public func deleteAll<T: QueryableObject>(_ type: T.Type, where condition: FetchPredicate?) throws
    -> Int
  {
    try deleteAll(type, where: condition.map { condition in { _ in condition } })
  }

  /// Gives the objects of a class that meet a condition new values.
  ///
  /// - Parameters:
  ///   - condition: the condition on the stored values; nil for all objects of the class.
  ///   - assignments: the new values.
  /// - Returns: the number of objects that the condition has found.
  /// - Throws: as
  ///   ``updateAll(_:where:set:)-(T.Type,((QueryProperties<T>)->FetchCondition)?,_)``.
  @_disfavoredOverload
  @discardableResult
  public func updateAll<T: QueryableObject>(
    _ type: T.Type, where condition: FetchPredicate?,
    @BatchAssignments set assignments: (QueryProperties<T>) -> [BatchAssignment]
  ) throws -> Int {
    try updateAll(type, where: condition.map { condition in { _ in condition } }, set: assignments)
  }
}
