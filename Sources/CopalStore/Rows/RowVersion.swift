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

  /// Whether a row has a newer version than another row of the same key. Versions begin again after
  /// the greatest one, so the shorter way from one to the other decides.
  public static func isNewer(_ version: Int64, than other: Int64) -> Bool {
    let distance = version &- other
    return distance > 0 ? distance <= range.upperBound / 2 : distance < -(range.upperBound / 2)
  }
}
