import CopalModel
import CopalStore

/// References to objects that do not exist, or that are of another entity. A relationship reads nil
/// then.
///
/// A to-one relationship does not read its object, so a missing one is found when something reads
/// it: the fault itself, a neighbor that is read in the same statement, or prefetching. From then
/// on the relationship is nil.
extension ManagedObject {
  /// The object of a to-one relationship; nil, which is reported once, if the store does not have
  /// it.
  @inline(__always)
  final func existing(_ target: ManagedObject?, _ relationship: RelationshipRuntime)
    -> ManagedObject?
  {
    guard let target else { return nil }
    if _fastPath(target.isTarget(of: relationship)) { return target }
    reportDangling(target, relationship)
    return nil
  }

  /// Whether an object can be that of a to-one relationship.
  @inline(__always)
  private final func isTarget(of relationship: RelationshipRuntime) -> Bool {
    !flags.contains(.missing) && isObject(of: relationship.destination)
  }

  /// The error of a to-one relationship whose object is known not to exist; nil for any other one.
  final func danglingFailure(_ slot: Int) -> PersistenceError? {
    let relationship = runtime.relationship(ofSlot: slot)
    guard let key = reference(slot), let state = core.state(),
      let target = state.object(entity: relationship.destination, key: key),
      !target.isTarget(of: relationship)
    else { return nil }
    return danglingFailure(target, relationship)
  }

  private final func danglingFailure(_ target: ManagedObject, _ relationship: RelationshipRuntime)
    -> PersistenceError?
  {
    let isMissing = target.flags.contains(.missing)
    // The delete rule `noAction` of the inverse leaves such references behind.
    if isMissing, let slot = relationship.slot,
      runtime.layout.reference(ofSlot: slot)?.mayDangle == true
    {
      return nil
    }
    return PersistenceError(
      .danglingReference, entity: entityName, property: relationship.description.name,
      objectID: objectID, otherID: target.objectID,
      expected: isMissing ? nil : relationship.description.destination)
  }

  @inline(never)
  private final func reportDangling(_ target: ManagedObject, _ relationship: RelationshipRuntime) {
    guard let failure = danglingFailure(target, relationship) else { return }
    let subject = ValueCells.Subject.relationship(relationship.ordinal)
    guard cellsWithSideTable().reportedFailures.insert(subject).inserted else { return }
    report(failure)
  }
}
