import CopalEssentials
import CopalModel
import CopalStore

/// Reads the objects of relationships for the objects of a fetch, step by step along a path.
struct Prefetch {
  private let state: ContextState
  private let core: ContextCore
  private let related: RelatedObjects

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    self.core = core
    related = RelatedObjects(state, core)
  }

  /// Reads the objects along a path of names with points between them.
  ///
  /// - Throws: `request.unknownProperty` for a name that is no relationship; a code of `store.…`.
  func load(_ path: String, of objects: [ManagedObject], _ runtime: EntityRuntime) throws {
    var (objects, runtime) = (objects, runtime)
    let names = path.split(separator: ".", omittingEmptySubsequences: false)
    for (step, name) in names.enumerated() {
      guard let relationship = runtime.relationship(named: name) else {
        throw PersistenceError(
          .unknownProperty, entity: runtime.layout.name, property: String(name),
          suggestion: NearestName.of(
            String(name), among: runtime.relationshipNames))
      }
      let destination = state.container.entities[relationship.destination]
      let former = state.begin(.prefetch, runtime, relationship.description.name)
      defer { former?.end() }
      if let slot = relationship.slot {
        objects = try targets(slot, of: objects, relationship, destination)
      } else {
        let owners = try loadMembers(relationship, of: objects, runtime)
        // Nothing asks for the objects of the last step.
        if step == names.count - 1 { return }
        objects = try members(relationship, of: owners)
      }
      runtime = destination
    }
  }

  /// The objects of a to-one relationship, with their values.
  private func targets(
    _ slot: Int, of objects: [ManagedObject], _ relationship: RelationshipRuntime,
    _ destination: EntityRuntime
  ) throws -> [ManagedObject] {
    let handler = FaultHandler(state)
    try handler.fill(objects)
    let made = try makeTargets(slot, of: objects, relationship, destination)
    defer { withExtendedLifetime(made) {} }
    var seen: Set<ObjectIdentifier> = []
    let targets = try objects.compactMap { object -> ManagedObject? in
      guard let key = object.reference(slot),
        let target = try related.object(key, of: relationship),
        seen.insert(ObjectIdentifier(target)).inserted
      else { return nil }
      return target
    }
    try handler.fill(targets)
    if destination.hasRelationships, let owner = objects.first {
      makeCohort(of: targets, state.origin(relationship, of: owner.runtime, owner.key))
    }
    return targets
  }

  /// Makes the objects of a to-one relationship whose classes are not known, with one statement.
  private func makeTargets(
    _ slot: Int, of objects: [ManagedObject], _ relationship: RelationshipRuntime,
    _ destination: EntityRuntime
  ) throws -> [ManagedObject] {
    if !destination.hasSubentities { return [] }
    let map = state.maps[destination.index]
    let keys = Set(objects.compactMap { $0.reference(slot) }.filter { $0 > 0 })
    return try NewObjects(state, core).make(
      keys.filter { map.object($0) == nil }.inOrder(), of: destination)
  }

  /// Makes the objects of a to-one relationship neighbors, so that what they lack is read for many
  /// of them at once.
  private func makeCohort(of targets: [ManagedObject], _ origin: CohortOrigin) {
    let new = targets.filter { $0.cohort == 0 && $0.key > 0 }
    let number = state.cohort(of: new, origin)
    for object in new { object.cohort = number }
  }

  /// Reads the members of a to-many relationship.
  ///
  /// - Returns: the objects that can have members.
  private func loadMembers(
    _ relationship: RelationshipRuntime, of objects: [ManagedObject], _ runtime: EntityRuntime
  ) throws -> [ManagedObject] {
    let owners = objects.filter { $0.flags.isDisjoint(with: [.deleted, .gone, .missing]) }
    let missing = related.unread(relationship, of: owners)
    if !missing.isEmpty { try related.load(relationship, of: runtime, missing) }
    return owners
  }

  /// The objects of a to-many relationship, which has been read.
  private func members(_ relationship: RelationshipRuntime, of owners: [ManagedObject]) throws
    -> [ManagedObject]
  {
    let all = try owners.flatMap { try related.members(relationship, of: $0) }
    // Linked objects may belong to several owners. So may an object that another context has moved,
    // until the owners are refreshed.
    var seen: Set<ObjectIdentifier> = []
    return all.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
