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

  /// The keys of the stored rows of an entity, without its subentities, that refer to an object by
  /// a to-one relationship.
  func referrers(to key: Int64, _ reference: EntityLayout.Reference, in layout: EntityLayout) throws
    -> [Int64]

  /// The keys of the objects that are linked to an object, which is at an end of a table of links.
  func linked(to key: Int64, _ table: Int, at end: LinkTable.End) throws -> [Int64]
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
      found += try search.conflicts(of: change, missing, source)
    }
    return found + (try referenceConflicts(of: changes))
  }

  /// The repeated values in unique constraints, as if each changed row were there.
  package func uniqueConflicts(of changes: ChangeSet) throws -> [CommitConflict] {
    var search = UniqueSearch(changes, schema)
    return try changes.entities.flatMap { try search.conflicts(of: $0, [], source) }
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
  /// For each constraint, the first row of this save with some values.
  private var taken: [EntityLayout.UniqueConstraint: [[[UInt8]]: Int64]] = [:]

  init(_ changes: ChangeSet, _ schema: StoreSchema) {
    self.schema = schema
    for change in changes.entities {
      let layout = schema.entities[change.entity]
      if layout.uniqueConstraints.isEmpty { continue }
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

  mutating func conflicts(
    of change: ChangeSet.EntityChanges, _ missing: Set<Int64>, _ source: some ConflictSource
  ) throws -> [CommitConflict] {
    let layout = schema.entities[change.entity]
    if layout.uniqueConstraints.isEmpty { return [] }
    let updates = change.updates.filter {
      !$0.changed.isDisjoint(with: layout.uniqueSlots) && !missing.contains($0.key)
    }
    let writtenRows =
      updates.map { WrittenRow(key: $0.key, version: $0.version, row: $0.row, slots: $0.changed) }
      + change.inserts.map { WrittenRow(key: $0.key, version: nil, row: $0.row, slots: nil) }
    var found: [CommitConflict] = []
    for written in writtenRows {
      for constraint in layout.uniqueConstraints where written.writes(constraint) {
        guard let values = layout.uniqueValues(of: written.row, constraint) else { continue }
        let first = taken[constraint]?[values]
        if first == nil { taken[constraint, default: [:]][values] = written.key }
        // A row that keeps its values comes first, so that the other row is reported.
        let keeper = try source.owners(constraint, of: written.row, but: written.key, in: layout)
          .first { keeps($0, constraint, layout.root) }
        guard let other = keeper ?? first else { continue }
        found.append(
          CommitConflict(
            .unique(constraint.slots), entity: change.entity, key: written.key,
            version: written.version, other: other))
      }
    }
    return found
  }

  /// Whether a stored row has the same values in a constraint after the save.
  private func keeps(_ key: Int64, _ constraint: EntityLayout.UniqueConstraint, _ root: Int) -> Bool
  {
    deleted[root]?.contains(key) != true
      && changed[root]?[key].map { constraint.slots.contains(where: $0.contains) } != true
  }
}
