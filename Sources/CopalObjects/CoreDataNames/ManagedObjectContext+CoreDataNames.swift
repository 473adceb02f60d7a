import CopalModel
public import CopalStore

// Core Data's and SwiftData's names on a context. None of it compiles; the compiler's error names
// what to write instead. What a later version will have under Core Data's name is not here.

extension ManagedObjectContext {
  /// A context without a container. Here a container makes contexts.
  @available(
    *, unavailable, message: "a container makes contexts; use makeContext(), or viewContext"
  )
  public convenience init() { misuse("unavailable") }

  /// Core Data's way onto the queue of a context. Here a context has no queue.
  @available(
    *, unavailable,
    message:
      "a context has no queue; run the code where the context is, or use container.perform(_:) for work in the background"
  )
  public func perform<R>(_ body: () throws -> R) rethrows -> R { misuse("unavailable") }

  /// Core Data's way onto the queue of a context. Here a context has no queue.
  @available(
    *, unavailable, message: "a context has no queue; run the code where the context is"
  )
  public func performAndWait<R>(_ body: () throws -> R) rethrows -> R { misuse("unavailable") }

  /// SwiftData's way to insert an object.
  @available(
    *, unavailable,
    message: "an object is inserted when it is made, such as Pigment(context: context)"
  )
  public func insert(_ object: ManagedObject) { misuse("unavailable") }

  /// Core Data's name for `count(_:)`.
  @available(*, unavailable, renamed: "count(_:)")
  public func count<T: ManagedObject>(for request: FetchRequest<T>) throws -> Int {
    misuse("unavailable")
  }

  /// Core Data's name for ``automaticallyMergesChanges``.
  @available(*, unavailable, renamed: "automaticallyMergesChanges")
  public var automaticallyMergesChangesFromParent: Bool {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's undo.
  @available(
    *, unavailable,
    message: "there is no undo; rollback() takes back every change since the last save"
  )
  public var undoManager: Never? {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's coordinator of several stores. Here a container has one store.
  @available(
    *, unavailable,
    message:
      "a container has one store; use its model, metadata, store and storeIdentifier, and StoreConfiguration for the file"
  )
  public var persistentStoreCoordinator: Never? { misuse("unavailable") }

  /// Core Data's permanent ids before a save.
  @available(
    *, unavailable,
    message:
      "an object gets its permanent id in its first save, and a temporary id leads to it then; save, and read objectID"
  )
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws { misuse("unavailable") }

  /// Core Data's call for batches and other requests.
  @available(
    *, unavailable,
    message:
      "use insertAll(_:), updateAll(_:), upsertAll(_:) or deleteAll(_:) for batches, and fetch(_:) for a fetch request"
  )
  @discardableResult
  public func execute(_ request: Any) throws -> Any { misuse("unavailable") }

  /// Core Data's merge of what a notification says. Here a context takes what was saved.
  @available(
    *, unavailable,
    message: "use mergeChanges(), or mergeChanges(from:) for changes of another program"
  )
  public func mergeChanges(fromContextDidSave notification: Any) { misuse("unavailable") }
}
