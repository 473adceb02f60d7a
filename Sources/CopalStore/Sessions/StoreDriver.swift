public import CopalEssentials
public import CopalModel

/// A kind of store with its location: it opens the store, and describes it without opening it.
///
/// Authors of stores implement it, and make a ``StoreConfiguration`` with it. A container calls
/// `open(_:)`; programs and tools call ``StoreConfiguration/inspect()``.
public protocol StoreDriver: Sendable {
  /// What the store is, for messages: a path or "in memory".
  var name: String { get }

  /// Opens the store with the schema of a container's model, and makes the store when it does not
  /// exist. A container calls it once and throws what it throws.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…`, before anything is written if
  ///   possible.
  func open(_ schema: StoreSchema) throws -> any PersistentStore

  /// Opens the store as a request says. A container calls it once and throws what it throws.
  ///
  /// Default: calls `open(_:)` with the schema of the request, which is right for a store that is
  /// never migrated.
  func open(_ request: OpeningRequest) throws -> any PersistentStore

  /// What opening with a request would do with a store that has an older model. It changes nothing,
  /// makes no store, and takes no lock for writing.
  ///
  /// Default: nil, which is right for a store that is never migrated.
  ///
  /// - Returns: nil when there is nothing to do, and when there is no store.
  /// - Throws: ``PersistenceError`` with the code that `open(_:)` throws. What refuses the
  ///   migration is in the plan.
  func plan(_ request: OpeningRequest, _ detail: MigrationPlan.Detail) throws -> MigrationPlan?

  /// Describes the store without opening it. It changes nothing, makes no store, and does not
  /// refuse a store because of its model.
  ///
  /// - Returns: nil when there is no store yet, and for a store that does not keep its contents.
  /// - Throws: ``PersistenceError`` with the code that `open(_:)` throws, when there is something
  ///   else than a readable store.
  func inspect() throws -> StoreDescription?

  /// Deletes the store with everything that belongs to it. Default: nothing, which is right for a
  /// store that does not keep its contents.
  ///
  /// - Throws: `store.inUse` while somebody has the store open, and others. Then nothing is
  ///   changed.
  func destroy() throws

  /// Gives the store the contents of another one. Default: throws `store.noFile`.
  func replace(with other: any StoreDriver) throws

  /// Moves the store to the place of a driver. Default: throws `store.noFile`.
  func move(to other: any StoreDriver) throws
}

extension StoreDriver {
  /// Opens the store with the schema of the request.
  public func open(_ request: OpeningRequest) throws -> any PersistentStore {
    try open(request.schema)
  }

  /// Nothing.
  public func destroy() throws {}

  /// Throws `store.noFile`.
  public func replace(with other: any StoreDriver) throws {
    throw PersistenceError(.noFile, path: name)
  }

  /// Throws `store.noFile`.
  public func move(to other: any StoreDriver) throws {
    throw PersistenceError(.noFile, path: name)
  }

  /// Nil: a store that is never migrated.
  public func plan(_ request: OpeningRequest, _ detail: MigrationPlan.Detail) throws
    -> MigrationPlan?
  { nil }
}

/// What a store says about itself before it is opened: the result of
/// ``StoreConfiguration/inspect()``.
public struct StoreDescription: Sendable {
  /// The identifier of the store's contents. It is the same each time the store is opened.
  public let identifier: UUID
  /// The model that the store was written with: entities, attributes with their types, unique
  /// constraints and indexes. A SQL store leaves out what does not concern its tables: classes,
  /// rules, defaults and transformers.
  public let model: ManagedObjectModel
  /// The hash of everything in the model that affects the store's tables and indexes. Two models
  /// with the same hash need no migration from one to the other.
  public let schemaHash: String
  /// What programs keep in the store beside their objects, by names.
  public let metadata: [String: MetadataValue]

  /// A description with the hash that was stored together with the model.
  public init(
    identifier: UUID, model: ManagedObjectModel, schemaHash: String,
    metadata: [String: MetadataValue] = [:]
  ) {
    self.metadata = metadata
    self.identifier = identifier
    self.model = model
    self.schemaHash = schemaHash
  }

  /// A description of a store with a schema.
  public init(identifier: UUID, schema: StoreSchema) {
    self.init(identifier: identifier, model: schema.model, schemaHash: schema.hash.text)
  }
}
