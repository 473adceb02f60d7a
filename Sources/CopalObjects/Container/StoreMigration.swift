public import CopalStore

/// What a container does with a store that has an older model.
///
/// ```swift
/// let container = try PersistentContainer(
///   model: .bookshop, store: .sqlite(at: url), migration: StoreMigration(backup: .always))
/// ```
///
/// `Docs/Migration.md` says which changes of a model are migrated, and what a model file says about
/// them.
public struct StoreMigration: Sendable {
  /// When the store is copied before it is migrated. The copy is `NAME.sqlite-before-N` beside the
  /// store, with the number of the migration. It is made under the lock of the migration, so it is
  /// the store as it was. Copal never deletes it. Default: before a migration that can lose values.
  public var backup: OpeningRequest.Backup
  /// Called while the migration writes rows, at most 20 times a second, on the thread that
  /// migrates. Nil, the default, calls nothing.
  public var progress: (@Sendable (MigrationProgress) -> Void)?
  private let migrates: Bool

  /// A migration when the container opens.
  public init(
    backup: OpeningRequest.Backup = .whenLossy,
    progress: (@Sendable (MigrationProgress) -> Void)? = nil
  ) {
    self.init(backup: backup, progress: progress, migrates: true)
  }

  private init(
    backup: OpeningRequest.Backup, progress: (@Sendable (MigrationProgress) -> Void)?,
    migrates: Bool
  ) {
    self.backup = backup
    self.progress = progress
    self.migrates = migrates
  }

  /// The store is migrated when the container opens. The default.
  public static let automatic = StoreMigration()

  /// The store is not migrated: a container throws `store.migrationNeeded` when the store has an
  /// older model, unless only the number of the version differs. It is for extensions of an app,
  /// and for servers that another program migrates during a deployment.
  public static let never = StoreMigration(backup: .never, progress: nil, migrates: false)

  func request(
    _ schema: StoreSchema, isCanceled: (@Sendable () -> Bool)? = nil
  ) -> OpeningRequest {
    var request = OpeningRequest(schema, migrates: migrates, backup: backup, progress: progress)
    request.isCanceled = isCanceled
    return request
  }
}
