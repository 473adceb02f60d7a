import CopalModel

/// References to objects that one save inserts.
///
/// A context does not know the keys of new objects. So the slot of a to-one relationship, or an end
/// of a link, holds the temporary key of a new object until the store has chosen the permanent one.
extension ChangeSet {
  /// The same changes, with the permanent keys of new objects in the references to them.
  ///
  /// A store calls it after it has chosen the keys of all inserts, and before it writes the first
  /// row. The cost grows with the links and with the rows of entities that have a to-one
  /// relationship; other rows are not looked at.
  ///
  /// - Parameters:
  ///   - keys: for each element of ``entities``, the keys of its inserts in their order.
  ///   - schema: the schema of the store.
  public func withReferences(to keys: [[Int64]], in schema: StoreSchema) -> ChangeSet {
    func hasReferences(_ change: EntityChanges) -> Bool {
      !schema.entities[change.entity].references.isEmpty
    }
    guard !links.isEmpty || entities.contains(where: hasReferences) else { return self }
    let new = NewKeys(self, keys, in: schema)
    if new.isEmpty { return self }
    var result = self
    for (position, change) in entities.enumerated() where hasReferences(change) {
      let layout = schema.entities[change.entity]
      // A new array, because copying this one and replacing most of it takes longer.
      result.entities[position].inserts = change.inserts.map { insert in
        new.resolved(insert.row, layout).map {
          Insert(key: insert.key, row: $0, isAgain: insert.isAgain)
        } ?? insert
      }
      for index in change.updates.indices {
        let update = change.updates[index]
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
  // One table for all entities: a temporary key belongs to one object in the program. The keys of
  // objects that were inserted one after the other are consecutive, and need no dictionary.
  private var runs: ContiguousArray<Run> = []
  /// The permanent keys of the runs.
  private var keys: ContiguousArray<Int64> = []
  private var others: [Int64: Int64] = [:]

  /// Inserts with consecutive temporary keys.
  private struct Run {
    /// The temporary key of the first one.
    let first: Int64
    let count: Int
    /// The position of the first permanent key.
    let start: Int
  }

  /// More runs than a look-up should search one by one.
  private static let runLimit = 8

  var isEmpty: Bool { runs.isEmpty && others.isEmpty }

  init(_ changes: ChangeSet, _ keys: [[Int64]], in schema: StoreSchema) {
    // Nothing refers to objects of the other roots.
    let destinations = Set(
      changes.entities.flatMap { change in
        schema.entities[change.entity].references.map(\.destinationRoot)
      })
    for (change, keys) in zip(changes.entities, keys) {
      if changes.links.isEmpty, !destinations.contains(schema.entities[change.entity].root) {
        continue
      }
      var start = 0
      while start < change.inserts.count {
        let first = change.inserts[start].key
        var end = start + 1
        while end < change.inserts.count, change.inserts[end].key == first &- Int64(end - start) {
          end += 1
        }
        if first < 0 { add(first, keys[start..<end]) }
        start = end
      }
    }
  }

  private mutating func add(_ first: Int64, _ keys: ArraySlice<Int64>) {
    if runs.count < Self.runLimit {
      runs.append(Run(first: first, count: keys.count, start: self.keys.count))
      self.keys += keys
      return
    }
    for (offset, key) in keys.enumerated() { others[first &- Int64(offset)] = key }
  }

  /// The permanent key of a temporary one; nil for the key of an object that the save does not
  /// insert.
  private func permanent(_ key: Int64) -> Int64? {
    for run in runs {
      let offset = run.first &- key
      if offset >= 0, offset < run.count { return keys[run.start + Int(offset)] }
    }
    return others[key]
  }

  func resolved(_ key: Int64) -> Int64 { key < 0 ? permanent(key) ?? key : key }

  func resolved(_ link: Link) -> Link {
    var link = link
    link.owner = resolved(link.owner)
    link.member = resolved(link.member)
    return link
  }

  /// A copy of a row with permanent keys; nil when it has no temporary one.
  func resolved(_ row: PackedRow, _ layout: EntityLayout, changed: SlotSet? = nil) -> PackedRow? {
    var copy: PackedRow?
    for slot in layout.referenceSlots where changed?.contains(slot) != false {
      let key = PackedRowValues.integer(row.base, slot)
      guard key < 0, let permanent = permanent(key) else { continue }
      if let former = copy {
        copy = former.referring(to: permanent, at: slot, layout)
      } else {
        copy = row.referring(to: permanent, at: slot, layout)
      }
    }
    return copy
  }
}

extension PackedRow {
  /// A copy of the row with another key in a slot that has one.
  package func referring(to key: Int64, at slot: Int, _ layout: EntityLayout) -> PackedRow {
    // Any slot of such a row may have bytes.
    if hasTypeMismatch { return replacing([slot: key], layout) ?? self }
    return replacing(slot, with: key, layout)
  }
}
