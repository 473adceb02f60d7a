import CopalModel
import CopalStore

/// Validates objects by the model's rules and their hooks, and collects every failure.
struct ObjectValidation {
  var failures: [PersistenceError] = []

  /// Checks the rules of the model for one object.
  mutating func checkRules(of object: ManagedObject) {
    switch object.objectState {
    case .deleted: check(deleted: object)
    case .new: check(inserted: object)
    case .changed, .clean:
      object.row == nil ? reportMissingRow(object) : checkCells(of: object)
    case .gone: break
    }
  }

  /// Calls an object's validation hook. All hooks run before the rules are checked, because a hook
  /// may change any object.
  mutating func callHook(of object: ManagedObject) {
    guard object.runtime.overridesHooks else { return }
    check(object) {
      if object.flags.contains(.deleted) {
        try object.validateForDelete()
      } else if object.flags.contains(.inserted) {
        try object.validateForInsert()
      } else {
        try object.validateForUpdate()
      }
    }
  }

  private mutating func check(inserted object: ManagedObject) {
    // The values of a row have been checked before they were packed.
    if object.row != nil { return checkCells(of: object) }
    let values = object.cellsWithRoom().values
    if object.runtime.rules.accept(values) { return }
    for rule in object.runtime.rules where !rule.accepts(values[rule.slot]) {
      check(rule, values[rule.slot], of: object)
    }
  }

  /// Checks the values on top of the row.
  private mutating func checkCells(of object: ManagedObject) {
    guard let cells = object.cellsReference else { return }
    let values = cells._withUnsafeGuaranteedRef { $0.values }
    for rule in object.runtime.rules
    where cells._withUnsafeGuaranteedRef({ $0.hasCell(rule.slot) })
      && !rule.accepts(values[rule.slot])
    {
      check(rule, values[rule.slot], of: object)
    }
  }

  private mutating func check(deleted object: ManagedObject) {
    // Without its row, the version to delete is not known.
    if object.row == nil, !object.flags.contains(.missing) { reportMissingRow(object) }
  }

  private mutating func reportMissingRow(_ object: ManagedObject) {
    // A later attempt to read may have removed the recorded failure.
    let cause = object.cells?.failures[.row]
    failures.append(
      PersistenceError(
        .incompleteObject, entity: object.entityName, objectID: object.objectID,
        causes: cause.map { [$0] } ?? []))
  }

  private mutating func check(
    _ rule: ValueRule, _ value: PropertyValue, of object: ManagedObject
  ) {
    // The value of a transformable is not in its cell before it is encoded.
    if let ordinal = object.runtime.ordinal(ofTransformable: rule.slot),
      object.cells?.decoded(ordinal)?.any != nil
    {
      return
    }
    guard let failure = rule.failure(value) else { return }
    // The value that the row has already is not a new one.
    if failure.code == .unrecognizedCase, (try? object.committedValue(rule.slot)) == value {
      return
    }
    failures.append(
      object.error(
        failure.code, rule.slot, found: failure.found, expected: failure.expected,
        suggestion: failure.suggestion))
  }

  private mutating func check(_ object: ManagedObject, _ hook: () throws -> Void) {
    do {
      try hook()
    } catch let error as PersistenceError {
      failures.append(error)
    } catch {
      failures.append(
        PersistenceError(
          .validationFailed, entity: object.entityName, objectID: object.objectID,
          found: "\(error)",
          causes: [error]))
    }
  }
}
