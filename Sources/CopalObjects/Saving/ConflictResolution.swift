import CopalEssentials
import CopalModel
import CopalStore

/// Resolves the conflicts of a refused save, as the policy of the context wants it.
///
/// It changes the draft of the save and no object. What has no outcome stays a conflict.
final class ConflictResolution {
  let state: ContextState
  let policy: MergePolicy
  var draft: SaveDraft
  private(set) var resolved: [SaveReport.Resolved] = []
  /// The conflicts without an outcome.
  private(set) var remaining: [CommitConflict] = []
  /// What else stands in the way: rules that values of the policy break, rules of deletion.
  var failures: [any Error] = []
  /// The rows that were put onto newer ones, or were given up: with the stored row.
  private(set) var decided: [(entity: Int, key: Int64, stored: PackedRow)] = []
  /// Rows of the store that the resolution has read, by root and key.
  private var storedRows: [Int: [Int64: PackedRow]] = [:]
  /// The to-many relationships with limits whose members may be others than the save has checked.
  var counted: Set<RelationshipPlace> = []

  init(_ state: ContextState, _ policy: MergePolicy, _ plan: SavePlan) {
    self.state = state
    self.policy = policy
    draft = SaveDraft(plan)
  }

  var schema: StoreSchema { state.container.schema }

  /// A row is not what the save wanted: one-to-one partners and counted owners are looked at again.
  ///
  /// - Parameter stored: the row that it replaces, or that stays.
  func decide(_ entity: Int, _ key: Int64, _ stored: PackedRow, mine: PackedRow?) {
    decided.append((entity, key, stored))
    noteOwners(of: stored)
    if let mine { noteOwners(of: mine) }
  }

  /// Resolves the conflicts of one refusal.
  func resolve(_ conflicts: [CommitConflict]) throws {
    // The store has judged unique values and references with the rows as they were. Where versions
    // are resolved, the next attempt judges the others again.
    let first = conflicts.map(\.kind.stage).min() ?? 0
    try read(
      conflicts.compactMap { conflict in
        conflict.other.map { (schema.entities[conflict.entity].root, $0) }
      })
    resolved.reserveCapacity(conflicts.count)
    decided.reserveCapacity(conflicts.count)
    for conflict in conflicts where conflict.kind.stage == first { try resolve(conflict) }
    if !remaining.isEmpty || !failures.isEmpty { return }
    try pairPartners()
    try checkCounts()
  }

  /// Reads the rows of some keys, each with its root, many in one statement.
  func read(_ keys: [(root: Int, key: Int64)]) throws {
    for (root, keys) in Dictionary(grouping: keys.lazy.filter { $0.key > 0 }, by: \.root) {
      let receiver = MergedRowReceiver()
      for part in keys.map(\.key).inOrder().parts(of: Self.readCount) {
        try state.session.opened().fetchRows(part, entity: root, into: receiver)
      }
      let known = storedRows.removeValue(forKey: root) ?? [:]
      storedRows[root] = receiver.rows.merging(known) { new, _ in new }
    }
  }

  /// The number of rows that one statement reads.
  private static let readCount = 100

  /// A row of the store; nil when the store does not have it.
  func storedRow(_ key: Int64, root: Int) throws -> PackedRow? {
    if let row = storedRows[root]?[key] { return row }
    let row = try state.session.opened().fetchRow(key, entity: root)
    storedRows[root, default: [:]][key] = row
    return row
  }

  private func resolve(_ conflict: CommitConflict) throws {
    // An earlier conflict may have taken the row out of the save.
    guard let row = draft[conflict.entity, conflict.key] else {
      return resolveOfLink(conflict)
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
  private func resolveOfLink(_ conflict: CommitConflict) {
    guard case .missingObject(let name) = conflict.kind else { return }
    // The row of a to-one relationship has left the save: it is resolved.
    if case .slot? = schema.relationship(name.name, of: name.entity)?.storage { return }
    let seen = describe(conflict, nil)
    if rule(for: seen) == .error { return refuse(conflict) }
    dropLinks(conflict, name) ? note(seen, .released) : refuse(conflict)
  }

  /// Not resolved: it is a cause of the error of the save.
  func refuse(_ conflict: CommitConflict) { remaining.append(conflict) }

  func note(_ conflict: MergeConflict, _ outcome: SaveReport.Outcome) {
    resolved.append(SaveReport.Resolved(conflict: conflict, outcome: outcome))
  }

  // MARK: Asking the policy

  /// The answer of the policy.
  enum Answer {
    case rule(ConflictRule)
    case values([String: PropertyValue])
  }

  func answer(to conflict: MergeConflict) -> Answer {
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
  func rule(for conflict: MergeConflict) -> ConflictRule {
    guard case .rule(let rule) = answer(to: conflict) else { return .error }
    return rule
  }

  // MARK: Rows that others have changed

  private func resolveChanged(_ conflict: CommitConflict, _ row: SaveDraft.Row) {
    guard let stored = conflict.stored else { return refuse(conflict) }
    let seen = describe(conflict, row, stored: stored)
    switch row.change {
    case .delete:
      let rule = rule(for: seen)
      if rule == .error || rule == .rollback { return refuse(conflict) }
      draft.set(row, .delete(ChangeSet.Delete(key: row.key, before: stored)))
      noteOwners(of: stored)
      note(seen, .deleted)
    case .update(let update):
      resolveUpdate(conflict, seen, row, update, stored)
    case .insert: refuse(conflict)
    }
  }

  private func resolveUpdate(
    _ conflict: CommitConflict, _ seen: MergeConflict, _ row: SaveDraft.Row,
    _ update: ChangeSet.Update, _ stored: PackedRow
  ) {
    let layout = schema.entities[row.entity]
    let isCounted = isCounted(row)
    // Both sides have set the same values. Only a policy of the program knows whether these are two
    // changes, such as the same payment twice.
    let isSame = !layout.columns.contains {
      update.changed.contains($0.slot) && update.row.differs(from: stored, $0)
    }
    if isSame, !isCounted, !policy.isCustom {
      take(stored, row)
      decide(row.entity, row.key, stored, mine: nil)
      return note(seen, .tookStored)
    }
    var values: [Int: PropertyValue] = [:]
    var rule = ConflictRule.storeTrump
    switch answer(to: seen) {
    case .rule(let found): rule = found
    case .values(let names):
      guard let checked = checkedValues(names, row) else { return refuse(conflict) }
      values = checked
    }
    if rule == .error || rule == .rollback && isCounted { return refuse(conflict) }
    if rule == .rollback {
      take(stored, row)
      decide(row.entity, row.key, stored, mine: update.row)
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
        layout, cells, changed: SlotSet(values.keys.inOrder(), count: layout.slotCount),
        version: version)
    }
    guard let merged else { return refuse(conflict) }
    let changed = merged.changedSlots(from: stored, layout)
    if changed.isEmpty, !isCounted {
      take(stored, row)
      decide(row.entity, row.key, stored, mine: update.row)
      return note(seen, .tookStored)
    }
    draft.set(
      row,
      .update(
        ChangeSet.Update(key: row.key, before: stored, row: merged, changed: changed)))
    if let object = row.object { draft.note(.rebased(object)) }
    decide(row.entity, row.key, stored, mine: update.row)
    if isCounted { noteMembers(of: row.entity, row.key) }
    note(seen, .written)
  }

  /// Whether an object is part of the save because its members are counted.
  func isCounted(_ row: SaveDraft.Row) -> Bool {
    row.object.map { state.ownersWithLimits.contains(ObjectIdentifier($0)) } ?? false
  }

  /// The slots whose values are those of this context.
  private func mySlots(
    _ update: ChangeSet.Update, _ stored: PackedRow, _ rule: ConflictRule, _ layout: EntityLayout
  ) -> SlotSet {
    let runtime = state.container.entities[layout.index]
    // A property is a group of slots: a reference and its position, a transformable and its
    // version.
    let mine = Set(update.changed.map { runtime.propertySlots[$0] })
    func slots(_ isMine: (Int) -> Bool) -> SlotSet {
      SlotSet(
        layout.columns.map(\.slot).filter { isMine(runtime.propertySlots[$0]) },
        count: layout.slotCount)
    }
    if rule == .overwrite {
      // The file of a large value that was only read may be gone, and the other end of a one-to-one
      // pair is not part of the save.
      let others = Set(layout.externalSlots + runtime.pairSlots)
      return slots { mine.contains($0) || !others.contains($0) }
    }
    if rule != .storeTrump { return slots { mine.contains($0) } }
    let theirs = Set(
      layout.columns.filter { update.before.differs(from: stored, $0) }
        .map { runtime.propertySlots[$0.slot] })
    return slots { mine.contains($0) && !theirs.contains($0) }
  }

  /// The object takes the stored row, and its own is not written.
  func take(_ stored: PackedRow, _ row: SaveDraft.Row) {
    draft.remove(row)
    if let object = row.object { draft.note(.takes(object, stored)) }
  }

  /// The values of a custom policy by slot, if the rules of the model accept them.
  private func checkedValues(_ values: [String: PropertyValue], _ row: SaveDraft.Row)
    -> [Int: PropertyValue]?
  {
    let runtime = state.container.entities[row.entity]
    let rules = BatchRules(runtime, refusal: .notAssignable)
    var result: [Int: PropertyValue] = [:]
    for (name, value) in values.inOrder(by: { $0.key < $1.key }) {
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

  private func resolveDeleted(_ conflict: CommitConflict, _ row: SaveDraft.Row) {
    let seen = describe(conflict, row)
    let rule = rule(for: seen)
    if rule == .error { return refuse(conflict) }
    let root = schema.entities[row.entity].root
    switch row.change {
    case .update(let update) where rule == .overwrite:
      guard let again = rowAgain(update) else { return refuse(conflict) }
      draft.set(row, .insert(again, isAgain: true))
      decide(row.entity, row.key, again, mine: nil)
      noteMembers(of: row.entity, row.key)
      note(seen, .insertedAgain)
    case .update(let update):
      draft.remove(row)
      noteOwners(of: update.before)
      noteOwners(of: update.row)
      dropLinks(of: row.key, root: root)
      if let object = row.object { draft.note(.leaves(object)) }
      note(seen, .left)
    case .delete:
      // A deletion is final on both sides, and so two deletions are one.
      draft.remove(row)
      if let object = row.object { draft.note(.leaves(object)) }
      note(seen, .deleted)
    case .insert: refuse(conflict)
    }
  }

  /// The row of an object that comes back. Others may have removed the files of large values that
  /// were only read, so these values get new files.
  ///
  /// - Returns: nil when a required value cannot be read.
  private func rowAgain(_ update: ChangeSet.Update) -> PackedRow? {
    let runtime = state.container.entities[update.row.entity]
    let layout = runtime.layout
    var row = update.row
    for slot in layout.externalSlots where !update.changed.contains(slot) {
      guard let name = row.fileText(slot).flatMap({ ExternalFileName($0) }) else { continue }
      var files: [Int: ExternalFileName] = [:]
      if let value = try? runtime.externalFiles?.read(name) {
        files[slot] = draft.add(value)
      } else if !layout.attributes[slot].isOptional {
        return nil
      }
      guard
        let renewed = row.repacked(
          layout, [PropertyValue](repeating: .null, count: layout.slotCount),
          changed: SlotSet([slot], count: layout.slotCount), version: row.version, files: files)
      else { return nil }
      row = renewed
    }
    return row
  }

  /// Another context has inserted the row again, too.
  private func resolveKeyInUse(_ conflict: CommitConflict, _ row: SaveDraft.Row) {
    guard let stored = conflict.stored, case .insert(let mine, _) = row.change,
      stored.entity == row.entity
    else { return refuse(conflict) }
    let seen = describe(conflict, row, stored: stored)
    let rule = rule(for: seen)
    if rule == .error { return refuse(conflict) }
    if rule.takesStored {
      take(stored, row)
      return note(seen, .tookStored)
    }
    let layout = schema.entities[row.entity]
    let slots = SlotSet(
      layout.storedSlots.filter { !layout.externalSlots.contains($0) }, count: layout.slotCount)
    guard
      let merged = stored.taking(
        slots, from: mine, layout, version: RowVersion.next(after: stored.version))
    else { return refuse(conflict) }
    draft.set(
      row, .update(ChangeSet.Update(key: row.key, before: stored, row: merged, changed: slots)))
    decide(row.entity, row.key, stored, mine: merged)
    note(seen, .written)
  }
}

extension CommitConflict.Kind {
  /// Conflicts of an earlier stage are resolved first: of rows, then of unique values, then of
  /// references and links.
  var stage: Int {
    switch self {
    case .changed, .deleted, .keyInUse, .unreadable: 0
    case .unique: 1
    case .missingObject, .stillReferenced: 2
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
