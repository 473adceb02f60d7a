import CopalModel
import CopalStore

/// Reads the rows of faults: of one with its neighbors, or of many.
struct FaultHandler {
  private let state: ContextState

  init(_ state: ContextState) { self.state = state }

  /// What was read for one fault.
  struct Result {
    /// The row of the fault; nil when the store has none.
    var row: PackedRow?
    /// The error of the fault's own row.
    var failure: PersistenceError?
    /// The other faults that have their rows now. Their hooks have not been called yet.
    fileprivate var neighbors: [ManagedObject] = []

    /// Calls `awakeFromFetch()` of the neighbors.
    func awakeNeighbors() {
      for object in neighbors where object.runtime.overridesHooks { object.awakeFromFetch() }
    }
  }

  /// Reads the row of a fault and, in the same statement, fills its neighbors: the unread faults
  /// next to it in the result that they came from.
  ///
  /// - Parameter slot: the slot of the property that is used; nil when it is not known.
  /// - Throws: errors of the store. A neighbor's unreadable row is reported when that neighbor is
  ///   read.
  func read(_ object: ManagedObject, for slot: Int? = nil) throws -> Result {
    guard let cohort = state.cohorts.cohort(of: object) else {
      state.lazyLoads?.noteValues(of: object, nil, count: 1)
      let former = state.beginLazy(valuesOf: object, slot, nil, count: 1)
      defer { former?.end() }
      return Result(row: try readAlone(object))
    }
    let keys = wanted(cohort.neighbors(of: object.key), like: object)
    state.lazyLoads?.noteValues(of: object, cohort, count: keys.count)
    let former = state.beginLazy(valuesOf: object, slot, cohort, count: keys.count)
    defer { former?.end() }
    let receiver = FaultRowReceiver(state, object.runtime, own: object)
    // The neighbors can be objects of other entities of the root.
    try state.session.opened().fetchRows(keys[...], entity: object.runtime.root, into: receiver)
    noteMissing(keys, receiver)
    return Result(
      row: receiver.ownRow, failure: receiver.ownFailure, neighbors: receiver.placed)
  }

  /// Reads the row of one object, in any state of the object.
  func readAlone(_ object: ManagedObject) throws -> PackedRow? {
    try state.session.opened().fetchRow(object.key, entity: object.runtime.index)
  }

  /// Fills many faults in as few statements as possible.
  ///
  /// - Throws: `object.missing` for missing rows, and the errors of unreadable rows; several errors
  ///   become the causes of one.
  func fulfill(all objects: some Collection<ManagedObject>) throws {
    let faults = Dictionary(
      grouping: objects.lazy.filter { $0.flags.contains(.fault) && !$0.flags.contains(.gone) }
    ) { $0.runtime.root }
    var failures: [PersistenceError] = []
    for (entity, faults) in faults {
      for fault in faults { fault.forgetFailures() }
      let placed = Set(try read(faults.map(\.key)[...], of: state.container.entities[entity]))
      for fault in faults {
        if placed.contains(fault) {
          try fault.fillAgain(self)
        } else if let failure = fault.rowFailure {
          failures.append(failure)
        } else {
          fault.becomeMissing()
        }
        guard fault.flags.contains(.missing) else { continue }
        failures.append(
          PersistenceError(.objectMissing, entity: fault.entityName, objectID: fault.objectID))
      }
    }
    if !failures.isEmpty { throw PersistenceError.combining(failures, as: .multipleFailures) }
  }

  /// Reads the rows of some keys with one statement, or a few for very many.
  func fetch(_ keys: [Int64], of runtime: EntityRuntime, into receiver: any RowReceiver) throws {
    var rest = keys[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.greatestCount)
      rest = rest.dropFirst(part.count)
      try state.session.opened().fetch(
        StoreQuery(entity: runtime.index, keys: part), into: receiver)
    }
  }

  /// Objects whose rows were asked for, and not found, are missing: it costs no statement to know
  /// it.
  private func noteMissing(_ keys: [Int64], _ receiver: FaultRowReceiver) {
    // Usually every row is there.
    if receiver.keys.count >= keys.count { return }
    let map = receiver.map
    let found = Set(receiver.keys)
    for key in keys where !found.contains(key) {
      guard let object = map.object(key), object !== receiver.own,
        object.flags.contains(.fault), object.flags.isDisjoint(with: [.failed, .gone])
      else { continue }
      object.becomeMissing()
    }
  }

  /// The greatest number of keys in one query of ``fetch(_:of:into:)``: databases limit the
  /// constants of a statement.
  static let greatestCount = 30_000

  /// Fills the faults among some objects with one statement for each root, or a few for very many.
  /// A fault without a row stays a fault, and is missing.
  ///
  /// - Throws: errors of the store. An unreadable row is reported when its object is read.
  func fill(_ objects: [ManagedObject]) throws {
    let faults = objects.filter {
      $0.flags.contains(.fault) && $0.flags.isDisjoint(with: [.gone, .missing, .failed])
    }
    for (entity, faults) in Dictionary(grouping: faults, by: { $0.runtime.root }) {
      let runtime = state.container.entities[entity]
      let receiver = FaultRowReceiver(state, runtime)
      let keys = faults.map(\.key)
      try fetch(keys, of: runtime, into: receiver)
      noteMissing(keys, receiver)
      for object in receiver.placed where object.runtime.overridesHooks { object.awakeFromFetch() }
      // A hook may have turned some into faults again.
      for object in receiver.placed { try object.fillAgain(self) }
    }
  }

  /// Reads an object's row again in any state of the object, and keeps its changes.
  func reload(_ object: ManagedObject) throws {
    guard let row = try readAlone(object) else { return object.becomeMissing() }
    object.adoptRow(row)
    if object.runtime.overridesHooks, !object.flags.contains(.missing) { object.awakeFromFetch() }
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
    try state.session.opened().fetchRows(keys, entity: runtime.index, into: receiver)
    // After the store is done, because a hook may read other objects.
    for object in receiver.placed where object.runtime.overridesHooks { object.awakeFromFetch() }
    return receiver.placed
  }
}

/// Fills faults with their rows.
final class FaultRowReceiver: RowReceiver {
  /// The faults that have got their rows.
  private(set) var placed: [ManagedObject] = []
  /// The row of the fault for which the statement was made: it places the row itself.
  private(set) var ownRow: PackedRow?
  private(set) var ownFailure: PersistenceError?
  /// The keys of the rows that exist.
  private(set) var keys: ContiguousArray<Int64> = []
  let own: ManagedObject?
  let map: IdentityMap
  private var current: ManagedObject?

  init(_ state: ContextState, _ runtime: EntityRuntime, own: ManagedObject? = nil) {
    map = state.maps[runtime.index]
    self.own = own
  }

  func wantsRow(key: Int64, version: Int64) -> Bool {
    keys.append(key)
    current = map.object(key)
    return current?.flags.contains(.fault) == true
  }

  func receive(key: Int64, row: consuming PackedRow) {
    guard let current else { return }
    if current === own {
      ownRow = row
    } else {
      current.adoptRow(row)
      // It is missing if the row is that of another entity now.
      if !current.flags.contains(.missing) { placed.append(current) }
    }
  }

  func skip(key: Int64) {}

  func receive(key: Int64, failure: PersistenceError) {
    keys.append(key)
    guard let object = map.object(key) else { return }
    if object === own { ownFailure = failure } else { object.fail(failure) }
  }
}
