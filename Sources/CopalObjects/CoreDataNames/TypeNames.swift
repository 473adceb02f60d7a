public import CopalModel

// The names of Core Data's classes, where Core Data itself is not there. None of them compiles; the
// compiler's error names what to write instead.
#if !canImport(Darwin)
  /// Core Data's name for ``ManagedObject``.
  @available(*, unavailable, renamed: "ManagedObject")
  public typealias NSManagedObject = ManagedObject

  /// Core Data's name for ``ManagedObjectContext``.
  @available(*, unavailable, renamed: "ManagedObjectContext")
  public typealias NSManagedObjectContext = ManagedObjectContext

  /// Core Data's name for ``ManagedObjectID``.
  @available(*, unavailable, renamed: "ManagedObjectID")
  public typealias NSManagedObjectID = ManagedObjectID

  /// Core Data's name for ``FetchRequest``.
  @available(*, unavailable, renamed: "FetchRequest")
  public typealias NSFetchRequest<Object> = FetchRequest<Object>

  /// Core Data's name for ``PersistentContainer``.
  @available(*, unavailable, renamed: "PersistentContainer")
  public typealias NSPersistentContainer = PersistentContainer

  /// Core Data's name for ``FetchedResultsController``.
  @available(*, unavailable, renamed: "FetchedResultsController")
  public typealias NSFetchedResultsController<Object: ManagedObject> = FetchedResultsController<
    Object
  >

  /// Core Data's name for ``MergePolicy``.
  @available(*, unavailable, renamed: "MergePolicy")
  public typealias NSMergePolicy = MergePolicy

  /// Core Data's description of an entity, and its function that inserts an object.
  @available(
    *, unavailable, renamed: "EntityDescription",
    message: "to insert an object, write Pigment(context: context), or context.insert(\"Pigment\")"
  )
  public typealias NSEntityDescription = EntityDescription

  /// Core Data's batches.
  @available(*, unavailable, message: "use context.insertAll(_:)")
  public typealias NSBatchInsertRequest = Never
  /// Core Data's batches.
  @available(*, unavailable, message: "use context.updateAll(_:)")
  public typealias NSBatchUpdateRequest = Never
  /// Core Data's batches.
  @available(*, unavailable, message: "use context.deleteAll(_:)")
  public typealias NSBatchDeleteRequest = Never
#endif
