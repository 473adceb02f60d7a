public import CopalEssentials
public import CopalModel

// Core Data's names on a container. None of it compiles; the compiler's error names what to write
// instead.

extension PersistentContainer {
  /// A container without a model. Core Data finds the model by the name; here it is given.
  @available(
    *, unavailable,
    message: "give the generated model too, such as PersistentContainer(name: name, model: .colors)"
  )
  public convenience init(name: String) { misuse("unavailable") }

  /// Core Data's initializer with a model. Here a model comes with its classes.
  @available(
    *, unavailable,
    message: "give the generated model, such as PersistentContainer(name: name, model: .colors)"
  )
  public convenience init(name: String, managedObjectModel: ManagedObjectModel) {
    misuse("unavailable")
  }

  /// Core Data's step that opens the stores. Here the initializer opens the store.
  @available(
    *, unavailable,
    message: "remove the call: the initializer has opened the store, or has thrown why it could not"
  )
  public func loadPersistentStores(completionHandler: (Any, (any Error)?) -> Void) {
    misuse("unavailable")
  }

  /// Core Data's descriptions of the stores to open. Here the initializer takes the store.
  @available(
    *, unavailable,
    message: "give the store to the initializer, such as init(model: .colors, store: .inMemory)"
  )
  public var persistentStoreDescriptions: [Any] {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's coordinator of several stores. Here a container has one store.
  @available(*, unavailable, renamed: "store", message: "a container has one store")
  public var persistentStoreCoordinator: any Sendable { misuse("unavailable") }

  /// Core Data's name for ``model``.
  @available(*, unavailable, renamed: "model")
  public var managedObjectModel: ManagedObjectModel { misuse("unavailable") }

  /// Core Data's name for ``makeContext()``.
  @available(
    *, unavailable, renamed: "makeContext()",
    message: "or use perform(_:) for work in the background"
  )
  public func newBackgroundContext() -> ManagedObjectContext { misuse("unavailable") }

  /// Core Data's name for ``perform(_:)``.
  @available(
    *, unavailable, renamed: "perform(_:)",
    message: "it is async, and gives back what the body returns"
  )
  public func performBackgroundTask<R>(_ body: (ManagedObjectContext) throws -> R) -> R {
    misuse("unavailable")
  }

  /// Core Data's folder of the stores. Here each store has a folder of its own.
  @available(
    *, unavailable, message: "use SQLiteStore.defaultURL(named:), the file of a store by its name"
  )
  public static func defaultDirectoryURL() -> URL { misuse("unavailable") }
}
