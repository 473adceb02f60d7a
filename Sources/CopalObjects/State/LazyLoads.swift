import CopalModel
import CopalStore

/// The lazy loads of a context since ``ManagedObjectContext/forbiddingLazyLoads(trap:_:)`` was
/// called.
final class LazyLoads {
  let traps: Bool
  /// Whether the program has asked for the next read.
  private var isAskedFor = false
  private var loads: [Load] = []
  private var positions: [Subject: Int] = [:]

  /// What was read, and of which objects. Lazy loads with one subject are reported as one.
  private struct Subject: Hashable {
    var entity: String
    /// The relationship; nil for the values of a fault.
    var property: String?
    var verb: String
    var origin: String?
  }

  private struct Load {
    let subject: Subject
    var objectCount = 0
    var readCount = 0

    var error: PersistenceError {
      let origin = subject.origin.map { " of \($0)" } ?? ""
      return PersistenceError(
        .lazyLoad, entity: subject.entity, property: subject.property,
        found:
          "\(subject.verb) lazily for \(objectCount.counted("object"))\(origin), with \(readCount.counted("read"))"
      )
    }
  }

  init(traps: Bool) { self.traps = traps }

  /// The error at the end; nil without a lazy load.
  var error: PersistenceError? {
    loads.isEmpty ? nil : PersistenceError(.lazyLoads, causes: loads.map(\.error))
  }

  /// Adds the loads of a nested call.
  func add(_ inner: LazyLoads) {
    for load in inner.loads { add(load) }
  }

  private func add(_ load: Load) {
    let position = positions[load.subject] ?? loads.count
    if position == loads.count {
      positions[load.subject] = position
      loads.append(Load(subject: load.subject))
    }
    loads[position].objectCount += load.objectCount
    loads[position].readCount += load.readCount
  }

  // MARK: Noting

  /// The values of a fault are about to be read, together with those of its neighbors.
  func noteValues(of object: ManagedObject, _ cohort: Cohort?, count: Int) {
    // The fault was made by a to-one relationship: this is what the program has touched.
    if let (relationship, owner) = cohort?.origin?.relationship, relationship.slot != nil {
      let origin = cohort?.origin?.fetch?.description
      return note(
        owner.layout.name, relationship.description.name, "read", origin: origin, objectCount: count
      )
    }
    note(object.entityName, nil, "read", origin: cohort?.origin?.description, objectCount: count)
  }

  /// The objects of a to-many relationship are about to be read, for a number of owners.
  func noteMembers(
    _ relationship: RelationshipRuntime, of owner: ManagedObject, _ cohort: Cohort?, count: Int
  ) {
    note(
      owner.entityName, relationship.description.name, "read",
      origin: cohort?.origin?.description, objectCount: count)
  }

  /// The objects of a to-many relationship are about to be counted.
  func noteCount(
    _ relationship: RelationshipRuntime, of owner: ManagedObject, _ cohort: Cohort?
  ) {
    note(
      owner.entityName, relationship.description.name, "counted",
      origin: cohort?.origin?.description, objectCount: 1)
  }

  private func note(
    _ entity: String, _ property: String?, _ verb: String, origin: String?, objectCount: Int
  ) {
    if isAskedFor {
      // Only this read: a hook that it calls may read something else lazily.
      isAskedFor = false
      return
    }
    let subject = Subject(entity: entity, property: property, verb: verb, origin: origin)
    let load = Load(subject: subject, objectCount: objectCount, readCount: 1)
    require(!traps, "a lazy load in forbiddingLazyLoads: \(load.error)")
    add(load)
  }

  /// Runs a read that the program has asked for.
  func askedFor<R>(_ read: () throws -> R) rethrows -> R {
    let former = isAskedFor
    isAskedFor = true
    defer { isAskedFor = former }
    return try read()
  }
}
