public import CopalModel
public import CopalStore

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
    message:
      "to insert an object, use the initializer of its class, as in Painting(context: context), or context.insert(\"Painting\")"
  )
  public typealias NSEntityDescription = EntityDescription

  /// What Core Data's requests return. A request has the class of its objects.
  @available(*, unavailable, renamed: "ManagedObject")
  public typealias NSFetchRequestResult = ManagedObject

  // Foundation has the next names on every platform. A program that imports it has Foundation's:
  // the compiler prefers a type that is available.

  /// Foundation's condition.
  @available(
    *, unavailable, renamed: "FetchPredicate",
    message:
      "write a closure, such as { $0.price < 20 }, or a text: try FetchPredicate(format: \"price < 20\")"
  )
  public typealias NSPredicate = FetchPredicate

  /// Foundation's combination of conditions.
  @available(
    *, unavailable, renamed: "FetchPredicate",
    message: "write &&, || and ! between conditions, or .and(_:), .or(_:) and .not(_:)"
  )
  public typealias NSCompoundPredicate = FetchPredicate

  /// Foundation's order.
  @available(
    *, unavailable, renamed: "FetchSortKey",
    message: "write sortedBy: \\.name.ascending, or FetchSortKey(\"name\")"
  )
  public typealias NSSortDescriptor = FetchSortKey

  /// Foundation's list of objects.
  @available(
    *, unavailable, renamed: "OrderedToMany",
    message: "an ordered relationship is an OrderedToMany of its class, such as OrderedToMany<Step>"
  )
  public typealias NSOrderedSet = OrderedToMany<ManagedObject>

  /// Foundation's set of objects.
  @available(
    *, unavailable, renamed: "ToMany",
    message: "a to-many relationship is a ToMany of its class, such as ToMany<Painting>"
  )
  public typealias NSSet = ToMany<ManagedObject>

  /// Core Data's batch of new rows.
  @available(*, unavailable, message: "use context.insertAll(_:)")
  public struct NSBatchInsertRequest {
    /// With an object for each row.
    public init(entityName: String, managedObjectHandler: (ManagedObject) -> Bool) {}
    /// With the values of the rows.
    public init(entityName: String, objects: [[String: Any]]) {}
  }

  /// Core Data's batch of changes.
  @available(*, unavailable, message: "use context.updateAll(_:)")
  public struct NSBatchUpdateRequest {
    /// For an entity.
    public init(entityName: String) {}
    /// The new values.
    public var propertiesToUpdate: [AnyHashable: Any]?
    /// The condition of the objects.
    public var predicate: Any?
  }

  /// Core Data's batch of deletions.
  @available(*, unavailable, message: "use context.deleteAll(_:)")
  public struct NSBatchDeleteRequest {
    /// For the objects of a request.
    public init(fetchRequest: Any) {}
    /// For the objects of ids.
    public init(objectIDs: [ManagedObjectID]) {}
  }

  /// Core Data's name for ``MergePolicy/error``.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(*, unavailable, renamed: "MergePolicy.error")
  public let NSErrorMergePolicy = MergePolicy.error
  /// Core Data's name for ``MergePolicy/mergeByPropertyStoreTrump``.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyStoreTrump")
  public let NSMergeByPropertyStoreTrumpMergePolicy = MergePolicy.mergeByPropertyStoreTrump
  /// Core Data's name for ``MergePolicy/mergeByPropertyObjectTrump``.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyObjectTrump")
  public let NSMergeByPropertyObjectTrumpMergePolicy = MergePolicy.mergeByPropertyObjectTrump
  /// Core Data's name for ``MergePolicy/overwrite``.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(*, unavailable, renamed: "MergePolicy.overwrite")
  public let NSOverwriteMergePolicy = MergePolicy.overwrite
  /// Core Data's name for ``MergePolicy/rollback``.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(*, unavailable, renamed: "MergePolicy.rollback")
  public let NSRollbackMergePolicy = MergePolicy.rollback

  /// Foundation's transformer, which Foundation has on Apple's platforms only.
  @available(
    *, unavailable,
    message:
      "conform to AttributeTransformer, or put a ValueTransforming into a ValueTransformerAdapter"
  )
  public class ValueTransformer {}

  /// Core Data's transformer of keyed archives.
  @available(
    *, unavailable,
    message:
      "conform to AttributeTransformer, or put a ValueTransforming into a ValueTransformerAdapter"
  )
  public class NSSecureUnarchiveFromDataTransformer {}
#endif
