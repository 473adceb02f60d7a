import CopalModel
import CopalStore

extension ContextState {
  /// An operation begins. Call ``StatementObserver/end()`` at its end.
  @inline(__always)
  func begin(
    _ operation: StatementReason.Operation, _ runtime: @autoclosure () -> EntityRuntime?,
    _ property: @autoclosure () -> String? = nil, coversLazyRead: Bool = false
  ) -> StatementObserver? {
    guard let statements = session.statements else { return nil }
    return statements.begin(
      .init(
        reason: StatementReason(operation, runtime()?.layout.name, property()),
        coversLazyRead: coversLazyRead))
  }

  /// A relationship of an object is about to be read, because the program uses it.
  ///
  /// - Parameter count: the number of owners for which it is read.
  @inline(__always)
  func beginLazy(
    _ operation: StatementReason.Operation, _ relationship: RelationshipRuntime,
    of owner: ManagedObject, count: Int
  ) -> StatementObserver? {
    guard let statements = session.statements else { return nil }
    let reason = StatementReason(operation, owner.entityName, relationship.description.name)
    return statements.beginLazy(.init(reason: reason, objectCount: count))
  }

  /// The values of a fault are about to be read, because the program uses a property.
  ///
  /// - Parameter count: the number of faults that are read.
  @inline(__always)
  func beginLazy(valuesOf object: ManagedObject, _ slot: Int?, _ cohort: Cohort?, count: Int)
    -> StatementObserver?
  {
    guard let statements = session.statements else { return nil }
    let path = cohort?.origin?.relationship.flatMap { relationship, owner in
      relationship.slot == nil ? nil : "\(owner.layout.name).\(relationship.description.name)"
    }
    let reason = StatementReason(
      .fault, object.entityName, slot.map { object.runtime.layout.attributes[$0].name }, path: path)
    return statements.beginLazy(.init(reason: reason, objectCount: count))
  }
}
