public import CopalModel

/// What ``PersistentContainer/upgradeTransformables(dryRun:progress:)`` has done, or would do.
public struct TransformableUpgrade: Sendable {
  /// The number of objects that were read.
  public internal(set) var readCount = 0
  /// The number of values that were encoded again with the current version of their transformer.
  public internal(set) var upgradedCount = 0
  /// The number of values of a newer version, which are kept byte for byte.
  public internal(set) var newerCount = 0
  /// The values that could not be upgraded, each with its object and the error of its transformer.
  /// They are kept byte for byte.
  public internal(set) var failures: [PersistenceError] = []

  /// An upgrade that has read nothing.
  public init() {}
}
