import CopalModel
import CopalStore

/// Two objects with the same values in a unique constraint.
extension ConflictResolution {
  func resolveUnique(_ conflict: CommitConflict, _ row: SaveDraft.Row, _ slots: [Int])
    throws
  {
    guard let found = conflict.other else { return refuse(conflict) }
    // Another object of this save may have become another one, or have joined it.
    let other = draft.successor(of: found, root: schema.entities[row.entity].root)
    if other == row.key { return }
    if let taken = draft[row.entity, other] {
      guard case .update(let update) = row.change else { return join(conflict, row, taken) }
      // A changed object cannot join another one.
      let seen = describe(conflict, row, stored: taken.newRow, other: other)
      let rule = rule(for: seen)
      return rule == .error
        ? refuse(conflict) : giveIn(row, update, unique: slots, by: rule, conflict, seen)
    }
    // A new object of this save that is not part of it any more.
    if other < 0 { return }
    let root = schema.entities[row.entity].root
    // Others may have removed it: the next attempt finds what there is.
    guard let stored = try storedRow(other, root: root) else { return }
    let seen = describe(conflict, row, stored: stored, other: other)
    let rule = rule(for: seen)
    if rule == .error { return refuse(conflict) }
    switch row.change {
    case .insert(let mine, false):
      become(stored, key: other, of: row, mine: mine, by: rule, conflict, seen)
    case .update(let update): giveIn(row, update, unique: slots, by: rule, conflict, seen)
    case .insert, .delete: refuse(conflict)
    }
  }

  /// A new object becomes the stored one.
  ///
  /// - Parameters:
  ///   - stored: the row of the stored object.
  ///   - other: its key.
  ///   - row: what the save would write of the new object.
  ///   - mine: the row of the new object.
  private func become(
    _ stored: PackedRow, key other: Int64, of row: SaveDraft.Row, mine: PackedRow,
    by rule: ConflictRule, _ conflict: CommitConflict, _ seen: MergeConflict
  ) {
    // An object of another class cannot become it.
    guard stored.entity == row.entity, let object = row.object else { return refuse(conflict) }
    let layout = schema.entities[row.entity]
    let root = layout.root
    draft.remove(row)
    draft.replace(row.key, by: other, root: root)
    draft.note(.becomes(object, mine: mine, key: other, stored: stored))
    decide(row.entity, other, stored, mine: mine)
    noteMembers(of: row.entity, other)
    note(seen, .became(ManagedObjectID(state.container.entities[row.entity].identity, other)))
    if rule.takesStored { return }
    let changed = givenSlots(mine, rule, layout, from: stored)
    if changed.isEmpty { return }
    guard
      let merged = stored.taking(
        changed, from: mine, layout, version: RowVersion.next(after: stored.version))
    else { return refuse(conflict) }
    // Without the object, if the context has it: it takes the row as it takes those of others.
    draft.add(
      row.entity, other, nil,
      .update(
        ChangeSet.Update(
          key: other, before: stored, row: merged, changed: changed)))
  }

  /// The slots of a new object whose values replace the stored ones. By `.overwrite`, these are
  /// all, and otherwise those that somebody has set: their values differ from the defaults. The
  /// time and the new uuid of a default never replace what is stored.
  ///
  /// - Parameter stored: the row whose values they replace, if they are others.
  private func givenSlots(
    _ row: PackedRow, _ rule: ConflictRule, _ layout: EntityLayout, from stored: PackedRow
  ) -> SlotSet {
    var slots = SlotSet(count: layout.slotCount)
    for column in layout.columns where row.differs(from: stored, column) {
      let slot = column.slot
      let isGiven =
        switch layout.attributes[slot].defaultValue {
        case .now, .new: false
        case .value(let value): rule == .overwrite || row.differs(layout, slot, from: value)
        case nil: rule == .overwrite || row.differs(layout, slot, from: .null)
        }
      if isGiven { slots.insert(slot) }
    }
    return slots
  }

  /// A changed object does not get the values of a stored one.
  private func giveIn(
    _ row: SaveDraft.Row, _ update: ChangeSet.Update, unique slots: [Int], by rule: ConflictRule,
    _ conflict: CommitConflict, _ seen: MergeConflict
  ) {
    let isCounted = isCounted(row)
    if rule == .rollback && !isCounted {
      take(update.before, row)
      decide(row.entity, row.key, update.before, mine: update.row)
      return note(seen, .tookStored)
    }
    guard rule == .storeTrump else { return refuse(conflict) }
    let layout = schema.entities[row.entity]
    let given = SlotSet(slots, count: layout.slotCount)
    let kept = update.changed.subtracting(given)
    if kept.isEmpty, !isCounted {
      take(update.before, row)
      decide(row.entity, row.key, update.before, mine: update.row)
      return note(seen, .tookStored)
    }
    guard
      let merged = update.before.taking(kept, from: update.row, layout, version: update.row.version)
    else { return refuse(conflict) }
    draft.set(
      row,
      .update(ChangeSet.Update(key: row.key, before: update.before, row: merged, changed: kept)))
    if let object = row.object { draft.note(.rebased(object)) }
    note(seen, .written)
  }

  /// Two objects of this save: one joins the other.
  private func join(
    _ conflict: CommitConflict, _ row: SaveDraft.Row, _ taken: SaveDraft.Row
  ) {
    let seen = describe(conflict, row, stored: taken.newRow, other: taken.key)
    let rule = rule(for: seen)
    guard rule != .error, case .insert(let mine, false) = row.change, let object = row.object,
      taken.entity == row.entity
    else { return refuse(conflict) }
    let layout = schema.entities[row.entity]
    func id(_ key: Int64) -> ManagedObjectID {
      ManagedObjectID(state.container.entities[row.entity].identity, key)
    }
    switch taken.change {
    case .insert(_, false):
      // Temporary keys go down: the first object has the greater one.
      let isFirst = row.key > taken.key
      let (first, last) = isFirst ? (row, taken) : (taken, row)
      let (winner, loser) = rule.takesStored ? (first, last) : (last, first)
      guard let lost = loser.object, let lostRow = loser.newRow else { return refuse(conflict) }
      draft.remove(loser)
      draft.replace(loser.key, by: winner.key, root: layout.root)
      draft.note(.becomes(lost, mine: lostRow, key: winner.key, stored: nil))
      if let row = winner.newRow { decide(winner.entity, winner.key, row, mine: lostRow) }
      noteMembers(of: winner.entity, winner.key)
      note(seen, .became(id(winner.key)))
    case .update(var update):
      draft.remove(row)
      draft.replace(row.key, by: taken.key, root: layout.root)
      draft.note(.becomes(object, mine: mine, key: taken.key, stored: nil))
      decide(row.entity, taken.key, update.before, mine: mine)
      noteMembers(of: row.entity, taken.key)
      note(seen, .became(id(taken.key)))
      if rule.takesStored { return }
      let slots = givenSlots(mine, rule, layout, from: update.row)
      guard let merged = update.row.taking(slots, from: mine, layout, version: update.row.version)
      else { return refuse(conflict) }
      update.row = merged
      update.changed = merged.changedSlots(from: update.before, layout)
      draft.set(taken, .update(update))
      if let other = taken.object { draft.note(.rebased(other)) }
    case .insert, .delete: refuse(conflict)
    }
  }
}
