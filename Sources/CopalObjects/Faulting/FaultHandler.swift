import CopalModel
import CopalStore

/// Fills faults from the store: one with its neighbors, or many.
struct FaultHandler {
  private let state: ContextState

  init(_ state: ContextState) { self.state = state }

  /// Fills a fault and, in the same statement, its unread neighbors of the same result.
  ///
  /// Sets the flag `missing` of an object when its row does not exist.
  ///
  /// - Throws: errors of the store, and the error of the object's own row. A neighbor's unreadable
  ///   row is reported when that neighbor is read.
  func fulfill(_ object: ManagedObject) throws {
    if let batch = state.faultBatches[object.faultBatch] {
      let keys = wanted(batch.neighbors(of: object.key), like: object)
      let placed = try read(keys[...], of: object.runtime)
      if placed.contains(object) { return try fulfillAgain(object) }
      if let failure = object.rowFailure { throw failure }
    } else if let row = try state.session().fetchRow(object.key, entity: object.runtime.index) {
      object.adoptRow(row)
      if object.runtime.overridesHooks { object.awakeFromFetch() }
      return try fulfillAgain(object)
    }
    object.flags.insert(.missing)
  }

  /// Fills an object that its own `awakeFromFetch()` has turned into a fault again. The hook is not
  /// called a second time, so that this ends.
  private func fulfillAgain(_ object: ManagedObject) throws {
    guard object.flags.contains(.fault), !object.flags.contains(.gone) else { return }
    if let row = try state.session().fetchRow(object.key, entity: object.runtime.index) {
      object.adoptRow(row)
    } else {
      object.flags.insert(.missing)
    }
  }

  /// Fills many faults in as few statements as possible.
  ///
  /// - Throws: `object.missing` for missing rows, and the errors of unreadable rows; several errors
  ///   become the causes of one.
  func fulfill(all objects: some Collection<ManagedObject>) throws {
    let faults = Dictionary(
      grouping: objects.lazy.filter { $0.flags.contains(.fault) && !$0.flags.contains(.gone) }
    ) { $0.runtime.index }
    var failures: [PersistenceError] = []
    for (entity, faults) in faults {
      for fault in faults { fault.forgetFailures() }
      let placed = Set(try read(faults.map(\.key)[...], of: state.container.entities[entity]))
      for fault in faults {
        if placed.contains(fault) {
          try fulfillAgain(fault)
        } else if let failure = fault.rowFailure {
          failures.append(failure)
        } else {
          fault.flags.insert(.missing)
        }
        guard fault.flags.contains(.missing) else { continue }
        failures.append(
          PersistenceError(.objectMissing, entity: fault.entityName, objectID: fault.objectID))
      }
    }
    if !failures.isEmpty { throw PersistenceError.combining(failures, as: .multipleFailures) }
  }

  /// Reads an object's row again in any state of the object, and keeps its changes.
  func reload(_ object: ManagedObject) throws {
    guard let row = try state.session().fetchRow(object.key, entity: object.runtime.index) else {
      object.flags.insert(.missing)
      return
    }
    object.adoptRow(row)
    if object.runtime.overridesHooks { object.awakeFromFetch() }
  }

  private func wanted(_ keys: ArraySlice<Int64>, like object: ManagedObject) -> [Int64] {
    let map = state.maps[object.runtime.index]
    return keys.filter { key in
      key == object.key
        || map.object(key).map {
          $0.flags.contains(.fault) && $0.flags.isDisjoint(with: [.missing, .failed])
        } == true
    }
  }

  /// - Returns: the objects with a new row.
  private func read(_ keys: ArraySlice<Int64>, of runtime: EntityRuntime) throws -> [ManagedObject]
  {
    let receiver = FaultRowReceiver(state, runtime)
    try state.session().fetchRows(keys, entity: runtime.index, into: receiver)
    receiver.notifyAwake()
    return receiver.placed
  }
}

/// Fills faults with their rows.
final class FaultRowReceiver: RowReceiver {
  private let map: IdentityMap
  private(set) var placed: [ManagedObject] = []
  private var current: ManagedObject?

  init(_ state: ContextState, _ runtime: EntityRuntime) { map = state.maps[runtime.index] }

  func wantsRow(key: Int64, version: Int64) -> Bool {
    current = map.object(key)
    return current?.flags.contains(.fault) == true
  }

  func receive(key: Int64, row: consuming PackedRow) {
    guard let current else { return }
    current.adoptRow(row)
    placed.append(current)
  }

  func skip(key: Int64) {}

  func receive(key: Int64, failure: PersistenceError) {
    map.object(key)?.fail(failure)
  }

  /// Calls `awakeFromFetch()`, after the store is done, because a hook may read other objects.
  func notifyAwake() {
    for object in placed where object.runtime.overridesHooks { object.awakeFromFetch() }
  }
}
