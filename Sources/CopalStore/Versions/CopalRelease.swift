import CopalModel

/// The release of Copal that a program was built with.
///
/// A store notes which release has written it, and a copy before a migration keeps that note. Show
/// the version in a report of a mistake:
///
/// ```swift
/// print("Copal \(CopalRelease.version)")
/// ```
public enum CopalRelease {
  /// The version, as in the tag of the release: `"0.9.0"`.
  ///
  /// Its three numbers have the meaning that <https://semver.org> gives them. `Docs/Stability.md`
  /// says what may change before 1.0.
  public static let version = "0.9.0"
}
