import CopalModel
import CopalStore

/// Resolves the conflicts of a refused save, as the policy of the context wants it.
///
/// It changes the draft of the save and no object. What has no outcome stays a conflict.
struct ConflictResolution {
  let state: ContextState
  let policy: MergePolicy
  var draft: SaveDraft
  private(set) var resolved: [SaveReport.Resolved] = []
  /// The conflicts without an outcome.
  private(set) var remaining: [CommitConflict] = []
  /// What else stands in the way: rules that values of the policy break, rules of deletion.
  var failures: [any Error] = []
  /// The rows that were put onto newer ones, or were given up: with the stored row.
  private var decided: [(entity: Int, key: Int64, stored: PackedRow)] = []

  init(_ state: ContextState, _ policy: MergePolicy, _ plan: SavePlan) {
    self.state = state
    self.policy = policy
    draft = SaveDraft(plan)
  }

  var schema: StoreSchema { state.container.schema }

  /// Resolves the conflicts of one refusal.
  mutating func resolve(_ conflicts: [CommitConflict]) throws {
    for conflict in conflicts { try resolve(conflict) }
    try pairPartners()
    checkCounts()
  }

  private mutating func resolve(_ conflict: CommitConflict) throws {
    // An earlier conflict may have taken the row out of the save.
    guard let row = draft[conflict.entity, conflict.key] else {
      return try resolveOfLink(conflict)
    }
    switch conflict.kind {
    case .changed: resolveChanged(conflict, row)
    case .deleted: resolveDeleted(conflict, row)
    case .unique(let slots): try resolveUnique(conflict, row, slots)
    case .keyInUse: resolveKeyInUse(conflict, row)
    case .missingObject(let name): try resolveMissing(conflict, row, name)
    case .stillReferenced(let name): try resolveReferenced(conflict, row, name)
    case .unreadable: refuse(conflict)
    }
  }

  /// A link has no row in the save: only its ends have.
  private mutating func resolveOfLink(_ conflict: CommitConflict) throws {
    guard case .missingObject(let name) = conflict.kind else { return }
    let seen = describe(conflict, nil)
    if rule(for: seen, conflict) == .error { return refuse(conflict) }
    if !dropLinks(conflict, name) { return refuse(conflict) }
    note(seen, .released)
  }

  /// Not resolved: it is a cause of the error of the save.
  mutating func refuse(_ conflict: CommitConflict) { remaining.append(conflict) }

  mutating func note(_ conflict: MergeConflict, _ outcome: SaveReport.Outcome) {
    resolved.append(SaveReport.Resolved(conflict: conflict, outcome: outcome))
  }

  // MARK: Asking the policy

  /// The answer of the policy.
  enum Answer {
    case rule(ConflictRule)
    case values([String: PropertyValue])
  }

  mutating func answer(to conflict: MergeConflict) -> Answer {
    switch policy.kind {
    case .rule(let rule): return .rule(rule)
    case .custom(let resolve):
      do {
        switch try resolve(conflict) {
        case .refuse: return .rule(.error)
        case .takeStored: return .rule(.rollback)
        case .keepMine: return .rule(.objectTrump)
        case .overwrite: return .rule(.overwrite)
        case .values(let values): return .values(values)
        }
      } catch {
        failures.append(error)
        return .rule(.error)
      }
    }
  }

  /// The answer where values make no sense.
  mutating func rule(for conflict: MergeConflict, _ original: CommitConflict) -> ConflictRule {
    guard case .rule(let rule) = answer(to: conflict) else { return .error }
    return rule
  }

  // MARK: Rows that others have changed

  private mutating func resolveChanged(_ conflict: CommitConflict, _ row: SaveDraft.Row) {
    guard let stored = conflict.stored else { return refuse(conflict) }
    let seen = describe(conflict, row, stored: stored)
    switch row.change {
    case .delete:
      let rule = rule(for: seen, conflict)
      if rule == .error || rule == .rollback { return refuse(conflict) }
      draft.set(
        row.entity, row.key, .delete(ChangeSet.Delete(key: row.key, before: stored)))
      note(seen, .deleted)
    case .update(let update):
      resolveUpdate(conflict, seen, row, update, stored)
    case .insert: refuse(conflict)
    }
  }

  private mutating func resolveUpdate(
    _ conflict: CommitConflict, _ seen: MergeConflict, _ row: SaveDraft.Row,
    _ update: ChangeSet.Update, _ stored: PackedRow
  ) {
    let layout = schema.entities[row.entity]
    var values: [Int: PropertyValue] = [:]
    var rule = ConflictRule.storeTrump
    switch answer(to: seen) {
    case .rule(let found): rule = found
    case .values(let names):
      guard let checked = checkedValues(names, row) else { return refuse(conflict) }
      values = checked
    }
    let isCounted =
      row.object.map { state.ownersWithLimits.contains(ObjectIdentifier($0)) } ?? false
    if rule == .error || rule == .rollback && isCounted { return refuse(conflict) }
    if rule == .rollback {
      take(stored, row)
      decided.append((row.entity, row.key, stored))
      return note(seen, .tookStored)
    }
    var slots = mySlots(update, stored, rule, layout)
    for slot in values.keys { slots.remove(slot) }
    let version = RowVersion.next(after: stored.version)
    var merged = stored.taking(slots, from: update.row, layout, version: version)
    if !values.isEmpty {
      var cells = [PropertyValue](repeating: .null, count: layout.slotCount)
      for (slot, value) in values { cells[slot] = value }
      merged = merged?.repacked(
        layout, cells, changed: SlotSet(values.keys.sorted(), count: layout.slotCount),
        version: version)
    }
    guard let merged else { return refuse(conflict) }
    let changed = layout.columns.filter { merged.differs(from: stored, $0) }.map(\.slot)
    if changed.isEmpty, !isCounted {
      take(stored, row)
      decided.append((row.entity, row.key, stored))
      return note(seen, .tookStored)
    }
    draft.set(
      row.entity, row.key,
      .update(
        ChangeSet.Update(
          key: row.key, before: stored, row: merged,
          changed: SlotSet(changed, count: layout.slotCount))))
    if let object = row.object { draft.note(.rebased(object)) }
    decided.append((row.entity, row.key, stored))
    note(seen, .written)
  }

  /// The slots whose values are those of this context.
  private func mySlots(
    _ update: ChangeSet.Update, _ stored: PackedRow, _ rule: ConflictRule, _ layout: EntityLayout
  ) -> SlotSet {
    let runtime = state.container.entities[layout.index]
    if rule == .overwrite {
      // The file of a large value that was only read may be gone.
      return SlotSet(
        layout.columns.map(\.slot).filter {
          update.changed.contains($0) || !layout.externalSlots.contains($0)
        }, count: layout.slotCount)
    }
    if rule != .storeTrump { return update.changed }
    let theirs = Set(
      layout.columns.filter { update.before.differs(from: stored, $0) }
        .map { runtime.propertySlots[$0.slot] })
    return SlotSet(
      update.changed.filter { !theirs.contains(runtime.propertySlots[$0]) },
      count: layout.slotCount)
  }

  /// The object takes the stored row, and its own is not written.
  mutating func take(_ stored: PackedRow, _ row: SaveDraft.Row) {
    draft.remove(row.entity, row.key)
    if let object = row.object { draft.note(.takes(object, stored)) }
  }

  /// The values of a custom policy by slot, if the rules of the model accept them.
  private mutating func checkedValues(_ values: [String: PropertyValue], _ row: SaveDraft.Row)
    -> [Int: PropertyValue]?
  {
    let runtime = state.container.entities[row.entity]
    let rules = BatchRules(runtime)
    var result: [Int: PropertyValue] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      do {
        let slot = try rules.slot(name)
        let id = ManagedObjectID(runtime.identity, row.key)
        result[slot] = try rules.checked(value, slot, id)
      } catch {
        failures.append(error)
        return nil
      }
    }
    return result
  }

  // MARK: Rows that others have deleted

  private mutating func resolveDeleted(_ conflict: CommitConflict, _ row: SaveDraft.Row) {
    let seen = describe(conflict, row)
    let rule = rule(for: seen, conflict)
    if rule == .error { return refuse(conflict) }
    let root = schema.entities[row.entity].root
    switch row.change {
    case .update(let update) where rule == .overwrite:
      draft.set(row.entity, row.key, .insert(update.row, isAgain: true))
      note(seen, .insertedAgain)
    case .update:
      draft.remove(row.entity, row.key)
      draft.dropLinks(of: row.key, root: root)
      if let object = row.object { draft.note(.leaves(object)) }
      note(seen, .left)
    case .delete:
      // A deletion is final on both sides, and so two deletions are one.
      draft.remove(row.entity, row.key)
      if let object = row.object { draft.note(.leaves(object)) }
      note(seen, .deleted)
    case .insert: refuse(conflict)
    }
  }

  /// Another context has inserted the row again, too.
  private mutating func resolveKeyInUse(_ conflict: CommitConflict, _ row: SaveDraft.Row) {
    guard let stored = conflict.stored, case .insert(let mine, _) = row.change,
      stored.entity == row.entity
    else { return refuse(conflict) }
    let seen = describe(conflict, row, stored: stored)
    let rule = rule(for: seen, conflict)
    if rule == .error { return refuse(conflict) }
    if rule.takesStored {
      take(stored, row)
      return note(seen, .tookStored)
    }
    let layout = schema.entities[row.entity]
    guard
      let merged = stored.taking(
        layout.storedSlots, from: mine, layout, version: RowVersion.next(after: stored.version))
    else { return refuse(conflict) }
    draft.set(
      row.entity, row.key,
      .update(
        ChangeSet.Update(
          key: row.key, before: stored, row: merged, changed: layout.storedSlots)))
    note(seen, .written)
  }

  // MARK: One-to-one pairs

  /// Where an object of a one-to-one pair has another partner now, a reference back to it is
  /// dropped.
  private mutating func pairPartners() throws {
    for (entity, key, stored) in decided {
      let written = draft[entity, key]?.newRow ?? stored
      for relationship in state.container.entities[entity].relationships {
        guard let slot = relationship.slot, case .slot(let back) = relationship.inverse else {
          continue
        }
        let final = written.integer(slot)
        // Others have made it the partner, and this context has another one.
        if let former = stored.integer(slot), former != final {
          try release(former, relationship, back, from: key)
        }
        // This context has made it the partner of other objects, and others have won.
        releaseMine(relationship, back, key, except: final)
      }
    }
  }

  /// A stored object loses its reference to a partner.
  private mutating func release(
    _ other: Int64, _ relationship: RelationshipRuntime, _ back: Int, from key: Int64
  ) throws {
    if draft[relationship.destination, other] != nil { return }
    guard
      let stored = try state.session.opened().fetchRow(other, entity: relationship.destinationRoot),
      stored.integer(back) == key
    else { return }
    try clear([back], of: stored, other)
  }

  private mutating func releaseMine(
    _ relationship: RelationshipRuntime, _ back: Int, _ key: Int64, except final: Int64?
  ) {
    for case let row? in draft.rows
    where schema.entities[row.entity].root == relationship.destinationRoot && row.key != final
      && schema.isEntity(row.entity, kindOf: relationship.destination)
    {
      let layout = schema.entities[row.entity]
      switch row.change {
      case .update(var update) where update.row.integer(back) == key:
        guard let cleared = update.row.clearing([back], layout) else { continue }
        update.row = cleared
        update.changed.insert(back)
        draft.set(row.entity, row.key, .update(update))
        if let object = row.object { draft.note(.rebased(object)) }
      case .insert(let packed, let isAgain) where packed.integer(back) == key:
        guard let cleared = packed.clearing([back], layout) else { continue }
        draft.set(row.entity, row.key, .insert(cleared, isAgain: isAgain))
        if let object = row.object { draft.note(.rebased(object)) }
      default: continue
      }
    }
  }

  /// Removes references of a stored row, which the save did not have.
  mutating func clear(_ slots: [Int], of stored: PackedRow, _ key: Int64) throws {
    let layout = schema.entities[stored.entity]
    guard
      let cleared = stored.clearing(slots, layout)?
        .withVersion(RowVersion.next(after: stored.version), layout)
    else { return }
    let object = state.object(key, of: layout.index)
    draft.add(
      stored.entity, key, object,
      .update(
        ChangeSet.Update(
          key: key, before: stored, row: cleared,
          changed: SlotSet(slots, count: layout.slotCount))))
    if let object { draft.note(.rebased(object)) }
  }

  // MARK: Counted owners

  /// The members of an owner that others have changed are counted again, with those of the store.
  private mutating func checkCounts() {
    if !state.container.limitsCounts { return }
    for (entity, key, _) in decided {
      guard let object = draft[entity, key]?.object, !object.runtime.limitedRelationships.isEmpty
      else { continue }
      for relationship in object.runtime.limitedRelationships {
        state.relationships.changeKnown(RelationshipPlace(object, relationship)) { $0.unload() }
      }
      failures += CountCheck(state, object.core).failures(of: object)
    }
  }
}

extension PackedRow {
  /// A copy of the row without the values at some slots.
  func clearing(_ slots: [Int], _ layout: EntityLayout) -> PackedRow? {
    repacked(
      layout, [PropertyValue](repeating: .null, count: layout.slotCount),
      changed: SlotSet(slots, count: layout.slotCount), version: version)
  }
}
