public import CopalEssentials

/// The version numbers of rows.
///
/// A save gives each row that it changes the next version. It does not write a row when the row's
/// version is not the one that was read. Versions are only compared for equality, so that the first
/// one can follow the greatest one.
public enum RowVersion {
  /// The version of a new row.
  @inlinable public static var first: Int64 { 1 }

  /// The versions that a row can have. A row with another version was written by another program.
  // Computed: a constant of this type would be asked for through a call, for every row.
  @inlinable public static var range: ClosedRange<Int64> { 0...Int64.max - 1 }

  /// The version that a save gives to a row that has the given one.
  @inlinable
  public static func next(after version: Int64) -> Int64 {
    version < range.upperBound ? version &+ 1 : first
  }

  /// The version of a row that comes back under the key that it has had, after others have deleted
  /// it: later than every version that a former row of the key can have had.
  ///
  /// With the first version, or the one after the last that is known, a context that has read a
  /// former row would not notice that the row was away.
  ///
  /// - Parameters:
  ///   - version: the last version that is known.
  ///   - now: the time of the store.
  public static func again(after version: Int64, now: Date) -> Int64 {
    let microseconds = max(0, min(now.timeIntervalSinceReferenceDate * 1_000_000, 4e15))
    let (next, isTooGreat) = max(version, Int64(microseconds) * 1024)
      .addingReportingOverflow(1024)
    return isTooGreat || next > range.upperBound ? first : next
  }

  /// Whether a row has a newer version than another row of the same key. Versions begin again after
  /// the greatest one, so the shorter way from one to the other decides.
  public static func isNewer(_ version: Int64, than other: Int64) -> Bool {
    let distance = version &- other
    return distance > 0 ? distance <= range.upperBound / 2 : distance < -(range.upperBound / 2)
  }
}
