import CopalModel

/// References to objects that one save inserts.
///
/// A context does not know the keys of new objects. So the slot of a to-one relationship, or an end of a link, holds the
/// temporary key of a new object until the store has chosen the permanent one.
extension ChangeSet {
  /// The same changes, with the permanent keys of new objects in the references to them.
  ///
  /// A store calls it after it has chosen the keys of all inserts, and before it writes the first row. The cost grows
  /// with the links and with the rows of entities that have a to-one relationship; other rows are not looked at.
  ///
  /// - Parameters:
  ///   - keys: for each element of ``entities``, the keys of its inserts in their order.
  ///   - schema: the schema of the store.
  public func withReferences(to keys: [[Int64]], in schema: StoreSchema) -> ChangeSet {
    func hasReferences(_ change: EntityChanges) -> Bool {
      !schema.entities[change.entity].references.isEmpty
    }
    guard !links.isEmpty || entities.contains(where: hasReferences) else { return self }
    let new = NewKeys(self, keys)
    if new.isEmpty { return self }
    var result = self
    for (position, change) in entities.enumerated() where hasReferences(change) {
      let layout = schema.entities[change.entity]
      for (index, insert) in change.inserts.enumerated() {
        if let row = new.resolved(insert.row, layout) {
          result.entities[position].inserts[index].row = row
        }
      }
      for (index, update) in change.updates.enumerated() {
        if let row = new.resolved(update.row, layout, changed: update.changed) {
          result.entities[position].updates[index].row = row
        }
      }
    }
    for (position, change) in links.enumerated() {
      result.links[position].added = change.added.map(new.resolved)
      result.links[position].moved = change.moved.map(new.resolved)
    }
    return result
  }
}

/// The permanent keys of the objects that a save inserts, by temporary key.
private struct NewKeys {
  // One table for all entities: a temporary key belongs to one object in the program.
  private var permanent: [Int64: Int64] = [:]

  var isEmpty: Bool { permanent.isEmpty }

  init(_ changes: ChangeSet, _ keys: [[Int64]]) {
    for (change, keys) in zip(changes.entities, keys) {
      for (insert, key) in zip(change.inserts, keys) where insert.key < 0 {
        permanent[insert.key] = key
      }
    }
  }

  func resolved(_ key: Int64) -> Int64 { key < 0 ? permanent[key] ?? key : key }

  func resolved(_ link: Link) -> Link {
    var link = link
    link.owner = resolved(link.owner)
    link.member = resolved(link.member)
    return link
  }

  /// A copy of a row with permanent keys; nil when it has no temporary one.
  func resolved(_ row: PackedRow, _ layout: EntityLayout, changed: SlotSet? = nil) -> PackedRow? {
    var new: [Int: Int64] = [:]
    withExtendedLifetime(row) {
      for slot in layout.referenceSlots where changed?.contains(slot) != false {
        let key = PackedRowValues.integer(row.base, slot)
        if key < 0, let permanent = permanent[key] { new[slot] = permanent }
      }
    }
    return row.replacing(new, layout)
  }
}
