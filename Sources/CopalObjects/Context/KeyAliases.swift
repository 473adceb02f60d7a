/// Which permanent key each temporary one became, so that old ids still resolve.
///
/// Kept as runs, because a save turns consecutive temporary keys into consecutive permanent ones: a
/// hundred thousand inserts are one run.
struct KeyAliases {
  private struct Run {
    var entity: Int
    /// The least magnitude of the temporary keys, and the permanent key it became.
    var temporary: Int64
    var permanent: Int64
    var count: Int64
  }

  private var runs: [Run] = []

  mutating func add(temporary: Int64, permanent: Int64, entity: Int) {
    let magnitude = -temporary
    if let last = runs.indices.last, runs[last].entity == entity,
      runs[last].temporary + runs[last].count == magnitude,
      runs[last].permanent + runs[last].count == permanent
    {
      runs[last].count += 1
      return
    }
    runs.append(Run(entity: entity, temporary: magnitude, permanent: permanent, count: 1))
  }

  /// The permanent key that a temporary one became; nil when it has not been saved here.
  func permanentKey(of temporary: Int64, entity: Int) -> Int64? {
    let magnitude = -temporary
    for run in runs where run.entity == entity {
      let distance = magnitude - run.temporary
      if distance >= 0, distance < run.count { return run.permanent + distance }
    }
    return nil
  }

  /// The temporary key that an object had before its first save in this context.
  func temporaryKey(of permanent: Int64, entity: Int) -> Int64? {
    for run in runs where run.entity == entity {
      let distance = permanent - run.permanent
      if distance >= 0, distance < run.count { return -(run.temporary + distance) }
    }
    return nil
  }
}
