import Copal

@testable import CopalObjects

/// The invariants of a context and its objects, which are true between any two calls.
struct ObjectInvariants {
  private let context: ManagedObjectContext
  private var state: ContextState { context.state }

  init(_ context: ManagedObjectContext) { self.context = context }

  /// The version of the row that an object has its values from.
  ///
  /// Nil for a new object, which may have a row that no store has.
  static func version(of object: ManagedObject) -> Int64? {
    object.flags.contains(.inserted) ? nil : object.row?.version
  }

  /// The violated invariants.
  ///
  /// - Parameter known: every referenced object of the context, including those that the context
  ///   has released.
  func problems(known: [ManagedObject]) -> [String] {
    var problems: [String] = []
    for object in known { problems += self.problems(of: object) }
    problems += listProblems()
    problems += mapProblems(known)
    return problems
  }

  // MARK: Objects

  private func problems(of object: ManagedObject) -> [String] {
    rules(object).filter { !$0.holds }.map { "\(object.objectID): \($0.rule)" }
      + noteProblems(object)
  }

  private func rules(_ object: ManagedObject) -> [(holds: Bool, rule: String)] {
    let flags = object.flags
    let isFault = flags.contains(.fault)
    let isNew = flags.contains(.inserted)
    let isGone = flags.contains(.gone)
    let hasRow = object.row != nil
    let set = object.cells?.isSet
    let hasSet = set?.isEmpty == false
    return [
      (object.stateProblem == nil, object.stateProblem ?? ""),
      (isFault || isNew || hasRow, "it is no fault and not new, and has no row"),
      (!(isFault && hasRow), "it is a fault and has a row"),
      (
        !(isNew && hasRow) || object.runtime.isPlain,
        "it is new and has a row, which lacks some of its values"
      ),
      (!(isNew && isFault), "it is new and a fault"),
      (object.base == object.row?.base, "its values are not those of its row"),
      (!isNew || hasRow || flags.contains(.hasPendingValues), "it is new, and read from a row"),
      (
        !isNew || hasRow || object.cells?.hasRoom == true,
        "it is new, and has no place for its values"
      ),
      (
        !hasSet || flags.contains(.hasPendingValues),
        "it has values of its own, and is read from its row"
      ),
      (!hasSet || object.cells?.hasRoom == true, "it has values of its own without a place"),
      (
        flags.contains(.hasTypeMismatch) == (object.row?.hasTypeMismatch ?? false),
        "it is marked as having a type mismatch, or its row is, and not both"
      ),
      (!(isFault && flags.contains(.hasTypeMismatch)), "it is a fault and has a type mismatch"),
      (!flags.contains(.failed) || isFault, "its row could not be read, and it is no fault"),
      (
        !flags.contains(.failed) || object.cells?.failures[.row] != nil,
        "its row could not be read, and nobody knows why"
      ),
      (!(flags.contains(.missing) && isNew), "it is new and missing"),
      (
        flags.isDisjoint(with: [.notified, .validated]),
        "its hooks are marked as called by a save, and none is under way"
      ),
      // The last save of a deleted object leaves the flag, which is not read any more.
      (isGone || !flags.contains(.sealed), "it is packed by a save, and none is under way"),
      (isGone || isNew == (object.key < 0), "it is new with a permanent key, or saved without one"),
      (
        isGone || object.hasChanges == false || flags.contains(.listed),
        "it has changes, and is not in the list of changes"
      ),
      (
        flags.contains(.listed) == state.changed.objects.contains { $0 === object },
        "it is marked as listed, or in the list, and not both"
      ),
      (object.core === context.core, "it belongs to another context"),
    ]
  }

  /// DecodedEntry values must belong to the row.
  private func noteProblems(_ object: ManagedObject) -> [String] {
    guard let cells = object.cells else { return [] }
    var problems: [String] = []
    let layout = object.runtime.layout
    if !cells.reportedFailures.subtracting([.change]).isSubset(of: cells.failures.keys) {
      problems.append("\(object.objectID): a failure is marked as reported that is not there")
    }
    if cells.reportedFailures.contains(.change), object.flags.isDisjoint(with: [.deleted, .gone]) {
      problems.append("\(object.objectID): a change is marked as lost that the next save writes")
    }
    for case .slot(let slot) in cells.failures.keys {
      if object.row == nil || !layout.storedSlots.contains(slot) {
        problems.append(
          "\(object.objectID): a failure of '\(layout.attributes[slot].name)' is kept")
      }
    }
    for slot in object.runtime.transformableSlots
    where layout.storedSlots.contains(slot) && !cells.isSet.contains(slot) {
      let ordinal = object.runtime.ordinalBySlot[slot]
      guard cells.decoded(ordinal) != nil else { continue }
      if object.row == nil {
        problems.append(
          "\(object.objectID): '\(layout.attributes[slot].name)' is remembered without a row")
      }
    }
    return problems
  }

  // MARK: The context

  private func listProblems() -> [String] {
    var problems: [String] = []
    let list = state.changed.objects
    if Set(list.map { ObjectIdentifier($0) }).count != list.count {
      problems.append("an object is in the list of changes twice")
    }
    for object in list where !object.flags.contains(.listed) {
      problems.append("\(object.objectID) is in the list of changes, and not marked")
    }
    if state.isSaving { problems.append("a save has not ended") }
    return problems
  }

  private func mapProblems(_ known: [ManagedObject]) -> [String] {
    var problems: [String] = []
    let knownObjects = Set(known.map { ObjectIdentifier($0) })
    for map in state.maps {
      var count = 0
      map.forEach { object in
        count += 1
        if object.flags.contains(.gone) { problems.append("\(object.objectID) is gone, and kept") }
        if map.object(object.key) !== object {
          problems.append("\(object.objectID) is kept under another key")
        }
        if !knownObjects.contains(ObjectIdentifier(object)) {
          problems.append("\(object.objectID) was taken in, and nobody has asked for it")
        }
      }
      if count != map.count {
        problems.append("a map has \(count) objects and counts \(map.count)")
      }
    }
    for object in known where object.key > 0 {
      let kept = state.maps[object.runtime.index].object(object.key)
      if (kept === object) == object.flags.contains(.gone) {
        problems.append("\(object.objectID) is kept, or gone, and not both")
      }
    }
    return problems
  }
}
