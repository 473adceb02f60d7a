/// What the calls of a context do, without a save.
extension PlainWorld {
  mutating func insert(_ name: String, _ index: Int) {
    var object = Object()
    object.isNew = true
    contexts[index].objects[name] = object
  }

  mutating func read(_ name: String, _ index: Int) {
    guard let row = store.rows[name] else { return }
    if contexts[index].objects[name].map({ $0.isGone }) ?? true {
      contexts[index].objects[name] = Object(row: row)
    }
  }

  mutating func set(_ name: String, _ property: String, _ value: Int, _ index: Int) {
    contexts[index].objects[name]?.pending[property] = value
    contexts[index].objects[name]?.isChanged = true
  }

  mutating func put(_ card: String, into box: String?, _ index: Int) {
    let former = contexts[index].objects[card]?.boxNow
    if former == box { return }
    // Both ends of a relationship are changed objects.
    for name in [former, box].compactMap(\.self)
    where contexts[index].objects[name]?.isGone == false && !contexts[index].isDeleting(name) {
      contexts[index].objects[name]?.isChanged = true
    }
    contexts[index].objects[card]?.box = .some(box)
    contexts[index].objects[card]?.isChanged = true
  }

  /// The context has just merged.
  mutating func link(_ link: Link, _ isAdded: Bool, _ index: Int) {
    if links(of: link.card, index).contains(link) == isAdded { return }
    if isAdded {
      if contexts[index].removed.remove(link) == nil { contexts[index].added.insert(link) }
    } else if contexts[index].added.remove(link) == nil {
      contexts[index].removed.insert(link)
    }
    for name in [link.card, link.tag] { contexts[index].objects[name]?.isChanged = true }
  }

  /// The links of an object that a context shows that has just merged.
  private func links(of name: String, _ index: Int) -> Set<Link> {
    store.links.union(contexts[index].added).subtracting(contexts[index].removed)
      .filter { $0.has(name) }
  }

  /// The objects that are linked to one, in a context that has just merged.
  func linked(to name: String, _ index: Int) -> Set<String> {
    Set(links(of: name, index).map { $0.card == name ? $0.tag : $0.card })
  }

  /// The context has just merged. Cards lose a box that goes.
  mutating func delete(_ name: String, _ index: Int) {
    guard let object = contexts[index].objects[name] else { return }
    for other in linked(to: name, index) where !contexts[index].isDeleting(other) {
      contexts[index].objects[other]?.isChanged = true
    }
    contexts[index].added = contexts[index].added.filter { !$0.has(name) }
    if object.isNew {
      contexts[index].objects[name]?.forget()
      contexts[index].objects[name]?.isGone = true
    } else if object.isMissing {
      // A row that is already missing needs no deletion.
      contexts[index].objects[name]?.forget()
    } else {
      contexts[index].objects[name]?.isDeleting = true
      contexts[index].removed = contexts[index].removed.filter { !$0.has(name) }
    }
    guard name.hasPrefix("box") else { return }
    for (card, other) in contexts[index].objects
    where other.boxNow == name && !other.isDeleting && !other.isGone
      && (!other.isMissing || other.box != nil)
    {
      put(card, into: nil, index)
    }
  }

  mutating func rollBack(_ index: Int) {
    contexts[index].added = []
    contexts[index].removed = []
    for (name, var object) in contexts[index].objects where !object.isGone {
      if object.isNew {
        object.forget()
        object.isGone = true
      } else {
        object.discardChanges()
      }
      contexts[index].objects[name] = object
    }
  }

  /// Takes what was saved since the last merge: what the own process has saved, and then what the
  /// others have, as it is stored now.
  mutating func merge(_ index: Int) {
    let own = contexts[index].process
    take(store.writes[own] ?? [:], index)
    for (process, writes) in store.writes.sorted(by: { $0.key < $1.key }) where process != own {
      let recent = writes.filter { $0.value.time > contexts[index].merged }
      take(
        Dictionary(
          uniqueKeysWithValues: recent.map { ($0.key, (store.time, store.rows[$0.key])) }), index)
    }
    // What was in conflict may have been set back.
    for (name, object) in contexts[index].objects where !object.isGone {
      if case .some(.some(let row)) = object.newest { take(row, name, object, index) }
    }
    let former = contexts[index].added.union(contexts[index].removed)
    contexts[index].added.subtract(store.links)
    contexts[index].removed.formIntersection(store.links)
    contexts[index].merged = store.time
    let changed = contexts[index].added.union(contexts[index].removed)
    // Where others have done the same, there is no change any more.
    for link in former.subtracting(changed) {
      for name in [link.card, link.tag] {
        guard let object = contexts[index].objects[name], object.pending.isEmpty,
          object.box == nil, !object.isMissing
        else { continue }
        contexts[index].objects[name]?.isChanged = false
      }
    }
    for link in changed {
      for name in [link.card, link.tag] where contexts[index].objects[name]?.isGone == false {
        contexts[index].objects[name]?.isChanged = true
      }
    }
  }

  private mutating func take(_ writes: [String: (time: Int, row: Row?)], _ index: Int) {
    for (name, write) in writes where write.time > contexts[index].merged {
      guard let object = contexts[index].objects[name], !object.isGone, !object.isNew else {
        continue
      }
      if let row = write.row {
        take(row, name, object, index)
      } else if write.time > object.row.version {
        contexts[index].objects[name] = mergedDeletion(object)
        if contexts[index].objects[name]?.isGone == true { leave(name, index) }
      }
    }
  }

  private mutating func take(_ row: Row, _ name: String, _ object: Object, _ index: Int) {
    var merged = merged(object, row, contexts[index].policy)
    // A change of its links is a change of the object.
    let links = contexts[index].added.union(contexts[index].removed)
    if links.contains(where: { $0.has(name) }) { merged.isChanged = true }
    contexts[index].objects[name] = merged
    if object.box != nil, merged.box == nil {
      for box in [object.boxNow, object.row.box].compactMap(\.self) { endMark(box, index) }
    }
  }

  /// An object that others have deleted leaves. A link to it is none.
  mutating func leave(_ name: String, _ index: Int) {
    contexts[index].objects[name]?.leave()
    contexts[index].left[name] = contexts[index].added.filter { $0.has(name) }
    contexts[index].added = contexts[index].added.filter { !$0.has(name) }
  }

  /// It has not left, because it has changes.
  mutating func bringBack(_ name: String, _ index: Int) {
    contexts[index].objects[name]?.isGone = false
    contexts[index].objects[name]?.isChanged = true
    contexts[index].objects[name]?.newest = .some(nil)
    contexts[index].added.formUnion(contexts[index].left.removeValue(forKey: name) ?? [])
  }

  /// Others have moved a card in the same way. A box with no other change has none then.
  private mutating func endMark(_ box: String, _ index: Int) {
    guard let object = contexts[index].objects[box], object.pending.isEmpty, !object.isMissing
    else {
      return
    }
    let isMarked = contexts[index].objects.values.contains {
      !$0.isGone && $0.changes.contains("box") && [$0.boxNow, $0.row.box].contains(box)
    }
    if !isMarked { contexts[index].objects[box]?.isChanged = false }
  }

  private func merged(_ object: Object, _ row: Row, _ policy: Policy) -> Object {
    var object = object
    if object.row.version >= row.version { return object }
    // A custom policy is asked about equal values, too.
    let isDifferent = object.changes.contains { name in
      name == "box"
        ? row.box != object.row.box && (policy == .sum || row.box != object.boxNow)
        : row.value(name) != object.row.value(name)
          && (policy == .sum || row.value(name) != object.value(name))
    }
    if object.isDeleting || isDifferent {
      object.newest = .some(row)
      return object
    }
    // What was set to the value of the former row was no change.
    let changes = object.changes
    object.pending = object.pending.filter {
      changes.contains($0.key) && row.value($0.key) != $0.value
    }
    if !changes.contains("box") || row.box == object.boxNow { object.box = nil }
    object.isChanged = !object.pending.isEmpty || object.box != nil
    (object.row, object.newest, object.isMissing) = (row, nil, false)
    return object
  }

  private func mergedDeletion(_ object: Object) -> Object {
    var object = object
    if object.isChanged, !object.isDeleting {
      object.isMissing = true
      object.newest = .some(nil)
    } else {
      object.leave()
    }
    return object
  }
}
