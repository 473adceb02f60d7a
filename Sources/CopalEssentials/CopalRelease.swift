/// The release of Copal that a program was built with. A store notes which one has written it.
public enum CopalRelease {
  /// The version, as in the tag of the release.
  public static let version = "0.1.0"
}
