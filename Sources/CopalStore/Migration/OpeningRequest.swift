import CopalModel

/// How a container opens a store: with which schema, and what happens when the store has an older
/// model.
///
/// Authors of stores get it in ``StoreDriver/open(_:)-(OpeningRequest)``. A store that keeps
/// nothing needs only the schema.
public struct OpeningRequest: Sendable {
  /// The schema of the container's model.
  public var schema: StoreSchema
  /// Whether a store with an older model is migrated. Otherwise opening throws
  /// `store.migrationNeeded`.
  public var migrates: Bool
  /// When the store is copied before it is migrated.
  public var backup: Backup
  /// Called while a migration writes rows, at most 20 times a second, on the thread that migrates.
  public var progress: (@Sendable (MigrationProgress) -> Void)?
  /// Asked again and again while a store is migrated: whether to give up. The migration then throws
  /// `store.interrupted`, and the store is as it was. Nil, the default, never gives up.
  public var isCanceled: (@Sendable () -> Bool)?

  /// When a store is copied before a migration.
  public enum Backup: Sendable, Hashable {
    /// Before a migration that can lose values.
    case whenLossy
    /// Before every migration.
    case always
    /// Never.
    case never

    /// Whether a store is copied before a migration.
    ///
    /// - Parameter losesPairs: whether the rows have pairs of objects that get lost, though no
    ///   change of the model is lossy.
    package func isMade(
      before difference: ModelDifference, losesPairs: () throws -> Bool
    ) rethrows -> Bool {
      switch self {
      case .whenLossy: try difference.changes.contains(where: \.isLossy) || losesPairs()
      case .always: true
      case .never: false
      }
    }
  }

  /// A request with the given values.
  public init(
    _ schema: StoreSchema, migrates: Bool = true, backup: Backup = .whenLossy,
    progress: (@Sendable (MigrationProgress) -> Void)? = nil
  ) {
    self.schema = schema
    self.migrates = migrates
    self.backup = backup
    self.progress = progress
  }
}

/// How far a migration is.
public struct MigrationProgress: Sendable, Hashable {
  /// The number of rows that were written.
  public let completedRows: Int
  /// The number of rows that are to be written.
  public let totalRows: Int

  /// A progress with the given numbers.
  public init(completedRows: Int, totalRows: Int) {
    self.completedRows = completedRows
    self.totalRows = totalRows
  }

  /// The part that is done, from 0 to 1.
  public var fraction: Double {
    totalRows == 0 ? 1 : min(1, Double(completedRows) / Double(totalRows))
  }
}
