import CopalModel

/// A store's rows, as far as a search for conflicts needs them.
public protocol ConflictSource {
  /// The stored row of a key; nil when there is none.
  func row(_ key: Int64, of layout: EntityLayout) throws -> PackedRow?

  /// The keys of the stored rows that have the same values in a unique constraint as a row of an
  /// entity, except for one key. These are rows of the entity that declares the constraint, and of
  /// its subentities.
  func owners(
    _ constraint: EntityLayout.UniqueConstraint, of row: PackedRow, but key: Int64,
    in layout: EntityLayout
  ) throws -> [Int64]

  /// For each of some rows of an entity, with its key, the first of its owners that a condition
  /// accepts, in an order of the store; nil where there is none.
  ///
  /// A store with statements looks for many rows in one. By default, ``owners(_:of:but:in:)`` looks
  /// for each.
  func firstOwners(
    _ constraint: EntityLayout.UniqueConstraint, of rows: [(key: Int64, row: PackedRow)],
    in layout: EntityLayout, where isAccepted: (Int64) -> Bool
  ) throws -> [Int64?]

  /// The keys of the stored rows of an entity, without its subentities, that refer to an object by
  /// a to-one relationship.
  func referrers(to key: Int64, _ reference: EntityLayout.Reference, in layout: EntityLayout) throws
    -> [Int64]

  /// The keys of the objects that are linked to an object, which is at an end of a table of links.
  func linked(to key: Int64, _ table: Int, at end: LinkTable.End) throws -> [Int64]
}

extension ConflictSource {
  /// Looks for the rows one by one.
  public func firstOwners(
    _ constraint: EntityLayout.UniqueConstraint, of rows: [(key: Int64, row: PackedRow)],
    in layout: EntityLayout, where isAccepted: (Int64) -> Bool
  ) throws -> [Int64?] {
    try rows.map { key, row in
      try owners(constraint, of: row, but: key, in: layout).first(where: isAccepted)
    }
  }
}

/// Finds every conflict of a change set: rows whose version has changed since they were read,
/// repeated values in unique constraints, and references to objects that do not exist.
///
/// Unique values are compared in the state that the save would produce: deleted rows are gone,
/// updated rows have their new values even if their version is out of date, and new objects exist.
/// So a save can swap values and reuse those of deleted objects, and each report is true
/// independent of the others. Objects with a missing row are left out.
///
/// A store with statements notices a conflict while it writes: a statement changes no row, or
/// breaks a unique index. It searches only then, to report every conflict.
public struct ConflictSearch<Source: ConflictSource> {
  let schema: StoreSchema
  let source: Source

  /// A search in the rows of a store.
  public init(_ schema: StoreSchema, _ source: Source) {
    self.schema = schema
    self.source = source
  }

  /// Every conflict of a change set, in the order of the changes: first versions, then unique
  /// values, then references. Empty when the change set can be written.
  ///
  /// - Throws: what the source throws.
  public func conflicts(of changes: ChangeSet) throws -> [CommitConflict] {
    var found: [CommitConflict] = []
    var missing: [Set<Int64>] = []
    for change in changes.entities {
      let refused = try versionConflicts(of: change)
      found += refused + (try keyConflicts(of: change, in: changes))
      missing.append(
        Set(refused.lazy.filter { if case .deleted = $0.kind { true } else { false } }.map(\.key)))
    }
    var search = UniqueSearch(changes, schema)
    for (change, missing) in zip(changes.entities, missing) {
      try search.find(in: change, missing, source, &found)
    }
    found += try referenceConflicts(of: changes)
    return found
  }

  /// The repeated values in unique constraints, as if each changed row were there.
  package func uniqueConflicts(of changes: ChangeSet) throws -> [CommitConflict] {
    var search = UniqueSearch(changes, schema)
    var found: [CommitConflict] = []
    for change in changes.entities { try search.find(in: change, [], source, &found) }
    return found
  }

  private func versionConflicts(of change: ChangeSet.EntityChanges) throws -> [CommitConflict] {
    let layout = schema.entities[change.entity]
    let written =
      change.deletes.map { ($0.key, $0.version, isUpdate: false) }
      + change.updates.map { ($0.key, $0.version, isUpdate: true) }
    return try written.compactMap { key, version, isUpdate -> CommitConflict? in
      func conflict(_ kind: CommitConflict.Kind, _ stored: PackedRow? = nil) -> CommitConflict {
        CommitConflict(kind, entity: change.entity, key: key, version: version, stored: stored)
      }
      do {
        guard let stored = try source.row(key, of: layout) else { return conflict(.deleted) }
        // Another program has made it an object of a subentity, which has other values.
        if isUpdate, stored.entity != layout.index { return conflict(.deleted) }
        return stored.version == version ? nil : conflict(.changed, stored)
      } catch let error as PersistenceError where error.code == .typeMismatch {
        return conflict(.unreadable(error))
      }
    }
  }

  /// Inserts that want a key which a row has that stays.
  private func keyConflicts(of change: ChangeSet.EntityChanges, in changes: ChangeSet) throws
    -> [CommitConflict]
  {
    let wanted = change.inserts.lazy.map(\.key).filter { $0 > 0 }
    if wanted.isEmpty { return [] }
    // The objects of a family have different keys.
    let root = schema.entities[schema.entities[change.entity].root]
    let deleted = Set(
      changes.entities.lazy.filter { schema.entities[$0.entity].root == root.index }
        .flatMap { $0.deletes.lazy.map(\.key) })
    return try wanted.compactMap { key in
      guard !deleted.contains(key),
        let stored = try source.row(key, of: root)
      else { return nil }
      return CommitConflict(.keyInUse, entity: change.entity, key: key, stored: stored)
    }
  }
}

/// Finds repeated values in unique constraints. A constraint can be that of several subentities.
private struct UniqueSearch {
  private let schema: StoreSchema
  /// The keys of the deleted rows, and the slots that change in updated ones, by position of the
  /// root.
  private var deleted: [Int: Set<Int64>] = [:]
  private var changed: [Int: [Int64: SlotSet]] = [:]
  /// For each constraint of several changes, such as one of a parent, the first row with some
  /// values in the changes so far.
  private var taken: [EntityLayout.UniqueConstraint: [UniqueValues: Int64]] = [:]

  init(_ changes: ChangeSet, _ schema: StoreSchema) {
    self.schema = schema
    var seen: Set<EntityLayout.UniqueConstraint> = []
    for change in changes.entities {
      let layout = schema.entities[change.entity]
      if layout.uniqueConstraints.isEmpty { continue }
      for constraint in layout.uniqueConstraints where !seen.insert(constraint).inserted {
        taken[constraint] = [:]
      }
      deleted[layout.root, default: []].formUnion(change.deletes.lazy.map(\.key))
      for update in change.updates {
        changed[layout.root, default: [:]][update.key] = update.changed
      }
    }
  }

  /// An inserted or updated row.
  private struct WrittenRow {
    let key: Int64
    /// The version before an update.
    let version: Int64?
    let row: PackedRow
    /// The slots that the change writes; nil for all of them.
    let slots: SlotSet?

    func writes(_ constraint: EntityLayout.UniqueConstraint) -> Bool {
      slots.map { slots in constraint.slots.contains(where: slots.contains) } ?? true
    }
  }

  /// Adds the conflicts of a change, in the order of its rows.
  mutating func find(
    in change: ChangeSet.EntityChanges, _ missing: Set<Int64>, _ source: some ConflictSource,
    _ found: inout [CommitConflict]
  ) throws {
    let layout = schema.entities[change.entity]
    if layout.uniqueConstraints.isEmpty { return }
    var writtenRows: [WrittenRow] = []
    writtenRows.reserveCapacity(change.updates.count + change.inserts.count)
    for update in change.updates
    where !update.changed.isDisjoint(with: layout.uniqueSlots) && !missing.contains(update.key) {
      writtenRows.append(
        WrittenRow(
          key: update.key, version: update.version, row: update.row, slots: update.changed))
    }
    for insert in change.inserts {
      writtenRows.append(WrittenRow(key: insert.key, version: nil, row: insert.row, slots: nil))
    }
    let others = try layout.uniqueConstraints.map { constraint in
      try self.others(constraint, of: writtenRows, layout, source)
    }
    for (number, written) in writtenRows.enumerated() {
      for (constraint, others) in zip(layout.uniqueConstraints, others) {
        guard let other = others[number] else { continue }
        found.append(
          CommitConflict(
            .unique(constraint.slots), entity: change.entity, key: written.key,
            version: written.version, other: other))
      }
    }
  }

  /// For each row, the key of another row with its values in a constraint; nil where there is none.
  private mutating func others(
    _ constraint: EntityLayout.UniqueConstraint, of rows: [WrittenRow], _ layout: EntityLayout,
    _ source: some ConflictSource
  ) throws -> [Int64?] {
    var others = [Int64?](repeating: nil, count: rows.count)
    let candidates = candidates(rows, constraint, layout)
    let keepers = try source.firstOwners(
      constraint, of: candidates.map { ($0.key, $0.row) }, in: layout
    ) { keeps($0, constraint, layout.root) }
    for (candidate, keeper) in zip(candidates, keepers) {
      // A row that keeps its values comes first, so that the other row is reported.
      others[candidate.number] = keeper ?? candidate.first
    }
    return others
  }

  /// A row with values in a constraint.
  private struct Candidate {
    /// The position of the row.
    let number: Int
    let key: Int64
    let row: PackedRow
    let values: UniqueValues
    /// The first row of this save with the same values; nil for the row itself.
    var first: Int64?
  }

  /// The rows with values in a constraint, in the order of the values: so a search in an index of a
  /// large table reads each of its pages once, and rows with equal values are neighbors.
  private mutating func candidates(
    _ rows: [WrittenRow], _ constraint: EntityLayout.UniqueConstraint, _ layout: EntityLayout
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    candidates.reserveCapacity(rows.count)
    for (number, written) in rows.enumerated() where written.writes(constraint) {
      guard let values = layout.uniqueValues(of: written.row, constraint) else { continue }
      candidates.append(
        Candidate(number: number, key: written.key, row: written.row, values: values))
    }
    // The standard library's sort: a save of many rows waits for it.
    candidates.sort { $0.values < $1.values }
    var earlier = taken.removeValue(forKey: constraint)
    var start = 0
    while start < candidates.count {
      var end = start + 1
      while end < candidates.count, candidates[end].values == candidates[start].values { end += 1 }
      Self.noteFirst(of: start..<end, in: &candidates, &earlier)
      start = end
    }
    taken[constraint] = earlier
    return candidates
  }

  /// Notes the first row of this save in rows with equal values.
  ///
  /// - Parameter earlier: the first row with some values; nil for a constraint of one change.
  private static func noteFirst(
    of equal: Range<Int>, in candidates: inout [Candidate], _ earlier: inout [UniqueValues: Int64]?
  ) {
    var earliest = equal.lowerBound
    for place in equal where candidates[place].number < candidates[earliest].number {
      earliest = place
    }
    let values = candidates[earliest].values
    let first = earlier?[values] ?? candidates[earliest].key
    earlier?[values] = first
    for place in equal where candidates[place].key != first { candidates[place].first = first }
  }

  /// Whether a stored row has the same values in a constraint after the save.
  private func keeps(_ key: Int64, _ constraint: EntityLayout.UniqueConstraint, _ root: Int) -> Bool
  {
    deleted[root]?.contains(key) != true
      && changed[root]?[key].map { constraint.slots.contains(where: $0.contains) } != true
  }
}
