import CopalModel
import CopalStore

/// The steps of a save before it writes: hooks, rules, and the plan of what is to be written.
struct SavePreparation {
  private let context: ManagedObjectContext
  private let state: ContextState
  /// Nil when no class of the model can override a hook.
  private var hooks: SaveHooks?

  /// The limit of repeated preparations because transformers have changed objects in the meantime.
  private static let roundLimit = 10

  init(_ context: ManagedObjectContext) {
    self.context = context
    state = context.state
    hooks = state.container.overridesHooks ? SaveHooks(state) : nil
  }

  /// The objects to be saved, and what is to be written.
  struct Prepared {
    let objects: ContiguousArray<ManagedObject>
    let plan: SavePlan
  }

  /// Calls the hooks, checks the rules, and encodes and packs what changed.
  ///
  /// - Throws: all that stands in the way.
  mutating func run() throws -> Prepared {
    _ = state.noteMutations()
    _ = deleteOrphans()
    _ = try noteCountedOwners()
    defer { hooks?.end() }
    var former: SavePlan?
    for _ in 0..<Self.roundLimit {
      var validation = ObjectValidation()
      try callHooks(&validation)
      let round = beginRound()
      check(round.objects, &validation)
      validation.failures += state.metadata.failures(state.container.store)
      let plan = SavePlan(
        state, round.objects, metadata: state.metadata.changes, &validation.failures)
      if !validation.failures.isEmpty {
        round.unseal()
        throw PersistenceError(.saveFailed, causes: validation.failures)
      }
      if isComplete(round, plan, former) { return Prepared(objects: round.objects, plan: plan) }
      round.unseal()
      former = plan
    }
    throw PersistenceError(.endlessHooks, found: "\(Self.roundLimit)")
  }

  // MARK: Steps

  /// Calls the hooks until they have made no further object a part of the save: one with a value
  /// that has changed in place, one without its owner, or one whose members are counted.
  private mutating func callHooks(_ validation: inout ObjectValidation) throws {
    repeat {
      try hooks?.call(&validation)
    } while try state.noteMutations() || deleteOrphans() || noteCountedOwners()
  }

  /// The objects of one round, and the number of those in the list of changes.
  private struct Round {
    let objects: ContiguousArray<ManagedObject>
    let listedCount: Int

    /// Ends the check of the objects: nothing was written.
    func unseal() { for object in objects { object.unseal() } }
  }

  private func beginRound() -> Round {
    state.hasChangedSinceCheck = false
    return Round(objects: changedObjects(), listedCount: state.changed.objects.count)
  }

  /// Checks the rules of the model, and seals the objects, so that the save notices later writes.
  private func check(
    _ objects: ContiguousArray<ManagedObject>, _ validation: inout ObjectValidation
  ) {
    for object in objects {
      validation.checkRules(of: object)
      object.seal()
    }
    if state.container.hasRelationships { validation.failures += relationshipFailures(of: objects) }
  }

  /// The errors of delete rules, and of the numbers of members.
  private func relationshipFailures(of objects: ContiguousArray<ManagedObject>)
    -> [PersistenceError]
  {
    var all: [PersistenceError] = []
    let denial = DenyCheck(state, context.core)
    var counts = CountCheck(state, context.core)
    for object in objects where object.flags.contains(.deleted) {
      let failures = denial.failures(of: object)
      if !failures.isEmpty { counts.denied.append(object) }
      all += failures
    }
    if state.container.limitsCounts {
      for object in objects { all += counts.failures(of: object) }
    }
    return all
  }

  /// Whether no transformer has changed what the plan was made of.
  private func isComplete(_ round: Round, _ plan: SavePlan, _ former: SavePlan?) -> Bool {
    if !state.hasChangedSinceCheck { return true }
    return round.listedCount == state.changed.objects.count
      && round.objects.allSatisfy(\.hasChanges) && plan.isSame(as: former)
  }

  // MARK: Objects

  /// Deletes the objects that have lost their owner, where the model wants this.
  ///
  /// - Returns: whether there were any.
  private func deleteOrphans() -> Bool {
    if !state.container.deletesOrphans { return false }
    let orphans = changedObjects().filter(\.isOrphan)
    // A hook of one may have given another one an owner.
    for object in orphans where object.isOrphan { context.delete(object) }
    return !orphans.isEmpty
  }

  /// Makes the owners whose members are counted a part of the save, also those whose members a hook
  /// has changed.
  ///
  /// - Returns: whether there were new ones.
  private func noteCountedOwners() throws -> Bool {
    try !state.relationships.counted.isEmpty && CountCheck(state, context.core).noteOwners()
  }

  private func changedObjects() -> ContiguousArray<ManagedObject> {
    let listed = state.changed.objects
    // Usually every object in the list has changes, and the list itself is returned.
    return listed.allSatisfy { $0.hasChanges } ? listed : listed.filter { $0.hasChanges }
  }
}
