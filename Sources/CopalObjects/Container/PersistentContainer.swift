public import CopalModel
public import CopalStore
public import Foundation

/// An opened store together with its model and classes: where contexts come from.
///
/// ```swift
/// let container = try PersistentContainer(name: "Colors", model: .colors)  // SQLite; import Copal
/// let scratch = try PersistentContainer(model: .colors, store: .inMemory)
/// ```
///
/// Opening is the moment of truth: the model is read, every transformer is found, the generated classes
/// are compared with the model, and the store is opened or created. Whatever does not fit is thrown
/// here, before anything is written.
///
/// Sendable: keep one for the life of the program and share it.
public final class PersistentContainer: Sendable {
  let runtime: ContainerRuntime
  private let executor: ContextExecutor
  /// What the store is: its path, or "in memory".
  public let storeName: String

  @MainActor private var mainContext: ManagedObjectContext?

  /// Opens a container.
  ///
  /// - Parameters:
  ///   - model: the model and its classes, such as the generated `.colors`.
  ///   - store: what kind of store, and where.
  ///   - transformers: transformers for this container alone, under their own names or those given with
  ///     ``AttributeTransformer/named(_:)``; they win over those registered for the process.
  /// - Throws: ``ModelError``; ``PersistenceError`` with a code of `container.…`, `transformer.…` or
  ///   `store.…`.
  public init(
    model: ModelBinding, store configuration: StoreConfiguration,
    transformers: [any AttributeTransformer] = []
  ) throws {
    storeName = configuration.name
    let described = try model.model
    try ModelSupport.check(described)
    let resolution = TransformerResolution(own: try Self.registry(of: transformers))
    var problems =
      LayoutCheck.problems(model.entities, against: described)
      + ClassCheck.problems(model.entities)
    let schema = StoreSchema(resolution.resolve(described, &problems))
    problems += ValueTypeCheck.problems(model.entities, described, resolution)
    if !problems.isEmpty { throw PersistenceError.combining(problems, as: .multipleProblems) }
    let store = try configuration.open(schema)
    try SchemaCheck.check(store.schema, against: schema)
    executor = ContextExecutor(width: store.maximumBackgroundThreadCount)
    runtime = ContainerRuntime(
      store, schema,
      bindings: Dictionary(
        model.entities.map { ($0.entityName, $0) },
        uniquingKeysWith: { first, _ in first }),
      transformers: resolution)
  }

  /// Opens a container without blocking the caller's thread.
  ///
  /// - Throws: as the initializer.
  public static func open(
    model: ModelBinding, store: StoreConfiguration,
    transformers: [any AttributeTransformer] = []
  ) async throws -> PersistentContainer {
    try await ContextExecutor(width: 1).run {
      try PersistentContainer(model: model, store: store, transformers: transformers)
    }
  }

  private static func registry(of transformers: [any AttributeTransformer]) throws
    -> TransformerRegistry
  {
    let registry = TransformerRegistry()
    func register<T: AttributeTransformer>(_ transformer: T) throws {
      try registry.register(transformer)
    }
    for transformer in transformers { try register(transformer) }
    return registry
  }

  /// The model.
  public var model: ManagedObjectModel { runtime.schema.model }

  /// The identity of the store's contents.
  public var storeIdentifier: UUID { runtime.store.identifier }

  /// The store itself, for what only its kind can do.
  public var store: any PersistentStore { runtime.store }

  /// The main actor's context: for what a user interface shows.
  @MainActor public var viewContext: ManagedObjectContext {
    if let mainContext { return mainContext }
    let made = ManagedObjectContext(runtime)
    mainContext = made
    return made
  }

  /// A new context for the caller's isolation: an actor's, a request's, a test's.
  public func makeContext() -> sending ManagedObjectContext { ManagedObjectContext(runtime) }

  /// Runs work with a context of its own in the background, and gives back its result.
  ///
  /// ```swift
  /// let count = try await container.perform { context in
  ///   for name in names { ColorLibrary(context: context).name = name }
  ///   try context.save()
  ///   return names.count
  /// }
  /// ```
  ///
  /// The body runs on a thread of the container, so that waiting for a lock blocks no task of the
  /// program's. Until its first save it sees one state of the store. Objects cannot leave it; return
  /// values and ids. Changes that it does not save are lost.
  ///
  /// There are as many threads as the store asks for (`PersistentStore.maximumBackgroundThreadCount`), made when they
  /// are needed; further work waits for one, in the order of the calls. So the body of one `perform` must
  /// not wait for that of another.
  public func perform<R>(
    _ body: sending @escaping (ManagedObjectContext) throws -> sending R
  ) async throws -> sending R {
    let runtime = runtime
    return try await executor.run {
      let context = ManagedObjectContext(runtime)
      try context.state.beginReadTransaction()
      defer { context.state.endReadTransaction() }
      return try body(context)
    }
  }

  /// A serial executor for an actor that has a context of its own: it then waits for the store on threads
  /// of the container, and not on those that all tasks of the program share.
  ///
  /// Make one for each actor, and keep it in the actor; ``ContextSerialExecutor`` shows how. The threads are
  /// those of ``perform(_:)``.
  public func makeSerialExecutor() -> ContextSerialExecutor { executor.makeSerialExecutor() }

  /// Told of every value that could not be read by a property that does not throw, in any context that has
  /// no handler of its own.
  ///
  /// Without one, which is the default, a line with the entity, attribute and object and with what is wrong is
  /// written to standard error; a stored value is never in it. Set one to log elsewhere:
  ///
  /// ```swift
  /// container.readFailureHandler = { error in logger.warning("\(error)") }
  /// ```
  ///
  /// It is called on the thread that reads, once for each object and attribute until the object is refreshed.
  /// It may be set at any time, and concerns the contexts that there are, too.
  public var readFailureHandler: (@Sendable (PersistenceError) -> Void)? {
    get { runtime.readFailureHandler.withLock { $0 } }
    set { runtime.readFailureHandler.withLock { $0 = newValue } }
  }
}
