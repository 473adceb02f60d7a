/// How a context merges what others save.
struct Merging {
  /// The last published commit that the context has merged, or that was published when it was made.
  var position: Int
  /// Whether the context merges by itself.
  var isAutomatic = false
  /// Whether the container ends turns of the context, between the jobs of the main actor.
  let isOfMainActor: Bool
  /// The place of the context in the log; nil while it does not merge.
  var cursor: LogCursor?
  /// The entities of commits that were published before the cursor began.
  var earlier: Set<Int> = []
  /// Changes that came another way while the context could not merge.
  var waiting: [SavedChanges] = []
  /// Lists that were read while something may have been committed that was not published. They may
  /// be newer than what is merged next.
  var ahead: Set<RelationshipPlace> = []
  var isMerging = false
}
