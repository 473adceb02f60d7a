public import CopalEssentials
public import CopalModel
public import CopalStore

/// An open store together with its model and its classes. It makes the contexts.
///
/// ```swift
/// let container = try PersistentContainer(name: "Colors", model: .colors)  // SQLite; import Copal
/// let scratch = try PersistentContainer(model: .colors, store: .inMemory)
/// ```
///
/// Opening checks everything: the container reads the model, finds every transformer, compares the
/// generated classes with the model, and opens or creates the store. It throws when something does
/// not match, before it writes anything.
///
/// Sendable: make one when the program starts and share it.
public final class PersistentContainer: Sendable {
  let runtime: ContainerRuntime
  private let executor: ContextExecutor
  /// The path of the store's file, or "in memory".
  public let storeName: String

  /// What the container found when it opened that is allowed, and is unsafe or probably a mistake.
  /// Their codes are `transformer.notSecure` and `transformer.readOnlyRequired`; ``WarningPolicy``
  /// says what happens with them.
  public let warnings: [PersistenceError]

  @MainActor private var mainContext: ManagedObjectContext?

  /// Opens a container. It blocks the calling thread meanwhile;
  /// ``open(model:store:transformers:warnings:migration:)`` does not.
  ///
  /// - Parameters:
  ///   - model: the model and its classes, for example the generated `.colors`.
  ///   - store: the kind of store and its location.
  ///   - transformers: transformers for this container only, under their own names or those given
  ///     with ``AttributeTransformer/named(_:)``. The container uses them instead of registered
  ///     ones with the same names.
  ///   - warnings: what to do with warnings. Default: each is one line on standard error.
  ///   - migration: what to do with a store that has an older model. Default: it is migrated.
  /// - Throws: ``ModelError`` when the embedded model cannot be read; ``PersistenceError`` with a
  ///   code of `container.…`, `transformer.…` or `store.…`. Several problems are the `causes`
  ///   of one error.
  public convenience init(
    model: ModelBinding, store configuration: StoreConfiguration,
    transformers: [any AttributeTransformer] = [], warnings policy: WarningPolicy = .print,
    migration: StoreMigration = .automatic
  ) throws {
    try self.init(
      CheckedContainer(model, transformers, policy), configuration, migration, isCanceled: nil)
    printWarnings(policy)
  }

  private func printWarnings(_ policy: WarningPolicy) {
    if policy != .print { return }
    for warning in warnings { StandardError.write("Copal: warning: \(warning.logLine)") }
  }

  private init(
    _ checked: CheckedContainer, _ configuration: StoreConfiguration, _ migration: StoreMigration,
    isCanceled: (@Sendable () -> Bool)?
  ) throws {
    storeName = configuration.name
    warnings = checked.warnings
    let request = migration.request(checked.schema, isCanceled: isCanceled)
    let store = try configuration.open(request)
    try SchemaCheck.check(store.schema, against: checked.schema)
    executor = ContextExecutor(width: store.maximumBackgroundThreadCount)
    runtime = ContainerRuntime(
      store, checked.schema, bindings: checked.bindings, transformers: checked.transformers)
    let runtime = runtime
    checked.projections?.report(to: { [weak runtime] in runtime?.report($0, nil) })
  }

  /// Opens a store for a tool, which has no classes of the program, and perhaps not its
  /// transformers. A transformable without its transformer has a ``StoredForm`` as its value.
  package convenience init(
    tool model: ManagedObjectModel, store configuration: StoreConfiguration,
    transformers: [any AttributeTransformer], migration: StoreMigration = .never
  ) throws {
    try self.init(
      CheckedContainer(tool: model, transformers), configuration, migration, isCanceled: nil)
  }

  /// Opens a container on a background thread. Use it where the calling thread must not wait.
  ///
  /// When the task is canceled during a migration, the store is as it was.
  ///
  /// - Parameters: as for ``init(model:store:transformers:warnings:migration:)``.
  /// - Throws: as ``init(model:store:transformers:warnings:migration:)``; `store.interrupted` when
  ///   the task is canceled during a migration.
  public static func open(
    model: ModelBinding, store: StoreConfiguration,
    transformers: [any AttributeTransformer] = [], warnings: WarningPolicy = .print,
    migration: StoreMigration = .automatic
  ) async throws -> PersistentContainer {
    try await DetachedWork.run { isCanceled in
      let container = try PersistentContainer(
        CheckedContainer(model, transformers, warnings), store, migration, isCanceled: isCanceled)
      container.printWarnings(warnings)
      return container
    }
  }

  /// The model of the container.
  public var model: ManagedObjectModel { runtime.schema.model }

  /// The identifier of the store's contents. It is the same each time the store is opened.
  public var storeIdentifier: UUID { runtime.store.identifier }

  /// The store itself, for functions that only its type has.
  public var store: any PersistentStore { runtime.store }

  /// The context of the main actor, for the user interface. It is made at the first use and always
  /// the same. It takes what others save, between two jobs of the main actor:
  /// ``ManagedObjectContext/automaticallyMergesChanges``.
  @MainActor public var viewContext: ManagedObjectContext {
    if let mainContext { return mainContext }
    let made = makeViewContext()
    mainContext = made
    return made
  }

  /// Makes another context of the main actor, for example for a window or an editor. Like
  /// ``viewContext``, it takes what others save, between two jobs of the main actor. The compiler
  /// keeps it there.
  @MainActor public func makeViewContext() -> ManagedObjectContext {
    let made = ManagedObjectContext(runtime, isOfMainActor: true)
    made.automaticallyMergesChanges = true
    runtime.mainContexts.add(made)
    return made
  }

  /// Makes a context for the isolation of the caller, for example for an actor, a request or a
  /// test.
  public func makeContext() -> sending ManagedObjectContext { ManagedObjectContext(runtime) }

  /// Runs work on a background thread with a new context, and returns its result.
  ///
  /// ```swift
  /// let count = try await container.perform { context in
  ///   for name in names { ColorLibrary(context: context).name = name }
  ///   try context.save()
  ///   return names.count
  /// }
  /// ```
  ///
  /// The body runs on a thread of the container, so that waiting for the store blocks none of
  /// Swift's task threads. Until its first save, it sees one state of the store. Objects cannot
  /// leave it: return values and ids. Changes that the body does not save are lost.
  ///
  /// The number of threads is at most `PersistentStore.maximumBackgroundThreadCount`. They are made
  /// when they are needed. More work waits for a free thread, in the order of the calls. So the
  /// body of one `perform` must not wait for the body of another one.
  ///
  /// It returns in the isolation of the caller. On the main actor, ``viewContext`` has merged what
  /// the body has saved when it returns, also when the body throws after a save.
  ///
  /// When the task is canceled, the body runs to its end, unless `endsWhenCanceled` is true. Then
  /// the statement that runs ends, also while it waits for the lock of another writer, and every
  /// later call of the context throws `CancellationError`. A property that needs the store is nil,
  /// or zero, false or empty, and `readFailureHandler` gets the error `store.canceled`. A commit
  /// whose last step has begun ends, and what was saved before stays saved. Code that does not use
  /// the store is not ended: ask `Task.isCancelled` there.
  ///
  /// ```swift
  /// try await container.perform(endsWhenCanceled: true) { context in
  ///   try context.fetch(Pigment.self, where: { $0.name.contains(text) }).map(\.name)
  /// }
  /// ```
  ///
  /// - Parameter endsWhenCanceled: whether the calls of the context end when the task is canceled.
  /// - Throws: what the body throws, and what prevents reading the store; `CancellationError` for a
  ///   task that was canceled before the body began, if `endsWhenCanceled` is true.
  public func perform<R>(
    isolation: isolated (any Actor)? = #isolation, endsWhenCanceled: Bool = false,
    _ body: sending @escaping (ManagedObjectContext) throws -> sending R
  ) async throws -> sending R {
    let runtime = runtime
    let cancellation = endsWhenCanceled ? Cancellation() : nil
    do {
      let result = try await executor.run(until: cancellation) {
        let context = ManagedObjectContext(runtime)
        context.state.session.cancellation = cancellation
        try cancellation?.check()
        try context.state.session.beginPerform()
        defer { context.state.session.endPerform() }
        return try body(context)
      }
      await runtime.endTurn(of: isolation)
      return result
    } catch {
      await runtime.endTurn(of: isolation)
      throw error
    }
  }

  /// The ``ManagedObjectContext/mergePolicy`` of the contexts that are made from now on, also of
  /// those of ``perform(isolation:_:)``. Default: ``MergePolicy/error``.
  public var defaultMergePolicy: MergePolicy {
    get { runtime.mergePolicy.withLock { $0 } }
    set { runtime.mergePolicy.withLock { $0 = newValue } }
  }

  /// Runs work that needs no context on a background thread.
  func onBackgroundThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws
    -> R
  {
    try await executor.run { try body() }
  }

  /// Makes a serial executor for an actor that has its own context. The actor then runs on threads
  /// of the container, and its waiting for the store does not block the threads that Swift's tasks
  /// share.
  ///
  /// Make one for each actor, and keep it in the actor: ``ContextSerialExecutor`` has an example.
  /// The threads are the same as for ``perform(_:)``.
  public func makeSerialExecutor() -> ContextSerialExecutor { executor.makeSerialExecutor() }

  /// The handler for values that a property cannot read. A property does not throw: it returns nil
  /// or zero, and the handler is called with the error.
  ///
  /// It is also called for an object that was changed although no save will write the change: the
  /// object is deleted, or its context has ended (`object.changeLost`).
  ///
  /// It serves every context that has no ``ManagedObjectContext/readFailureHandler``. Without a
  /// handler, which is the default, one line is written to standard error, with the entity, the
  /// attribute, the object and the problem. The line contains no stored value. Set a handler to log
  /// in another way:
  ///
  /// ```swift
  /// container.readFailureHandler = { error in logger.warning("\(error)") }
  /// ```
  ///
  /// The handler is called on the thread that reads, once for each object and attribute until the
  /// object is refreshed. It can be set at any time, from any thread, and also serves existing
  /// contexts.
  public var readFailureHandler: (@Sendable (PersistenceError) -> Void)? {
    get { runtime.readFailureHandler.withLock { $0 } }
    set { runtime.readFailureHandler.withLock { $0 = newValue } }
  }
}

/// What a container does with the warnings that it finds when it opens.
///
/// A warning is about something that is allowed, and is unsafe or probably a mistake: a transformer
/// that is not secure (`transformer.notSecure`), or a required attribute that cannot be written
/// (`transformer.readOnlyRequired`). ``PersistentContainer/warnings`` has all of them.
public enum WarningPolicy: Sendable, Hashable {
  /// Each warning is one line on standard error. This is the default.
  case print
  /// Nothing is written.
  case ignore
  /// Each warning is an error, so that the container does not open. Use it in tests and on servers.
  case fail
}
