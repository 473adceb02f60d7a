public import CopalModel
import CopalStore

/// Batches: changes of many stored objects in one transaction of their own, without making objects.
///
/// A batch works on the values that the store has, and calls no hook. It checks the rules of the
/// model, follows the delete rules, and raises the versions of the rows that it changes. The
/// written objects that this context, or another one of the container, has without changes become
/// faults, so that the next read of a property reads the new values; where the store does not know
/// which they are, or they are more than 10,000, all objects of the entities. A changed object
/// keeps its changes, and its save finds the conflict.
extension ManagedObjectContext {
  /// Deletes the objects of a class that meet a condition, and does what the delete rules say for
  /// the objects related to them.
  ///
  /// ```swift
  /// let count = try context.deleteAll(Pigment.self) { $0.price < 5 }
  /// ```
  ///
  /// - Parameter condition: the condition on the stored values; nil for all objects of the class.
  /// - Returns: the number of objects that the condition has found.
  /// - Throws: `batch.pendingChanges` while this context has unsaved changes of the entities
  ///   concerned; `save.deletionDenied`, `save.required` and `save.tooFewObjects` for a rule of a
  ///   relationship; a code of `request.…` or `store.…`. Then nothing is written.
  @discardableResult
  public func deleteAll<T: QueryableObject>(
    _ type: T.Type, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil
  ) throws -> Int {
    try deleteAll(
      try runtime(for: FetchRequest<T>()), condition.map { $0(QueryProperties())._predicate },
      includesSubentities: true)
  }

  /// Deletes the objects of the entity of that name that meet a condition. Use it for entities
  /// without a generated class.
  ///
  /// - Throws: as ``deleteAll(_:where:)-(T.Type,_)``.
  @discardableResult
  public func deleteAll(
    _ entityName: String, where condition: FetchPredicate? = nil, includesSubentities: Bool = true
  ) throws -> Int {
    try deleteAll(
      try runtime(named: entityName), condition, includesSubentities: includesSubentities)
  }

  private func deleteAll(
    _ runtime: EntityRuntime, _ condition: FetchPredicate?, includesSubentities: Bool
  ) throws -> Int {
    let query = try binder(of: runtime)
      .bind(condition, setting: [], includesSubentities: includesSubentities).query
    let kinds = includesSubentities ? runtime.entities : [runtime.index]
    let plan = state.container.schema.deletionPlan(of: kinds)
    return try run(.delete(query), runtime, entities: plan.written) { _, _, _, _ in nil }.count
  }

  /// Gives the objects of a class that meet a condition new values.
  ///
  /// ```swift
  /// try context.updateAll(Pigment.self, where: { $0.price < 5 }) {
  ///   $0.price.set(to: $0.price * 2)
  ///   $0.code.set(to: nil)
  /// }
  /// ```
  ///
  /// All values are calculated from the stored ones before the first one is written.
  ///
  /// - Parameters:
  ///   - condition: the condition on the stored values; nil for all objects of the class.
  ///   - assignments: the new values.
  /// - Returns: the number of objects that the condition has found.
  /// - Throws: `batch.pendingChanges` while this context has unsaved changes of the entity; the
  ///   error of a save for a value that breaks a rule, such as `save.belowMinimum` or
  ///   `save.uniqueConflict`, and `batch.failed` with several of them; `batch.notAssignable` for a
  ///   property that is no stored attribute; a code of `request.…` or `store.…`. Then nothing is
  ///   written.
  @discardableResult
  public func updateAll<T: QueryableObject>(
    _ type: T.Type, where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil,
    @BatchAssignments set assignments: (QueryProperties<T>) -> [BatchAssignment]
  ) throws -> Int {
    try updateAll(
      try runtime(for: FetchRequest<T>()), condition.map { $0(QueryProperties())._predicate },
      assignments(QueryProperties()), includesSubentities: true)
  }

  /// Gives the objects of the entity of that name that meet a condition new values. Use it for
  /// entities without a generated class.
  ///
  /// ```swift
  /// try context.updateAll(
  ///   "Pigment", set: [BatchAssignment("price", .constant(.decimal(5)))])
  /// ```
  ///
  /// - Throws: as ``updateAll(_:where:set:)-(T.Type,_,_)``.
  @discardableResult
  public func updateAll(
    _ entityName: String, where condition: FetchPredicate? = nil,
    set assignments: [BatchAssignment],
    includesSubentities: Bool = true
  ) throws -> Int {
    try updateAll(
      try runtime(named: entityName), condition, assignments,
      includesSubentities: includesSubentities)
  }

  private func updateAll(
    _ runtime: EntityRuntime, _ condition: FetchPredicate?, _ assignments: [BatchAssignment],
    includesSubentities: Bool
  ) throws -> Int {
    let rules = BatchRules(runtime)
    var references = BatchReferences(runtime, self)
    var related: [(slot: Int, key: Int64?, position: Int64?)] = []
    var slots: [Int] = []
    var expressions: [Int: FetchExpression] = [:]
    for assignment in assignments {
      if let relationship = runtime.relationship(named: assignment.property) {
        related.removeAll { $0.slot == relationship.slot }
        related += [try references.setAll(assignment, relationship)]
        continue
      }
      let slot = try rules.slot(assignment.property)
      // The last value of an attribute counts.
      if expressions.updateValue(assignment.value, forKey: slot) == nil { slots.append(slot) }
    }
    var (query, values) = try binder(of: runtime).bind(
      condition, setting: slots.map { ($0, expressions[$0] ?? .constant(.null)) },
      includesSubentities: includesSubentities)
    var failures = BatchFailures()
    var bound: [BatchChange.Assignment] = []
    for (slot, value) in zip(slots, values) {
      let isExternal = runtime.layout.externalSlots.contains(slot)
      switch value {
      case .constant(let constant):
        guard let checked = failures.catching({ try rules.checked(constant, slot, nil) }) else {
          continue
        }
        if checked.isNull {
          bound.append(BatchChange.Assignment(slot: slot, .null))
        } else if isExternal {
          throw rules.external(slot)
        } else {
          query.parameters.append(checked)
          bound.append(
            BatchChange.Assignment(slot: slot, .parameter(query.parameters.count - 1)))
        }
      case .calculated(_, let calculation):
        if isExternal { throw rules.external(slot) }
        bound.append(BatchChange.Assignment(slot: slot, .calculated(calculation)))
      }
    }
    let keys = try references.resolved(among: [], &failures)
    try failures.throwIfAny()
    for assignment in related {
      bound += references.bound(assignment, keys, &query.parameters)
    }
    if bound.isEmpty { return 0 }
    let kinds = Set(includesSubentities ? runtime.entities : [runtime.index])
    let entities = state.container.entities
    let owners = try references.limitedOwners(
      ofObjects: condition, includesSubentities: includesSubentities, related, keys)
    return try checkingLimits(of: owners) {
      try run(.update(query, bound), runtime, entities: kinds, failures: &failures) {
        entity, key, slot, value in
        try rules.checked(value, slot, ManagedObjectID(entities[entity].identity, key))
      }.count
    }
  }

  // MARK: Running

  private func run(
    _ batch: BatchChange, _ runtime: EntityRuntime, entities: Set<Int>,
    check: (Int, Int64, Int, PropertyValue) throws -> PropertyValue?
  ) throws -> BatchResult {
    var failures = BatchFailures()
    return try run(batch, runtime, entities: entities, failures: &failures, check: check)
  }

  func run(
    _ batch: BatchChange, _ runtime: EntityRuntime, entities: Set<Int>,
    failures: inout BatchFailures,
    check: (Int, Int64, Int, PropertyValue) throws -> PropertyValue?
  ) throws -> BatchResult {
    try prepareForBatch(runtime, entities)
    let operation: StatementReason.Operation =
      switch batch {
      case .update: .batchUpdate
      case .delete: .batchDelete
      case .upsert: .batchUpsert
      }
    let former = state.begin(operation, runtime)
    defer { former?.end() }
    let outcome: BatchOutcome
    var written = WrittenObjects()
    do {
      outcome = try state.committing(entities) {
        let outcome = try state.session.opened().execute(batch) { entity, key, slot, value in
          failures.catching { try check(entity, key, slot, value) }?.flatMap { $0 }
        }
        if case .done(let result) = outcome, result.count > 0 {
          written = WrittenObjects(of: entities, keys: result.changed)
        }
        return outcome
      } published: { outcome in
        guard case .done(let result) = outcome else { return nil }
        return (.batch(written), result.place)
      }
    } catch var error as PersistenceError where error.code == .noBatches {
      error.entity = runtime.layout.name
      throw error
    }
    switch outcome {
    case .done(let result):
      if result.count > 0 {
        finishBatch(written, inserted: [runtime.root: Array(result.inserted)])
      }
      return result
    case .refused(let refusals):
      for refusal in refusals { failures.add(self.error(of: refusal)) }
      try failures.throwIfAny()
      throw PersistenceError(.batchFailed, entity: runtime.layout.name)
    }
  }

  /// Checks that nothing stands in the way of a batch that changes objects of some entities.
  func prepareForBatch(_ runtime: EntityRuntime, _ entities: Set<Int>) throws {
    try state.prepareForBatch(of: entities, entity: runtime.layout.name)
  }

  /// A batch has changed objects, and inserted some, by root.
  func finishBatch(_ written: WrittenObjects, inserted: [Int: [Int64]]) {
    state.note(batch: written, inserted: inserted)
    state.forgetStored(written)
  }

  private func error(of refusal: BatchRefusal) -> PersistenceError {
    let entity = state.container.entities[refusal.entity]
    func error(
      _ code: PersistenceError.Code, _ property: String, found: Int? = nil, expected: Int? = nil
    ) -> PersistenceError {
      PersistenceError(
        code, entity: entity.layout.name, property: property,
        objectID: refusal.key.map { ManagedObjectID(entity.identity, $0) },
        found: found.map { "\($0)" }, expected: expected.map { "\($0)" })
    }
    func names(_ slots: [Int]) -> String {
      slots.map { entity.layout.attributes[$0].name }.joined(separator: ", ")
    }
    return switch refusal.kind {
    case .denied(let name, let count): error(.deletionDenied, name.name, found: count)
    case .required(let slot): error(.required, names([slot]))
    case .tooFew(let name, let count, let minimum):
      error(.tooFewObjects, name.name, found: count, expected: minimum)
    case .unique(let slots): error(.uniqueConflict, names(slots))
    }
  }
}

/// The errors of a batch. The first hundred are kept.
struct BatchFailures {
  private var all: [PersistenceError] = []
  private var count = 0

  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ failure: PersistenceError) {
    count += 1
    if all.count < 100 { all.append(failure) }
  }

  /// The result of the body; nil when it has thrown.
  mutating func catching<R>(_ body: () throws -> R) -> R? {
    do {
      return try body()
    } catch {
      add(error as? PersistenceError ?? PersistenceError(.batchFailed, causes: [error]))
      return nil
    }
  }

  func throwIfAny() throws {
    if all.isEmpty { return }
    var error = PersistenceError.combining(all, as: .batchFailed)
    if count > all.count { error.found = "\(count)" }
    throw error
  }
}
