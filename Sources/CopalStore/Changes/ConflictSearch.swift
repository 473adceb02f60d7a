public import CopalModel

/// The stored rows that a change set may be in conflict with: what a store tells ``ConflictSearch``.
///
/// It is asked inside the transaction of a commit, before the first row is written.
public protocol ConflictSource {
  /// Why a row cannot be overwritten or deleted: others have changed or deleted it since it was read.
  ///
  /// - Returns: nil when the row is at the version that it was read with; else
  ///   ``CopalModel/PersistenceError/conflict(_:expected:found:)``, as a rule.
  func conflict(_ key: Int64, readAt version: Int64, in layout: EntityLayout) throws
    -> PersistenceError?

  /// The keys of the stored rows, except one, that have a row's values in a unique constraint.
  ///
  /// - Parameters:
  ///   - constraint: the slots of the constraint.
  ///   - row: the row that is to be written.
  ///   - key: the key of that row, which is left out; negative for a new object.
  /// - Returns: no key where one of the values is null, which is never in conflict.
  func owners(_ constraint: [Int], of row: PackedRow, but key: Int64, in layout: EntityLayout)
    throws -> [Int64]

  /// The id of a key of this store, for an error.
  func id(_ key: Int64, in layout: EntityLayout) -> ManagedObjectID
}

/// Finds everything that keeps a change set from being written: rows that are not at the version they were
/// read with, and values that a unique constraint allows once.
///
/// Unique values are judged by what the save would leave: what it deletes is gone, what it updates has its
/// new values, whether or not its version is the right one, and then the new objects come. So values can be
/// swapped and used again within a save, and each report is true whatever becomes of the others. An object
/// whose row is gone takes no part.
///
/// A store calls it at the beginning of a commit, and throws `save.failed` with what it finds as `causes`.
/// It asks for the version of each row that is deleted or updated, and for the owners of each unique value that
/// is set; it costs nothing else.
public struct ConflictSearch<Source: ConflictSource> {
  private let schema: StoreSchema
  private let source: Source

  /// A search in the rows of a store.
  public init(_ schema: StoreSchema, _ source: Source) {
    self.schema = schema
    self.source = source
  }

  /// Every conflict of a change set: first those of versions, then those of unique values, in the order of
  /// the changes. Empty when the change set can be written.
  ///
  /// - Throws: what the source throws.
  public func conflicts(of changes: ChangeSet) throws -> [PersistenceError] {
    var found: [PersistenceError] = []
    var missing: [Set<Int64>] = []
    for change in changes.entities {
      let refused = try versionConflicts(of: change)
      found += refused
      missing.append(
        Set(refused.lazy.filter { $0.code == .deletedElsewhere }.compactMap { $0.objectID?.key }))
    }
    for (change, missing) in zip(changes.entities, missing) {
      found += try uniqueConflicts(of: change, missing)
    }
    return found
  }

  private func versionConflicts(of change: ChangeSet.EntityChanges) throws -> [PersistenceError] {
    let layout = schema.entities[change.entity]
    let written =
      change.deletes.map { ($0.key, $0.version) } + change.updates.map { ($0.key, $0.version) }
    return try written.compactMap { try source.conflict($0, readAt: $1, in: layout) }
  }

  /// A row that takes values which may be unique.
  private struct Taker {
    let key: Int64
    let row: PackedRow
    /// The slots that it takes a value in; nil for all of them.
    let slots: SlotSet?

    func takes(_ constraint: [Int]) -> Bool {
      slots.map { slots in constraint.contains(where: slots.contains) } ?? true
    }
  }

  private func uniqueConflicts(of change: ChangeSet.EntityChanges, _ missing: Set<Int64>) throws
    -> [PersistenceError]
  {
    let layout = schema.entities[change.entity]
    if layout.uniqueConstraints.isEmpty { return [] }
    let updates = change.updates.filter {
      !$0.changed.isDisjoint(with: layout.uniqueSlots) && !missing.contains($0.key)
    }
    let takers =
      updates.map { Taker(key: $0.key, row: $0.row, slots: $0.changed) }
      + change.inserts.map { Taker(key: $0.temporaryKey, row: $0.row, slots: nil) }
    let deleted = Set(change.deletes.map(\.key))
    let changed = Dictionary(
      updates.map { ($0.key, $0.changed) }, uniquingKeysWith: { first, _ in first })

    var found: [PersistenceError] = []
    // For each constraint, who took its values first in this save.
    var taken = [[[[UInt8]]: Int64]](repeating: [:], count: layout.uniqueConstraints.count)
    for taker in takers {
      for (index, constraint) in layout.uniqueConstraints.enumerated() where taker.takes(constraint)
      {
        guard let values = layout.uniqueValues(of: taker.row, constraint) else { continue }
        let first = taken[index][values]
        if first == nil { taken[index][values] = taker.key }
        // One that keeps its values comes first: it is the one conflicted with.
        let keeper = try source.owners(constraint, of: taker.row, but: taker.key, in: layout).first
        {
          key in
          !deleted.contains(key)
            && changed[key].map { constraint.contains(where: $0.contains) } != true
        }
        guard let other = keeper ?? first else { continue }
        found.append(
          PersistenceError.uniqueConflict(
            layout, constraint, source.id(taker.key, in: layout), source.id(other, in: layout)))
      }
    }
    return found
  }
}
