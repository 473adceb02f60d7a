/// Looks whether other programs have committed to a store. A container asks it at intervals, while
/// a context merges or somebody reads what is saved.
public protocol ForeignCommits: Sendable {
  /// The time between two looks.
  var interval: Duration { get }

  /// Whether other programs have committed since the last look. The commits of this program do not
  /// count. It is called on a background thread, one call at a time.
  ///
  /// - Throws: what prevents looking. The container looks again after the interval.
  func look() throws -> Bool
}
