import CopalStore

/// New objects that turn out to be stored ones, or other new ones, after the commit.
///
/// A becoming is a merge and a departure. If the context has an instance of the stored object,
/// that instance takes the row as it takes a row of others, and the new instance leaves the context
/// as an object that others have deleted. Otherwise the new instance is the stored object from then
/// on. The temporary key finds the stored object in both cases.
struct Becoming {
  private let state: ContextState
  private var merge: ContextMerge
  /// The rows that an outcome asks for.
  private var rows: [SaveDraft.RowKey: Rows] = [:]
  /// New instances that have values of a stored object now.
  private var awaking: [ManagedObject] = []

  /// What the store had before the save, as far as a becoming has asked, and what the save has
  /// written.
  private struct Rows {
    var former: PackedRow?
    var written: PackedRow?
    var last: PackedRow? { written ?? former }
  }

  init(_ state: ContextState, _ outcomes: [SaveDraft.Outcome], _ receipt: CommitReceipt) {
    self.state = state
    merge = ContextMerge(state)
    for outcome in outcomes {
      switch outcome {
      case .becomes(let object, _, let key, let stored):
        // A new object has got its key.
        let place = place(object, state.permanent(key, root: object.runtime.root))
        if let stored { rows[place] = Rows(former: stored) } else { ask(place) }
      case .takes(let object, _): ask(place(object, object.key))
      case .leaves, .rebased, .follows: continue
      }
    }
    if rows.isEmpty { return }
    for (change, keys) in zip(receipt.written.entities, receipt.insertedKeys) {
      let root = state.container.schema.entities[change.entity].root
      for update in change.updates { note(update.row, root, update.key) }
      for (insert, key) in zip(change.inserts, keys) { note(insert.row, root, key) }
    }
  }

  private func place(_ object: ManagedObject, _ key: Int64) -> SaveDraft.RowKey {
    SaveDraft.RowKey(root: object.runtime.root, key: key)
  }

  private mutating func ask(_ place: SaveDraft.RowKey) {
    if rows[place] == nil { rows[place] = Rows() }
  }

  private mutating func note(_ row: PackedRow, _ root: Int, _ key: Int64) {
    guard let place = rows.index(forKey: SaveDraft.RowKey(root: root, key: key)) else { return }
    rows.values[place].written = row
  }

  /// The row of an object that the save has written, or that a becoming has found.
  func lastRow(of object: ManagedObject) -> PackedRow? { rows[place(object, object.key)]?.last }

  /// - Parameters:
  ///   - mine: the row that the new object wanted to write.
  ///   - key: the key of the object that it has become.
  ///   - released: receives what nobody needs any more.
  mutating func become(
    _ object: ManagedObject, _ mine: PackedRow, _ key: Int64, _ released: inout [Any]
  ) {
    let runtime = object.runtime
    // A new object has got its key.
    let key = state.permanent(key, root: runtime.root)
    // A transformer may have reset the context while it encoded.
    guard !object.flags.contains(.gone), let rows = rows[place(object, key)], let row = rows.last
    else { return }
    let temporary = object.key
    let staying = state.maps[runtime.index].object(key)
    giveMembers(of: object, to: key, staying)
    if staying == nil {
      stay(object, mine, key, rows.former, row, &released)
    } else {
      depart(object, mine)
    }
    state.temporaryKeys.addAlias(temporary: temporary, permanent: key, root: runtime.root)
    if let staying { take(row, rows.former, staying) }
    released.append(object)
  }

  /// Ends all becomings.
  ///
  /// - Returns: the objects with values of others, whose hook is to be called.
  mutating func end(_ released: inout [Any]) -> [ManagedObject] {
    state.collect { $0.note(merge.result, [], []) }
    released += Array(merge.takeReleased()) as [Any]
    return awaking + merge.takeAwaking()
  }

  // MARK: Steps

  /// The members that were given to the new object are those of the stored one. The lists of both
  /// are read again, and those at the other ends of links.
  private func giveMembers(of object: ManagedObject, to key: Int64, _ staying: ManagedObject?) {
    let links = Links(state)
    links.unloadOtherEnds(of: object)
    links.dropAdditions(of: object)
    for relationship in object.runtime.relationships where relationship.slot == nil {
      let hasChanged = state.relationships[RelationshipPlace(object, relationship)]?.hasChanges
      state.unloadMembers(at: RelationshipPlace(relationship, key: key))
      if let staying, hasChanged == true, !relationship.isHidden {
        state.collect { $0.noteMembers(of: staying, relationship.ordinal, .refreshed) }
      }
    }
    state.relationships.forget(object.runtime, key: object.key)
  }

  /// The new instance is the stored object.
  private mutating func stay(
    _ object: ManagedObject, _ mine: PackedRow, _ key: Int64, _ former: PackedRow?,
    _ row: PackedRow, _ released: inout [Any]
  ) {
    object.unloadOwners(state, of: former)
    state.updatingMembers(with: object) {
      object.key = key
      state.maps[object.runtime.index].set(key, object)
      object.finishSave(mine, &released)
      object.mergeRow(row)
    }
    object.unloadOwners(state, of: row)
    state.noteLoss(of: object)
    state.collect {
      $0.noteRow(of: object, former: mine)
      // With its new key, it has another place among equal objects.
      $0.noteAdded([object.runtime.index])
    }
    if row !== mine { awaking.append(object) }
  }

  /// The new instance leaves the context, with what it wanted to save.
  private func depart(_ object: ManagedObject, _ mine: PackedRow) {
    object.unseal()
    // It keeps its values: those of its row may have files that nobody has written.
    if object.row == nil { object.place(mine) }
    object.becomeSaved(hasLateChanges: false)
    state.leave(object)
  }

  /// The instance that the context has takes the row.
  private mutating func take(_ row: PackedRow, _ former: PackedRow?, _ object: ManagedObject) {
    var change = NetChanges.RowChange(key: object.key, entity: row.entity)
    former.map { change.noteFormer($0) }
    if let read = object.row, read.version != former?.version { change.noteFormer(read) }
    change.after = row
    merge.merge(change)
    if object.isFault { state.collect { $0.note(object, .invalidated) } }
  }
}

extension ManagedObject {
  /// The lists to which a row of the object belongs are read again.
  fileprivate final func unloadOwners(_ state: ContextState, of row: PackedRow?) {
    guard let row else { return }
    for relationship in runtime.memberships {
      guard let slot = relationship.slot, let owner = row.integer(slot),
        let place = relationship.membersPlace(of: owner)
      else { continue }
      state.unloadMembers(at: place)
    }
  }
}
