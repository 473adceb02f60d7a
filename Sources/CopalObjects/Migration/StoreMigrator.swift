public import CopalStore

/// Plans and runs a migration without a container.
///
/// Use it in a tool, during a deployment, and to ask a person before a migration:
///
/// ```swift
/// let migrator = StoreMigrator(.sqlite(at: url), to: .bookshop)
/// if let plan = try migrator.plan(), plan.isAllowed {
///   print(plan)
///   try await migrator.migrate()
/// }
/// ```
public struct StoreMigrator: Sendable {
  private let store: StoreConfiguration
  private let model: ModelBinding
  private let transformers: [any AttributeTransformer]
  private let migration: StoreMigration

  /// A migrator for a store and the model that it is to have.
  ///
  /// - Parameters:
  ///   - transformers: as for a container: the type of a transformable column depends on them.
  ///   - migration: backup and progress. With ``StoreMigration/never``, ``migrate()`` throws
  ///     `store.migrationNeeded`.
  public init(
    _ store: StoreConfiguration, to model: ModelBinding,
    transformers: [any AttributeTransformer] = [], migration: StoreMigration = .automatic
  ) {
    self.store = store
    self.model = model
    self.transformers = transformers
    self.migration = migration
  }

  /// What opening the store with the model would do.
  ///
  /// It changes nothing and takes no lock for writing: other programs can use the store meanwhile.
  /// What it says holds for the moment at which it was made.
  ///
  /// - Parameter detail: with `.model`, no row is read, and the plan costs about as much as
  ///   opening. With `.rows`, the rows that the changes concern are read and counted.
  /// - Returns: nil when there is nothing to do, and when there is no store.
  /// - Throws: as opening a container, but not `store.modelDiffers`: what refuses the migration is
  ///   in ``MigrationPlan/refusals``. A table or view of another program that stands in the way is
  ///   only found by the migration itself.
  public func plan(_ detail: MigrationPlan.Detail = .rows) throws -> MigrationPlan? {
    try store.plan(request(), detail)
  }

  /// Migrates the store and closes it.
  ///
  /// When the task is canceled, the migration is rolled back: the store is as it was.
  ///
  /// - Returns: what was done, without numbers of rows. Nil when there was nothing to do, and when
  ///   there is no store; none is made.
  /// - Throws: as opening a container; `store.interrupted` when the task was canceled.
  @discardableResult
  public func migrate() async throws -> MigrationPlan? {
    try await DetachedWork.run { [self] isCanceled in
      let request = try request(isCanceled: isCanceled)
      guard let plan = try store.plan(request, .model) else { return nil }
      _ = try store.open(request)
      return plan
    }
  }

  private func request(isCanceled: (@Sendable () -> Bool)? = nil) throws -> OpeningRequest {
    let checked = try CheckedContainer(model, transformers, .ignore)
    return migration.request(checked.schema, isCanceled: isCanceled)
  }
}
