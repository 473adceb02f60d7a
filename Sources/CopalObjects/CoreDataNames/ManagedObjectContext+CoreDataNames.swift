public import CopalModel

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
}
