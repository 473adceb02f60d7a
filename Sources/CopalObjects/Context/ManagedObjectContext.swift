public import CopalModel
import CopalStore

/// A workplace for objects: it fetches them, tracks what is done to them, and saves it as one.
///
/// A container makes contexts. Each belongs to one isolation, the main actor's or a task's, and the
/// compiler keeps it and its objects there; ids and values travel between them.
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
/// others until nobody else holds them, for a while.
public final class ManagedObjectContext {
  let core: ContextCore
  let state: ContextState

  init(_ container: ContainerRuntime) {
    state = ContextState(container)
    core = ContextCore(state)
    core.handle = self
  }

  deinit { core.close() }

  /// The model of the context's container.
  public var model: ManagedObjectModel { state.container.schema.model }

  /// Told of every value that could not be read by a property that does not throw, in place of the
  /// container's handler; nil, the default, leaves it to that.
  ///
  /// Use it for logging and for refusing to go on; the error names entity, attribute and object. It is
  /// called once for each object and attribute until the object is refreshed.
  public var readFailureHandler: ((PersistenceError) -> Void)? {
    get { state.readFailureHandler }
    set { state.readFailureHandler = newValue }
  }

  // MARK: Changes

  /// Whether the next save has anything to do: an object is new, changed, in its transients too, or
  /// deleted.
  public var hasChanges: Bool { state.hasChanges }

  /// The objects that the next save inserts.
  public var insertedObjects: Set<ManagedObject> {
    Set(state.changed.objects.filter { $0.isInserted && !$0.isDeleted })
  }

  /// The objects that have been changed since they were read or saved.
  public var updatedObjects: Set<ManagedObject> { Set(state.changed.objects.filter(\.isUpdated)) }

  /// The objects that the next save deletes.
  public var deletedObjects: Set<ManagedObject> {
    Set(state.changed.objects.filter { $0.flags.contains(.deleted) && !$0.flags.contains(.gone) })
  }

  /// The objects that the context has at the moment, and that somebody holds or that have changes.
  public var registeredObjects: Set<ManagedObject> {
    state.sweep()
    var objects: Set<ManagedObject> = []
    for map in state.maps { map.forEach { objects.insert($0) } }
    return objects.union(insertedObjects)
  }

  // MARK: Readings

  /// Runs the body with one view of the store: everything in it sees the same committed state, and
  /// reading many objects by key or fault costs less.
  ///
  /// Readings nest. A save inside ends the view; what is read after it sees the store as it is then.
  /// Keep it short: while it is open, the store's log cannot be tidied.
  public func readTransaction<R>(_ body: () throws -> R) throws -> R {
    try state.beginReadTransaction()
    defer { state.endReadTransaction() }
    return try body()
  }
}

@available(
  *, unavailable,
  message: "a context stays in its isolation; use container.perform or makeContext()"
)
extension ManagedObjectContext: Sendable {}
