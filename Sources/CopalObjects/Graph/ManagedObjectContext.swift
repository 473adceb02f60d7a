public import CopalModel
public import CopalStore

/// A context fetches objects, tracks their changes, and saves all changes in one transaction.
///
/// A container makes contexts. Each context belongs to one isolation, for example the main actor or
/// a task. The compiler does not let it or its objects leave that isolation. Pass ids and values
/// between contexts.
///
/// ```swift
/// let context = container.makeContext()
/// let library = ColorLibrary(context: context)
/// library.name = "好看的颜色呀!^_^"
/// try context.save()
///
/// let found = try context.fetch(ColorLibrary.self) { $0.name == "好看的颜色呀!^_^" }
/// ```
///
/// A context has one instance for each object. It holds changed objects until they are saved, and
/// releases unchanged objects later, once you have.
public final class ManagedObjectContext {
  let core: ContextCore
  let state: ContextState

  /// - Parameter isOfMainActor: whether the container ends turns of the context, between the jobs
  ///   of the main actor.
  init(_ container: ContainerRuntime, isOfMainActor: Bool = false) {
    state = ContextState(container, isOfMainActor: isOfMainActor)
    core = ContextCore(state)
    core.handle = self
  }

  deinit { core.close() }

  /// The model of the context's container.
  public var model: ManagedObjectModel { state.container.schema.model }

  /// The handler for values that a property of this context's objects cannot read. A property does
  /// not throw: it returns nil or zero, and the handler is called with the error.
  ///
  /// It is also called for an object that was changed although no save will write the change,
  /// because the object is deleted (`object.changeLost`).
  ///
  /// It is called instead of ``PersistentContainer/readFailureHandler``. Nil, the default, uses the
  /// handler of the container. Use it for logging, or to stop working with damaged data. The error
  /// has the entity, the attribute and the object. The handler is called once for each object and
  /// attribute until the object is refreshed.
  public var readFailureHandler: ((PersistenceError) -> Void)? {
    get { state.readFailureHandler }
    set { state.readFailureHandler = newValue }
  }

  /// Who makes the changes of this context, for example the name of an import. Each save passes it
  /// to the store, which may keep it. Copal's own stores do not keep it yet.
  public var transactionAuthor: String? {
    get { state.author }
    set { state.author = newValue }
  }

  /// The name of the context, for example `"import"`. Those who merge its saves, or read
  /// ``PersistentContainer/saves``, get it.
  public var name: String? {
    get { state.name }
    set { state.name = newValue }
  }

  /// What a save does where others have changed what it writes. Default: that of the container,
  /// ``PersistentContainer/defaultMergePolicy``.
  public var mergePolicy: MergePolicy {
    get { state.mergePolicy }
    set { state.mergePolicy = newValue }
  }

  // MARK: Changes

  /// Whether the next save has work to do: at least one object is new, changed or deleted, or a
  /// value of ``metadata`` is. A change of a transient attribute counts.
  public var hasChanges: Bool { state.hasChanges }

  /// The objects that the next save inserts. Each call makes a new set.
  public var insertedObjects: Set<ManagedObject> {
    Set(state.changed.objects.filter { $0.isInserted && !$0.isDeleted })
  }

  /// The objects that have been changed since they were read or saved, without new and deleted
  /// ones.
  public var updatedObjects: Set<ManagedObject> { Set(state.changed.objects.filter(\.isUpdated)) }

  // MARK: Read transactions

  /// Runs the body in a read transaction: all its fetches and faults see the same committed state
  /// of the store. Reading many objects by id or by fault also costs less.
  ///
  /// ```swift
  /// try context.readTransaction {
  ///   for id in ids { print(try context.existingObject(with: id)) }
  /// }
  /// ```
  ///
  /// The state is that of the first read in the body, not of its beginning. Read transactions nest.
  /// After a save in the body, reads see the state after the save. Keep it short: while it is open,
  /// SQLite's write-ahead log grows.
  ///
  /// - Throws: what the body throws, and what prevents reading the store.
  public func readTransaction<R>(_ body: () throws -> R) throws -> R {
    try state.session.beginReadTransaction()
    defer { state.session.endReadTransaction() }
    return try body()
  }
}

@available(
  *, unavailable,
  message: "a context stays in its isolation; use container.perform or makeContext()"
)
extension ManagedObjectContext: Sendable {}

extension ManagedObjectContext {
  /// Runs a call that reads an object. Where the property of an object would give a
  /// `PersistenceError` of a canceled task to the handler, the call throws `CancellationError`.
  func throwingCancellation<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as PersistenceError where error.code == .canceled {
      throw CancellationError()
    }
  }
}
