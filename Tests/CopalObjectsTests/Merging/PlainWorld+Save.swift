/// A save, by the table of the policies.
extension PlainWorld {
  /// The policy has no answer, or is ``Policy/error``.
  private struct Refused: Error {
    /// The objects that others have deleted.
    var missing: Set<String> = []
  }

  /// What a save makes of the store and of its context.
  private struct Draft {
    /// The rows to write; nil for a deletion.
    var rows: [String: Row?] = [:]
    /// The objects that take what the store has.
    var taken: [String: Row] = [:]
    /// The objects that leave, because others have deleted them.
    var left: Set<String> = []
    var links: Set<Link> = []
  }

  /// - Returns: whether it was written.
  mutating func save(_ index: Int) -> Bool {
    do {
      try write(draft(contexts[index]), index)
      return true
    } catch {
      for name in error.missing {
        contexts[index].objects[name]?.isMissing = true
        // A rollback does not give the row that a merge has found before.
        if contexts[index].objects[name]?.newest != nil {
          contexts[index].objects[name]?.newest = .some(nil)
        }
      }
      return false
    }
  }

  private func draft(_ context: Context) throws(Refused) -> Draft {
    var draft = Draft()
    var refused = Refused()
    var isRefused = false
    for (name, object) in context.objects where !object.isGone {
      if object.isNew {
        draft.rows[name] = object.mine
      } else if object.isDeleting {
        if object.isMissing {
          draft.left.insert(name)
        } else if store.rows[name] == nil {
          if context.policy == .error {
            isRefused = true
            refused.missing.insert(name)
          } else {
            draft.left.insert(name)
          }
        } else if store.rows[name]?.version != object.row.version,
          [.error, .rollback].contains(context.policy)
        {
          isRefused = true
        } else {
          draft.rows[name] = .some(nil)
        }
      } else if !object.changes.isEmpty {
        guard let stored = store.rows[name] else {
          switch context.policy {
          case .error:
            isRefused = true
            refused.missing.insert(name)
          case .overwrite: draft.rows[name] = object.mine
          default: draft.left.insert(name)
          }
          continue
        }
        if stored.version == object.row.version {
          draft.rows[name] = object.mine
        } else if context.policy == .error {
          isRefused = true
        } else {
          let row = resolved(object, stored, context.policy)
          if row.isSame(as: stored) {
            draft.taken[name] = stored
          } else {
            draft.rows[name] = row
          }
        }
      }
    }
    if isRefused { throw refused }
    try dropReferences(context, &draft)
    return draft
  }

  /// What becomes of an object that both sides have changed.
  private func resolved(_ object: Object, _ stored: Row, _ policy: Policy) -> Row {
    var row = stored
    let changes = object.changes
    func isTheirs(_ name: String) -> Bool {
      name == "box"
        ? stored.box != object.row.box
        : stored.value(name) != object.row.value(name)
    }
    func take(_ name: String) {
      if name == "box" { row.box = object.boxNow } else { row.values[name] = object.value(name) }
    }
    switch policy {
    case .error, .rollback: break
    case .storeTrump: for name in changes where !isTheirs(name) { take(name) }
    case .objectTrump: for name in changes { take(name) }
    case .overwrite:
      // Both sides have made the same changes: that is no conflict.
      if changes.contains(where: { name in
        name == "box"
          ? stored.box != object.boxNow : stored.value(name) != object.value(name)
      }) {
        row = object.mine
      }
    case .sum where changes.contains("a") && isTheirs("a"):
      for name in changes where !isTheirs(name) { take(name) }
      row.values["a"] =
        stored.value("a") + object.value("a") - object.row.value("a")
    case .sum: for name in changes { take(name) }
    }
    row.version = stored.version
    return row
  }

  /// Removes references and links to what is not there, as far as the policy wants it.
  private func dropReferences(_ context: Context, _ draft: inout Draft) throws(Refused) {
    var rows = store.rows
    for (name, row) in draft.rows { rows[name] = row }
    for (name, row) in rows {
      guard let box = row.box, rows[box] == nil else { continue }
      // Others have put a card into a box that this save deletes.
      let isDeletedHere = draft.rows[box] == .some(nil)
      let isNewcomer = store.rows[name]?.box == box
      if context.policy == .error { throw Refused() }
      if context.policy == .rollback, isDeletedHere, isNewcomer { throw Refused() }
      var cleared = row
      cleared.box = nil
      draft.rows[name] = cleared
      draft.taken[name] = nil
    }
    draft.links = store.links.subtracting(context.removed)
    for link in context.added {
      if context.isDeleting(link.card) || context.isDeleting(link.tag) { continue }
      if rows[link.card] == nil || rows[link.tag] == nil {
        if context.policy == .error { throw Refused() }
        continue
      }
      draft.links.insert(link)
    }
    draft.links = draft.links.filter { rows[$0.card] != nil && rows[$0.tag] != nil }
  }

  private mutating func write(_ draft: Draft, _ index: Int) {
    store.begin()
    for (name, row) in draft.rows.sorted(by: { $0.key < $1.key }) {
      store.write(name, row, process: contexts[index].process)
    }
    store.links = draft.links
    contexts[index].added = []
    contexts[index].removed = []
    for (name, var object) in contexts[index].objects where !object.isGone {
      if draft.left.contains(name) || object.isDeleting {
        object.leave()
      } else if let row = draft.taken[name] ?? (draft.rows[name] != nil ? store.rows[name] : nil) {
        object.forget()
        (object.row, object.isNew, object.isMissing) = (row, false, false)
      } else {
        // Nothing of it was different.
        object.discardChanges()
      }
      object.newest = nil
      contexts[index].objects[name] = object
    }
  }
}
