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
  /// What the store has after the save, by root and key.
  private var rows: [SaveDraft.RowKey: PackedRow] = [:]
  /// What the store had before, as far as a becoming has asked.
  private var former: [SaveDraft.RowKey: PackedRow] = [:]
  /// New instances that have values of a stored object now.
  private var awaking: [ManagedObject] = []

  init(_ state: ContextState, _ outcomes: [SaveDraft.Outcome], _ receipt: CommitReceipt) {
    self.state = state
    merge = ContextMerge(state)
    for case .becomes(let object, _, let key, let stored?) in outcomes {
      former[SaveDraft.RowKey(root: object.runtime.root, key: key)] = stored
    }
    rows = former
    let asked = Set(outcomes.compactMap { Self.askedRow($0, state) })
    if asked.isEmpty { return }
    for (change, keys) in zip(receipt.written.entities, receipt.insertedKeys) {
      let root = state.container.schema.entities[change.entity].root
      func note(_ key: Int64, _ row: PackedRow) {
        let place = SaveDraft.RowKey(root: root, key: key)
        if asked.contains(place) { rows[place] = row }
      }
      for update in change.updates { note(update.key, update.row) }
      for (insert, key) in zip(change.inserts, keys) { note(key, insert.row) }
    }
  }

  /// The row that an outcome asks for. A new object has got its key.
  private static func askedRow(_ outcome: SaveDraft.Outcome, _ state: ContextState)
    -> SaveDraft.RowKey?
  {
    switch outcome {
    case .becomes(let object, _, let key, _):
      let root = object.runtime.root
      return SaveDraft.RowKey(root: root, key: state.permanent(key, root: root))
    case .takes(let object, _):
      return SaveDraft.RowKey(root: object.runtime.root, key: object.key)
    case .leaves, .rebased, .follows: return nil
    }
  }

  /// The row of an object that the save has written, or that a becoming has found.
  func writtenRow(_ key: Int64, _ runtime: EntityRuntime) -> PackedRow? {
    rows[SaveDraft.RowKey(root: runtime.root, key: key)]
  }

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
    guard !object.flags.contains(.gone), let row = writtenRow(key, runtime) else { return }
    let temporary = object.key
    let staying = state.maps[runtime.index].object(key)
    giveMembers(of: object, to: key, staying)
    if staying == nil {
      stay(object, mine, key, row, &released)
    } else {
      depart(object, mine)
    }
    state.temporaryKeys.addAlias(temporary: temporary, permanent: key, root: runtime.root)
    if let staying { take(row, staying) }
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
    _ object: ManagedObject, _ mine: PackedRow, _ key: Int64, _ row: PackedRow,
    _ released: inout [Any]
  ) {
    object.unloadOwners(state, of: former[SaveDraft.RowKey(root: object.runtime.root, key: key)])
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
  private mutating func take(_ row: PackedRow, _ object: ManagedObject) {
    var change = NetChanges.RowChange(key: object.key, entity: row.entity)
    former[SaveDraft.RowKey(root: object.runtime.root, key: object.key)].map {
      change.noteFormer($0)
    }
    object.row.map { change.noteFormer($0) }
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
