public import CopalModel
import CopalStore

/// What has changed in a context. It has objects, so it stays in the context's isolation; ``ids``
/// may leave it.
public struct ObjectChanges {
  /// The objects that were inserted here.
  public var inserted: Set<ManagedObject> { [] }
  /// The objects that were changed here.
  public var updated: Set<ManagedObject> { [] }
  /// The objects that were deleted, here or by others. They have left the context, and keep their
  /// last values.
  public var deleted: Set<ManagedObject> { contents.deleted }
  /// The objects that have taken newer values from the store.
  public var refreshed: Set<ManagedObject> { contents.refreshed }
  /// The objects that have become faults.
  public var invalidated: Set<ManagedObject> { contents.invalidated }
  /// Whether all objects without changes may have become faults, because it is not known which ones
  /// others have changed.
  public var invalidatesAll: Bool { contents.merged.invalidatesAll }
  private let contents: Contents

  /// The sets are made when somebody asks for them: making them takes longer than a merge.
  private final class Contents {
    let merged: MergedObjects
    let commits: [Commit]
    let others: [SavedChanges]
    let names: CommitNames
    private(set) lazy var deleted = Set(merged.deleted)
    private(set) lazy var refreshed = Set(merged.refreshed.map(\.object))
    private(set) lazy var invalidated = Set(merged.invalidated)
    private(set) lazy var rows: [ManagedObject: (former: PackedRow?, row: PackedRow)] = Dictionary(
      merged.refreshed.map { ($0.object, ($0.former, $0.row)) },
      uniquingKeysWith: { first, last in (first.0, last.1) })

    init(
      _ merged: MergedObjects, _ commits: [Commit], _ others: [SavedChanges], _ names: CommitNames
    ) {
      (self.merged, self.commits, self.others, self.names) = (merged, commits, others, names)
    }
  }

  init(
    _ merged: MergedObjects, _ commits: [Commit], _ others: [SavedChanges], _ names: CommitNames
  ) {
    contents = Contents(merged, commits, others, names)
  }

  /// Whether nothing has changed in the context. ``merged`` may have changes of objects that it
  /// does not have.
  public var isEmpty: Bool {
    let merged = contents.merged
    return merged.deleted.isEmpty && merged.refreshed.isEmpty && merged.invalidated.isEmpty
      && !merged.invalidatesAll
  }

  /// The commits that were merged, also of objects that are not in memory. Each call makes the
  /// values again.
  public var merged: [SavedChanges] {
    contents.commits.map { SavedChanges($0, contents.names) } + contents.others
  }

  /// The names of the attributes and to-one relationships of an object that have other values.
  /// Empty for an object that was not refreshed.
  public func changedProperties(of object: ManagedObject) -> Set<String> {
    guard let (former, row) = contents.rows[object], let former, row.entity == former.entity else {
      return []
    }
    let runtime = object.runtime
    let changed = runtime.layout.columns.filter { !former.hasSameValues(as: row, in: [$0]) }
    return Set(changed.map { runtime.propertyName($0.slot) })
  }

  /// The ids of the objects.
  public var ids: ObjectIDChanges {
    func ids(_ objects: Set<ManagedObject>) -> Set<ManagedObjectID> {
      Set(objects.map(\.objectID))
    }
    return ObjectIDChanges(
      inserted: ids(inserted), updated: ids(updated), deleted: ids(deleted),
      refreshed: ids(refreshed), invalidated: ids(invalidated), invalidatesAll: invalidatesAll)
  }
}

extension ObjectChanges: CustomStringConvertible {
  /// How many objects have changed, and in which way.
  public var description: String {
    let counts = [
      (inserted.count, "inserted"), (updated.count, "updated"), (deleted.count, "deleted"),
      (refreshed.count, "refreshed"), (invalidated.count, "invalidated"),
    ]
    let words =
      counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      + (invalidatesAll ? ["all of some entities invalidated"] : [])
    return words.isEmpty ? "no changes" : words.joined(separator: ", ")
  }
}

/// What has changed in a context, as ids: ``ObjectChanges/ids``.
public struct ObjectIDChanges: Sendable, Hashable, Codable {
  /// The objects that were inserted in the context.
  public let inserted: Set<ManagedObjectID>
  /// The objects that were changed in the context.
  public let updated: Set<ManagedObjectID>
  /// The objects that were deleted, in the context or by others.
  public let deleted: Set<ManagedObjectID>
  /// The objects that have taken newer values from the store.
  public let refreshed: Set<ManagedObjectID>
  /// The objects that have become faults.
  public let invalidated: Set<ManagedObjectID>
  /// Whether all objects without changes may have become faults.
  public let invalidatesAll: Bool
}

@available(*, unavailable, message: "its objects stay with their context; pass ids instead")
extension ObjectChanges: Sendable {}
