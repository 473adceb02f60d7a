import CopalModel

/// What an upsert inserts and updates. The rows are taken one after the other: of two with the same
/// key, the last one wins.
package struct UpsertPlan {
  /// The new rows. A temporary key says the position among them.
  package private(set) var inserts: [ChangeSet.Insert] = []
  /// The updates of stored rows, each once, in the order of the given rows.
  package private(set) var updates: [ChangeSet.Update] = []
  /// The key of each given row: of a stored row, or a temporary one.
  package private(set) var rowKeys: [Int64] = []
  private let layout: EntityLayout
  private let constraint: EntityLayout.UniqueConstraint
  private let raisesEachTime: Bool
  private var keys: [UniqueValues: Int64]
  private var updatePlaces: [Int64: Int] = [:]

  /// A plan without rows.
  ///
  /// - Parameters:
  ///   - keys: the keys of stored rows by their values.
  ///   - raisesEachTime: whether each given row raises the version of its row, and not only the
  ///     first one.
  package init(
    _ layout: EntityLayout, _ constraint: EntityLayout.UniqueConstraint,
    stored keys: [UniqueValues: Int64], raisesEachTime: Bool
  ) {
    (self.layout, self.constraint) = (layout, constraint)
    (self.keys, self.raisesEachTime) = (keys, raisesEachTime)
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - stored: the stored row of a key.
  ///   - willWrite: called with the row that results, its key, and the row that it replaces.
  /// - Returns: the key of an object of another entity that has the values; nil for none.
  package mutating func add(
    _ new: BatchChange.Row, stored: (Int64) -> PackedRow?,
    willWrite: (PackedRow, Int64, _ old: PackedRow?) throws -> Void = { _, _, _ in }
  ) throws -> Int64? {
    let values = layout.uniqueValues(of: new.row, constraint)
    guard let values, let key = keys[values] else {
      let key = -Int64(inserts.count + 1)
      try willWrite(new.row, key, nil)
      inserts.append(ChangeSet.Insert(key: key, row: new.row))
      rowKeys.append(key)
      if let values { keys[values] = key }
      return nil
    }
    rowKeys.append(key)
    let place = key < 0 ? Int(-key) - 1 : updatePlaces[key]
    let former = place.map { key < 0 ? inserts[$0].row : updates[$0].row }
    guard let old = former ?? stored(key), old.entity == layout.index else { return key }
    let version =
      former == nil || raisesEachTime ? RowVersion.next(after: old.version) : old.version
    // A row that would be too big stays as it is.
    guard let row = old.taking(new.given, from: new.row, layout, version: version) else {
      return nil
    }
    try willWrite(row, key, old)
    guard let place else {
      updatePlaces[key] = updates.count
      updates.append(ChangeSet.Update(key: key, before: old, row: row, changed: new.given))
      return nil
    }
    if key < 0 {
      inserts[place].row = row
    } else {
      updates[place].row = row
      for slot in new.given { updates[place].changed.insert(slot) }
    }
    return nil
  }
}
