/// How to open a store: the kind of store, its location and its options.
///
/// ```swift
/// let container = try PersistentContainer(model: .atelier, store: .inMemory)
/// ```
public struct StoreConfiguration: Sendable {
  package let driver: any StoreDriver

  /// A configuration with a driver. Authors of stores make one.
  ///
  /// ```swift
  /// extension StoreConfiguration {
  ///   static func remote(_ url: URL) -> StoreConfiguration {
  ///     StoreConfiguration(RemoteDriver(url: url))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter driver: opens and inspects the store.
  public init(_ driver: any StoreDriver) { self.driver = driver }

  /// A configuration with closures in place of a ``StoreDriver``. Authors of stores make one.
  ///
  /// ```swift
  /// extension StoreConfiguration {
  ///   static func remote(_ url: URL) -> StoreConfiguration {
  ///     StoreConfiguration(name: url.absoluteString) { schema in try RemoteStore(url, schema) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: what the store is, for messages.
  ///   - open: opens the store with the schema of the container's model. The container calls it
  ///     once and throws what it throws.
  ///   - inspect: describes the store without opening it, as ``StoreDriver/inspect()`` does.
  ///     Default: it returns nil, which is right for a store that does not keep its contents.
  public init(
    name: String, open: @escaping @Sendable (StoreSchema) throws -> any PersistentStore,
    inspect: @escaping @Sendable () throws -> StoreDescription? = { nil }
  ) {
    driver = ClosureDriver(name: name, opening: open, inspecting: inspect)
  }

  /// What the store is, for messages: a path or "in memory".
  public var name: String { driver.name }

  /// Describes the store without opening it: its identifier and the model that it was written with.
  ///
  /// Use it before you open a store whose model may differ from the program's: to ask the user
  /// before a migration, or to choose the model for copying the objects into a new store. Opening
  /// alone does not need it, because opening compares the models.
  ///
  /// ```swift
  /// if let stored = try StoreConfiguration.sqlite(at: url).inspect() {
  ///   print(stored.identifier, stored.model.entities.map(\.name))
  /// }
  /// ```
  ///
  /// Inspecting changes nothing. It creates no file, it does not migrate, and other contexts and
  /// programs can read and write the store meanwhile. It does not compare the tables with the
  /// model; opening does. For a SQL store it costs about as much as opening: a connection and the
  /// reading of the stored model. The options of a SQL store for the busy timeout and the SQL log
  /// apply.
  ///
  /// - Returns: nil when there is no store yet: no file, or an empty one. Always nil for a store in
  ///   memory.
  /// - Throws: ``PersistenceError`` with the code that opening throws, when there is something else
  ///   than a readable store. For a store in a file: `store.notADatabase`, `store.notACopalStore`,
  ///   `store.notUTF8`, `store.newerFormat`, `store.damagedMetadata`, `store.folderMissing`,
  ///   `store.cannotOpen`, `store.notWritable` when it may not be read, `store.busy` when other
  ///   programs change it again and again.
  public func inspect() throws -> StoreDescription? { try driver.inspect() }

  // MARK: The store as a whole

  /// Deletes the store: the database with its log, and the folder of its large values. Without a
  /// store it deletes what an interrupted removal has left.
  ///
  /// ```swift
  /// try cache.destroy()
  /// ```
  ///
  /// Release the containers and contexts of the store first. After a kill in between, the store is
  /// whole, or there is none. A store in memory ends with its container; for it, nothing is done.
  ///
  /// - Throws: `store.inUse` while this program or another one has the store open for longer than
  ///   the busy timeout; `store.cannotOpen` when there is something in its folder that Copal has
  ///   not written; `store.notACopalStore` and others of opening. Then nothing is deleted.
  public func destroy() throws { try driver.destroy() }

  /// Gives the store the contents of another one, which stays as it is: how a backup is restored.
  /// When the store does not exist, it is made.
  ///
  /// ```swift
  /// try atelier.replace(with: backup)
  /// ```
  ///
  /// The store then has the identifier of the other one, and the ids of its objects. Release the
  /// containers and contexts of the store first; the other store can be open. After a kill in
  /// between, the store has all of its former contents, or all of the new ones. The cost grows with
  /// the size of the other store.
  ///
  /// - Throws: `store.inUse` while this program or another one has the store open for longer than
  ///   the busy timeout; `store.noStore` when there is no other store; `store.noFile` for a store
  ///   that is not in a file; codes of `store.…` of opening. Then nothing is changed.
  public func replace(with other: StoreConfiguration) throws {
    try driver.replace(with: other.driver)
  }

  /// Moves the store to the place of another configuration: the database with the contents of its
  /// log, and the folder of its large values.
  ///
  /// ```swift
  /// try atelier.move(to: archive)
  /// ```
  ///
  /// Release the containers and contexts of the store first. After a kill in between, the store is
  /// whole at one of the two places.
  ///
  /// - Throws: `store.inUse` while this program or another one has the store open for longer than
  ///   the busy timeout; `store.pathTaken` when there is something at the other place;
  ///   `store.noStore` when there is no store; `store.noFile` for a store that is not in a file;
  ///   codes of `store.…` of opening. Then nothing is changed.
  public func move(to other: StoreConfiguration) throws { try driver.move(to: other.driver) }

  /// What opening would do with a store that has an older model; nil when there is nothing to do.
  package func plan(_ request: OpeningRequest, _ detail: MigrationPlan.Detail) throws
    -> MigrationPlan?
  {
    try driver.plan(request, detail)
  }

  /// Opens the store, or makes a new one.
  package func open(_ schema: StoreSchema) throws -> any PersistentStore {
    try open(OpeningRequest(schema))
  }

  /// Opens the store, or makes a new one, as a request says.
  package func open(_ request: OpeningRequest) throws -> any PersistentStore {
    try driver.open(request)
  }
}

/// The driver of a configuration that was made with closures.
private struct ClosureDriver: StoreDriver {
  let name: String
  let opening: @Sendable (StoreSchema) throws -> any PersistentStore
  let inspecting: @Sendable () throws -> StoreDescription?

  func open(_ schema: StoreSchema) throws -> any PersistentStore { try opening(schema) }
  func inspect() throws -> StoreDescription? { try inspecting() }
}
