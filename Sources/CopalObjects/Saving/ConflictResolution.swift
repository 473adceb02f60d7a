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
  /// The to-many relationships with limits whose members may be others than the save has checked.
  private var counted: Set<RelationshipPlace> = []

  /// A row is not what the save wanted: one-to-one partners and counted owners are looked at again.
  ///
  /// - Parameter stored: the row that it replaces, or that stays.
  mutating func decide(_ entity: Int, _ key: Int64, _ stored: PackedRow, mine: PackedRow?) {
    decided.append((entity, key, stored))
    noteOwners(of: stored)
    if let mine { noteOwners(of: mine) }
  }

  /// The owners of a row are counted again.
  mutating func noteOwners(of row: PackedRow) {
    if !state.container.limitsCounts { return }
    for relationship in state.container.entities[row.entity].memberships
    where relationship.inverseHasLimits {
      guard let owner = relationship.slot.flatMap({ row.integer($0) }),
        let place = relationship.membersPlace(of: owner)
      else { continue }
      counted.insert(place)
    }
  }

  /// Does not write the links of an object that is gone. The objects at their other ends are
  /// counted again.
  ///
  /// - Returns: false when it has none, and had none before.
  @discardableResult
  mutating func dropLinks(of key: Int64, root: Int) -> Bool {
    let count = draft.droppedLinks.count
    let hasDropped = draft.dropLinks(of: key, root: root)
    if !state.container.limitsCounts { return hasDropped }
    for (table, link) in draft.droppedLinks[count...] {
      for end in [LinkTable.End.owner, .member] {
        guard let relationship = state.container.relationship(ofLinks: table, at: end),
          relationship.countLimits != nil
        else { continue }
        counted.insert(RelationshipPlace(relationship, key: link.key(at: end)))
      }
    }
    return hasDropped
  }

  /// The members of an object are counted again.
  mutating func noteMembers(of entity: Int, _ key: Int64) {
    for relationship in state.container.entities[entity].limitedRelationships {
      counted.insert(RelationshipPlace(relationship, key: key))
    }
  }

  init(_ state: ContextState, _ policy: MergePolicy, _ plan: SavePlan) {
    self.state = state
    self.policy = policy
    draft = SaveDraft(plan)
  }

  var schema: StoreSchema { state.container.schema }

  /// Resolves the conflicts of one refusal.
  mutating func resolve(_ conflicts: [CommitConflict]) throws {
    // The store has judged unique values and references with the rows as they were. Where versions
    // are resolved, the next attempt judges the others again.
    let first = conflicts.map(\.kind.stage).min() ?? 0
    for conflict in conflicts where conflict.kind.stage == first { try resolve(conflict) }
    if !remaining.isEmpty || !failures.isEmpty { return }
    try pairPartners()
    try checkCounts()
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
    // The row of a to-one relationship has left the save: it is resolved.
    if case .slot? = schema.relationship(name.name, of: name.entity)?.storage { return }
    let seen = describe(conflict, nil)
    if rule(for: seen, conflict) == .error { return refuse(conflict) }
    dropLinks(conflict, name) ? note(seen, .released) : refuse(conflict)
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
      noteOwners(of: stored)
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
    let isCounted = isCounted(row)
    // Both sides have done the same.
    let isSame = !layout.columns.contains {
      update.changed.contains($0.slot) && update.row.differs(from: stored, $0)
    }
    if isSame, !isCounted {
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
        layout, cells, changed: SlotSet(values.keys.sorted(), count: layout.slotCount),
        version: version)
    }
    guard let merged else { return refuse(conflict) }
    let changed = layout.columns.filter { merged.differs(from: stored, $0) }.map(\.slot)
    if changed.isEmpty, !isCounted {
      take(stored, row)
      decide(row.entity, row.key, stored, mine: update.row)
      return note(seen, .tookStored)
    }
    draft.set(
      row.entity, row.key,
      .update(
        ChangeSet.Update(
          key: row.key, before: stored, row: merged,
          changed: SlotSet(changed, count: layout.slotCount))))
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
      guard let again = rowAgain(update) else { return refuse(conflict) }
      draft.set(row.entity, row.key, .insert(again, isAgain: true))
      decide(row.entity, row.key, again, mine: nil)
      noteMembers(of: row.entity, row.key)
      note(seen, .insertedAgain)
    case .update(let update):
      draft.remove(row.entity, row.key)
      noteOwners(of: update.before)
      noteOwners(of: update.row)
      dropLinks(of: row.key, root: root)
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

  /// The row of an object that comes back. Others may have removed the files of large values that
  /// were only read, so these values get new files.
  ///
  /// - Returns: nil when a required value cannot be read.
  private mutating func rowAgain(_ update: ChangeSet.Update) -> PackedRow? {
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
    let slots = SlotSet(
      layout.storedSlots.filter { !layout.externalSlots.contains($0) }, count: layout.slotCount)
    guard
      let merged = stored.taking(
        slots, from: mine, layout, version: RowVersion.next(after: stored.version))
    else { return refuse(conflict) }
    draft.set(
      row.entity, row.key,
      .update(ChangeSet.Update(key: row.key, before: stored, row: merged, changed: slots)))
    decide(row.entity, row.key, stored, mine: merged)
    note(seen, .written)
  }

  // MARK: One-to-one pairs

  /// Where an object of a one-to-one pair has another partner now, a reference back to it is
  /// dropped; and a reference to a partner that has another one.
  private mutating func pairPartners() throws {
    for (entity, key, stored) in decided {
      for relationship in state.container.entities[entity].relationships {
        guard let slot = relationship.slot, case .slot(let back) = relationship.inverse else {
          continue
        }
        let final = (draft[entity, key]?.newRow ?? stored).integer(slot)
        // Others have made it the partner, and this context has another one.
        if let former = stored.integer(slot), former != final {
          try release(former, relationship, back, from: key)
        }
        // This context has made it the partner of other objects, and others have won.
        releaseMine(relationship, back, key, except: final)
        if let final, try !isPartner(final, relationship, back, of: key) {
          clearMine(slot, of: entity, key)
        }
      }
    }
  }

  /// Whether an object refers back to its partner after the save.
  private func isPartner(
    _ other: Int64, _ relationship: RelationshipRuntime, _ back: Int, of key: Int64
  ) throws -> Bool {
    if let row = draft[relationship.destination, other] { return row.newRow?.integer(back) == key }
    if other < 0 { return true }
    let root = relationship.destinationRoot
    return try state.session.opened().fetchRow(other, entity: root)?.integer(back) == key
  }

  /// A row of the save loses its reference to a partner that is lost.
  private mutating func clearMine(_ slot: Int, of entity: Int, _ key: Int64) {
    guard let row = draft[entity, key], allowsNil(slot, of: row.entity, key) else { return }
    let layout = schema.entities[row.entity]
    switch row.change {
    case .update(var update):
      guard let cleared = update.row.clearing([slot], layout) else { return }
      update.row = cleared
      if update.before.integer(slot) != nil { update.changed.insert(slot) }
      draft.set(row.entity, row.key, .update(update))
    case .insert(let packed, let isAgain):
      guard let cleared = packed.clearing([slot], layout) else { return }
      draft.set(row.entity, row.key, .insert(cleared, isAgain: isAgain))
    case .delete: return
    }
    if let object = row.object { draft.note(.rebased(object)) }
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
    if allowsNil(back, of: stored.entity, other) { try clear([back], of: stored, other) }
  }

  /// Whether a reference may be removed. If not, the save is refused.
  private mutating func allowsNil(_ slot: Int, of entity: Int, _ key: Int64) -> Bool {
    let runtime = state.container.entities[entity]
    let attribute = runtime.layout.attributes[slot]
    if attribute.isOptional, !runtime.relationship(ofSlot: slot).deletesOrphans { return true }
    failures.append(
      PersistenceError(
        .required, entity: runtime.layout.name, property: attribute.name,
        objectID: ManagedObjectID(runtime.identity, key)))
    return false
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
        guard allowsNil(back, of: row.entity, row.key) else { continue }
        guard let cleared = update.row.clearing([back], layout) else { continue }
        update.row = cleared
        update.changed.insert(back)
        draft.set(row.entity, row.key, .update(update))
        if let object = row.object { draft.note(.rebased(object)) }
      case .insert(let packed, let isAgain) where packed.integer(back) == key:
        guard allowsNil(back, of: row.entity, row.key) else { continue }
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
    noteOwners(of: stored)
    draft.add(
      stored.entity, key, object,
      .update(
        ChangeSet.Update(
          key: key, before: stored, row: cleared,
          changed: SlotSet(slots, count: layout.slotCount))))
    if let object { draft.note(.rebased(object)) }
  }

  // MARK: Counted owners

  /// The members of owners with limits are counted again: those of the store, and what the save
  /// makes of them now.
  private mutating func checkCounts() throws {
    if counted.isEmpty { return }
    var members: [RelationshipPlace: Set<Int64>] = [:]
    for place in counted {
      // A new object may have become another one.
      let root = schema.entities[place.entity].root
      var place = place
      place.key = draft.successor(of: place.key, root: root)
      if try exists(place.entity, place.key) {
        members[place] = place.key > 0 ? try storedMembers(place) : []
      }
    }
    for case let row? in draft.rows { count(row, &members) }
    for change in draft.links { count(change, &members) }
    for (place, keys) in members {
      let runtime = state.container.entities[place.entity]
      let relationship = runtime.relationships[place.ordinal]
      guard let limits = relationship.countLimits, !limits.contains(keys.count) else { continue }
      let isTooFew = keys.count < limits.lowerBound
      failures.append(
        PersistenceError(
          isTooFew ? .tooFewObjects : .tooManyObjects, entity: runtime.layout.name,
          property: relationship.description.name,
          objectID: ManagedObjectID(runtime.identity, place.key), found: "\(keys.count)",
          expected: "\(isTooFew ? limits.lowerBound : limits.upperBound)"))
    }
  }

  /// Whether an object exists after the save.
  private func exists(_ entity: Int, _ key: Int64) throws -> Bool {
    if let row = draft[entity, key] { return row.newRow != nil }
    if key < 0 { return false }
    let root = schema.entities[entity].root
    return try state.session.opened().fetchRow(key, entity: root) != nil
  }

  private func storedMembers(_ place: RelationshipPlace) throws -> Set<Int64> {
    let receiver = RelatedVersionReceiver()
    try state.session.opened().fetchRelated(
      RelatedQuery(
        entity: place.entity, relationship: place.ordinal, owners: [place.key],
        wantsKeysOnly: true), into: receiver)
    return Set(receiver.rows.map(\.key))
  }

  private func count(_ row: SaveDraft.Row, _ members: inout [RelationshipPlace: Set<Int64>]) {
    for relationship in state.container.entities[row.entity].memberships
    where relationship.inverseHasLimits {
      guard let slot = relationship.slot else { continue }
      for (place, keys) in members where !keys.isEmpty && keys.contains(row.key) {
        if relationship.membersPlace(of: place.key) == place { members[place]?.remove(row.key) }
      }
      if let owner = row.newRow?.integer(slot), let place = relationship.membersPlace(of: owner) {
        members[place]?.insert(row.key)
      }
    }
  }

  private func count(_ change: LinkChanges, _ members: inout [RelationshipPlace: Set<Int64>]) {
    let table = schema.linkTables[change.table]
    for end in table.isSymmetric ? [.owner] : [LinkTable.End.owner, .member] {
      guard let relationship = state.container.relationship(ofLinks: change.table, at: end),
        relationship.countLimits != nil
      else { continue }
      func places(_ links: [Link]) -> [(RelationshipPlace, Int64)] {
        links.flatMap { table.rows(of: $0) }.map {
          (RelationshipPlace(relationship, key: $0.key(at: end)), $0.key(at: end.other))
        }
      }
      for (place, key) in places(change.removed) { members[place]?.remove(key) }
      for (place, key) in places(change.added) { members[place]?.insert(key) }
    }
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
