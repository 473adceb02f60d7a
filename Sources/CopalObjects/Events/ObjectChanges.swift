public import CopalModel
import CopalStore

/// What has changed in a context. It has objects, so it stays in the context's isolation; ``ids``
/// may leave it.
public struct ObjectChanges {
  /// The objects that were inserted here.
  public var inserted: Set<ManagedObject> { contents.inserted }
  /// The objects that were changed here: properties were written, or members of relationships have
  /// changed.
  public var updated: Set<ManagedObject> { contents.updated }
  /// The objects that were deleted, here or by others. What is deleted here is still in the context
  /// until the save. What others have deleted, and what was never saved, has left the context and
  /// keeps its last values.
  public var deleted: Set<ManagedObject> { contents.deleted }
  /// The objects that have taken newer values from the store, or have their former values after a
  /// rollback.
  public var refreshed: Set<ManagedObject> { contents.refreshed }
  /// The objects that have become faults.
  public var invalidated: Set<ManagedObject> { contents.invalidated }
  /// Whether all objects without changes may have become faults or have left the context: after
  /// `refreshAllObjects()` and `reset()`, and when it is not known which objects others have
  /// changed.
  public var invalidatesAll: Bool { contents.invalidatesAll }
  private let contents: Contents

  /// The sets are made when somebody asks for them: making them takes longer than a merge.
  private final class Contents {
    let merged: MergedObjects
    let commits: [Commit]
    let others: [SavedChanges]
    let names: CommitNames
    private(set) lazy var turn: TurnChanges = {
      var turn = TurnChanges()
      turn.note(merged, commits, others)
      return turn
    }()
    private(set) lazy var inserted = turn.objects(.inserted)
    private(set) lazy var updated = turn.objects(.updated)
    private(set) lazy var deleted = turn.objects(.deleted)
    private(set) lazy var refreshed = turn.objects(.refreshed)
    private(set) lazy var invalidated = turn.objects(.invalidated)

    init(
      _ merged: MergedObjects, _ commits: [Commit], _ others: [SavedChanges], _ names: CommitNames
    ) {
      (self.merged, self.commits, self.others, self.names) = (merged, commits, others, names)
    }

    convenience init(_ turn: TurnChanges, _ names: CommitNames) {
      self.init(MergedObjects(), turn.commits, turn.others, names)
      self.turn = turn
    }

    var invalidatesAll: Bool { merged.invalidatesAll || turn.invalidatesAll }
  }

  init(
    _ merged: MergedObjects, _ commits: [Commit], _ others: [SavedChanges], _ names: CommitNames
  ) {
    contents = Contents(merged, commits, others, names)
  }

  init(_ turn: TurnChanges, _ names: CommitNames) { contents = Contents(turn, names) }

  /// What has changed in the turn.
  var turn: TurnChanges { contents.turn }

  /// Whether nothing has changed in the context. ``merged`` may have changes of objects that it
  /// does not have.
  public var isEmpty: Bool {
    let merged = contents.merged
    if !merged.deleted.isEmpty || !merged.refreshed.isEmpty || !merged.invalidated.isEmpty {
      return false
    }
    return !contents.invalidatesAll && contents.turn.entries.values.allSatisfy { $0.kind == .none }
  }

  /// The commits that were merged, also of objects that are not in memory. Each call makes the
  /// values again.
  public var merged: [SavedChanges] {
    contents.commits.map { SavedChanges($0, contents.names) } + contents.others
  }

  /// The names of the properties of an object that have other values than before. Ask for it in the
  /// closure that gets the event: it compares with the values that the object has now. Empty for an
  /// object that was neither changed nor refreshed.
  public func changedProperties(of object: ManagedObject) -> Set<String> {
    contents.turn.entries[ObjectIdentifier(object)]?.changedProperties ?? []
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
