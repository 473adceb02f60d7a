import CopalEssentials
package import CopalModel

extension MemorySession {
  func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome {
    let (outcome, place) = try write(isWritten: \.isDone) { contents -> BatchOutcome in
      var writer = MemoryBatch(contents, store.schema)
      do {
        let result: BatchResult?
        switch batch {
        case .delete(let query): result = try writer.delete(query)
        case .update(let query, let assignments):
          result = try writer.update(query, assignments, check)
        case .upsert(let upsert): result = try writer.upsert(upsert)
        }
        guard let result else { return .refused([]) }
        contents = writer.contents
        return .done(result)
      } catch let refusals as BatchRefusals {
        return .refused(refusals.all)
      }
    }
    guard case .done(var result) = outcome else { return outcome }
    result.place = place
    return .done(result)
  }
}

/// One batch in memory, on a copy of the contents.
package struct MemoryBatch {
  package private(set) var contents: MemoryContents
  private let schema: StoreSchema
  private let keys: MemoryContents.KeyChoice?

  /// - Parameter keys: chooses the keys of new rows; nil for the next ones of the contents.
  package init(
    _ contents: MemoryContents, _ schema: StoreSchema, keys: MemoryContents.KeyChoice? = nil
  ) {
    self.contents = contents
    self.schema = schema
    self.keys = keys
  }

  private func row(_ key: Int64, _ root: Int) -> PackedRow? { contents.tables[root].rows[key] }

  // MARK: Deleting

  package mutating func delete(_ query: StoreQuery) throws -> BatchResult {
    let keys = contents.keys(query, schema)
    let entities = query.includesSubentities ? schema.kinds(of: query.entity) : [query.entity]
    let plan = DeletionPlan(schema, deleting: entities)
    var marks = Marks()
    var level = [schema.entities[query.entity].root: keys]
    while !level.isEmpty {
      var next: [Int: [Int64]] = [:]
      for (root, keys) in level { marks.add(keys, root) }
      for edge in plan.edges where edge.action == .cascade {
        for key in level[edge.root] ?? [] {
          next[edge.destinationRoot, default: []] += others(of: key, edge).filter {
            row($0, edge.destinationRoot) != nil && !marks.contains($0, edge.destinationRoot)
          }
        }
      }
      level = next.mapValues { Array(Set($0)) }.filter { !$0.value.isEmpty }
    }
    let refusals = plan.edges.flatMap { self.refusals(of: $0, marks) }
    if !refusals.isEmpty { throw BatchRefusals(refusals) }
    var changed = marks.all.mapValues(Array.init)
    for edge in plan.edges where edge.action == .nullify || edge.minimum != nil {
      changed[edge.destinationRoot, default: []] += release(edge, marks)
    }
    for edge in plan.edges {
      guard case .links(let table, let end) = edge.layout.storage else { continue }
      for key in marks.keys(edge.root) { contents.removeLinks(of: key, table, at: end, schema) }
    }
    for (root, keys) in marks.all {
      for key in keys {
        guard let row = row(key, root) else { continue }
        contents.set(nil, key, schema.entities[row.entity])
      }
    }
    return BatchResult(count: keys.count, changed: changed)
  }

  /// The deleted objects, by root.
  private struct Marks {
    private(set) var all: [Int: Set<Int64>] = [:]

    mutating func add(_ keys: [Int64], _ root: Int) { all[root, default: []].formUnion(keys) }
    func contains(_ key: Int64, _ root: Int) -> Bool { all[root]?.contains(key) ?? false }
    func keys(_ root: Int) -> [Int64] { (all[root] ?? []).inOrder() }
  }

  /// The objects at the other end of a relationship of an object; none for an object that does not
  /// have the relationship.
  private func others(of key: Int64, _ edge: DeletionPlan.Edge) -> [Int64] {
    guard let row = row(key, edge.root),
      schema.isEntity(row.entity, kindOf: edge.layout.declaringEntity)
    else { return [] }
    if case .slot(let slot) = edge.layout.storage { return row.integer(slot).map { [$0] } ?? [] }
    return contents.related(to: key, edge.layout.storage, schema.entities[edge.layout.destination])
      .map(\.key)
  }

  /// The first object for which each rule of a relationship would be broken.
  private func refusals(of edge: DeletionPlan.Edge, _ marks: Marks) -> [BatchRefusal] {
    var found: [BatchRefusal] = []
    let keys = marks.keys(edge.root)
    func kept(_ key: Int64) -> [Int64] {
      others(of: key, edge).filter { !marks.contains($0, edge.destinationRoot) }
    }
    if edge.action == .deny, let key = keys.first(where: { !kept($0).isEmpty }) {
      found.append(
        BatchRefusal(
          .denied(edge.name, count: kept(key).count), entity: edge.layout.declaringEntity, key: key)
      )
    }
    if edge.action == .nullify, edge.isRequired, let back = edge.back,
      let key = keys.lazy.flatMap(kept).min()
    {
      found.append(
        BatchRefusal(.required(slot: back.slot), entity: edge.layout.destination, key: key))
    }
    guard let minimum = edge.minimum, let inverse = inverse(of: edge) else { return found }
    for owner in Set(keys.lazy.flatMap(kept)).inOrder() {
      let members = contents.related(
        to: owner, inverse.storage, schema.entities[inverse.destination])
      let count = members.count { !marks.contains($0.key, edge.root) }
      if count >= minimum { continue }
      found.append(
        BatchRefusal(
          .tooFew(edge.inverseName, count: count, minimum: minimum),
          entity: edge.layout.destination, key: owner))
      break
    }
    return found
  }

  private func inverse(of edge: DeletionPlan.Edge) -> RelationshipLayout? {
    edge.layout.inverse.map { schema.relationships[edge.layout.destination][$0] }
  }

  /// Removes references to deleted objects, and raises the versions of objects that lose one.
  ///
  /// - Returns: the keys of these objects.
  private mutating func release(_ edge: DeletionPlan.Edge, _ marks: Marks) -> Set<Int64> {
    var touched: Set<Int64> = []
    for key in marks.keys(edge.root) {
      let kept =
        switch (edge.layout.storage, edge.back) {
        case (.slot, let back?):
          Array(contents.referrers(to: key, back))
        default: others(of: key, edge)
        }
      for other in kept where !marks.contains(other, edge.destinationRoot) {
        if edge.minimum == nil, edge.back == nil { continue }
        touched.insert(other)
      }
    }
    for other in touched {
      guard let old = row(other, edge.destinationRoot) else { continue }
      let slots =
        edge.action == .nullify
        ? [edge.back?.slot, edge.back?.positionSlot].compactMap { $0 } : []
      write(old, other, Dictionary(uniqueKeysWithValues: slots.map { ($0, .null) }))
    }
    return touched
  }

  /// Writes some values of a row, and raises its version.
  private mutating func write(_ old: PackedRow, _ key: Int64, _ new: [Int: PropertyValue]) {
    let layout = schema.entities[old.entity]
    if let row = old.replacing(values: new, layout) { contents.set(row, key, layout) }
  }

  // MARK: Updating

  /// - Returns: nil when a value breaks a rule.
  package mutating func update(
    _ query: StoreQuery, _ assignments: [BatchChange.Assignment],
    _ check: (_ entity: Int, _ key: Int64, _ slot: Int, _ value: PropertyValue) -> PropertyValue?
  ) throws -> BatchResult? {
    let root = schema.entities[query.entity].root
    let query = query.withPositions(of: assignments, schema.entities[query.entity]) {
      contents.greatestPosition(in: $0, schema)
    }
    let keys = contents.keys(query, schema)
    let evaluator = QueryEvaluator(nil, parameters: query.parameters)
    let source = MemorySource(schema, contents)
    var updates: [Int: [ChangeSet.Update]] = [:]
    var isValid = true
    for key in keys {
      guard let old = row(key, root) else { continue }
      let layout = schema.entities[old.entity]
      let subject = MemorySubject(key, old, source)
      var new: [Int: PropertyValue] = [:]
      for assignment in assignments {
        switch assignment.value {
        case .null: new[assignment.slot] = .null
        case .parameter(let number): new[assignment.slot] = query.parameters[number]
        case .calculated(let calculation):
          let value = evaluator.value(calculation, of: subject)
          guard let checked = check(old.entity, key, assignment.slot, value) else {
            isValid = false
            continue
          }
          new[assignment.slot] = checked
        }
      }
      guard let row = old.replacing(values: new, layout) else {
        throw PersistenceError(.tooBig, entity: layout.name)
      }
      updates[old.entity, default: []].append(
        ChangeSet.Update(
          key: key, before: old, row: row, changed: SlotSet(new.keys, count: layout.slotCount)))
    }
    if !isValid { return nil }
    let changes = updates.inOrder { $0.key < $1.key }.map { entity, updates in
      var change = ChangeSet.EntityChanges(entity: entity)
      change.updates = updates
      return change
    }
    try apply(ChangeSet(changes))
    return BatchResult(count: keys.count, changed: [schema.entities[query.entity].root: keys])
  }

  /// Applies changes, unless they break a unique constraint.
  @discardableResult
  private mutating func apply(_ changes: ChangeSet) throws -> CommitReceipt {
    let conflicts = try ConflictSearch(schema, MemoryRows(contents, schema)).conflicts(of: changes)
    for conflict in conflicts {
      guard case .unique(let slots) = conflict.kind else { continue }
      throw BatchRefusals([
        BatchRefusal(
          .unique(slots), entity: conflict.entity, key: conflict.key > 0 ? conflict.key : nil)
      ])
    }
    return contents.apply(changes, schema, keys: keys)
  }

  // MARK: Inserting or updating

  package mutating func upsert(_ upsert: BatchChange.Upsert) throws -> BatchResult {
    let layout = schema.entities[upsert.entity]
    func index(_ constraint: EntityLayout.UniqueConstraint) -> UniqueIndex {
      UniqueIndex(constraint, layout, contents: contents, schema: schema)
    }
    // The rows are written one after the other, so that a later one does not repair what an earlier
    // one breaks.
    var others = layout.uniqueConstraints.filter { $0 != upsert.constraint }.map(index)
    var plan = UpsertPlan(
      layout, upsert.constraint, stored: index(upsert.constraint).keys, raisesEachTime: true)
    func refusal(_ slots: [Int], _ key: Int64) -> BatchRefusals {
      BatchRefusals([
        BatchRefusal(.unique(slots), entity: layout.index, key: key > 0 ? key : nil)
      ])
    }
    for new in upsert.rows {
      let holder = try plan.add(new, stored: { row($0, layout.root) }) { row, key, old in
        for position in others.indices {
          guard let holder = others[position].insert(row, key, replacing: old) else { continue }
          throw refusal(others[position].slots, holder)
        }
      }
      if let holder { throw refusal(upsert.constraint.slots, holder) }
    }
    var change = ChangeSet.EntityChanges(entity: upsert.entity)
    change.inserts = plan.inserts
    change.updates = plan.updates.inOrder { $0.key < $1.key }
    let receipt = try apply(ChangeSet([change]))
    let inserted = receipt.insertedKeys.first ?? []
    let updated = plan.updates.map(\.key)
    return BatchResult(
      count: upsert.rows.count, inserted: inserted, updated: updated,
      changed: [layout.root: updated])
  }
}

/// The keys of the rows by their values of a unique constraint.
private struct UniqueIndex {
  var slots: [Int] { constraint.slots }
  var keys: [UniqueValues: Int64] = [:]
  private let constraint: EntityLayout.UniqueConstraint
  private let layout: EntityLayout

  init(
    _ constraint: EntityLayout.UniqueConstraint, _ layout: EntityLayout, contents: MemoryContents,
    schema: StoreSchema
  ) {
    (self.constraint, self.layout) = (constraint, layout)
    let kinds = Set(schema.kinds(of: constraint.declaringEntity))
    for (key, row) in contents.tables[layout.root].rows where kinds.contains(row.entity) {
      if let values = layout.uniqueValues(of: row, constraint) { keys[values] = key }
    }
  }

  /// Adds a row in place of its older form.
  ///
  /// - Returns: the key of another row with the same values, which keeps them; nil when there is
  ///   none.
  mutating func insert(_ row: PackedRow, _ key: Int64, replacing old: PackedRow?) -> Int64? {
    let values = layout.uniqueValues(of: row, constraint)
    if let values, let holder = keys[values], holder != key { return holder }
    if let old, let former = layout.uniqueValues(of: old, constraint) { keys[former] = nil }
    if let values { keys[values] = key }
    return nil
  }
}

extension PackedRow {
  /// A copy of the row with other values in some slots and the next version; nil when it is too
  /// big.
  fileprivate func replacing(values new: [Int: PropertyValue], _ layout: EntityLayout) -> PackedRow?
  {
    var values = [PropertyValue](repeating: .null, count: layout.slotCount)
    for (slot, value) in new { values[slot] = value }
    return repacked(
      layout, values, changed: SlotSet(new.keys, count: layout.slotCount),
      version: RowVersion.next(after: version))
  }
}
