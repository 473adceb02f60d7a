/// The version numbers that a row can have, and how they go on.
///
/// A save writes a new version into each row that it changes, and refuses to write over a row whose version
/// is not the one that was read. Versions are compared for equality only, so the greatest one may be
/// followed by the first: every row that can be read can also be saved, and be read again.
public enum RowVersion {
  /// The version of a new row.
  @inlinable public static var first: Int64 { 1 }

  /// The versions that a row may have; a row with any other was written by another program.
  // Computed: a constant of this type would be asked for through a call, for every row.
  @inlinable public static var range: ClosedRange<Int64> { 0...Int64.max - 1 }

  /// The version that a save gives to a row of this one.
  @inlinable
  public static func next(after version: Int64) -> Int64 {
    version < range.upperBound ? version &+ 1 : first
  }
}
