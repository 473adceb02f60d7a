import CopalStore

/// What a merge has changed in a context.
struct MergedObjects {
  /// The objects with a newer row, with both rows.
  var refreshed: ContiguousArray<(object: ManagedObject, former: PackedRow?, row: PackedRow)> = []
  /// The objects that others have deleted. They have left the context, unless they have unsaved
  /// changes.
  var deleted: ContiguousArray<ManagedObject> = []
  /// The objects that are faults now.
  var invalidated: ContiguousArray<ManagedObject> = []
  /// Whether all objects of some entities are faults now.
  var invalidatesAll = false
  /// The objects with other members in a list, and the position of its relationship. Only for
  /// contexts with listeners.
  var lists: [(owner: ManagedObject, ordinal: Int)] = []
}
