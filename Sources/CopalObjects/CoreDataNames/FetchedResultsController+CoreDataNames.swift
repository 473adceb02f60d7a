import CopalModel
public import CopalStore

extension FetchedResultsController {
  /// Core Data's initializer.
  @available(
    *, unavailable,
    message:
      "write try FetchedResultsController(request, sectionedBy: \\.maker.name, in: context); there is no cache"
  )
  public convenience init(
    fetchRequest: FetchRequest<Object>, managedObjectContext context: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) { misuse("unavailable") }

  /// Core Data's name for ``objects``.
  @available(*, unavailable, renamed: "objects")
  public var fetchedObjects: [Object]? { misuse("unavailable") }

  /// Core Data's object at a place.
  @available(
    *, unavailable, message: "write controller[ResultsPosition(section: section, item: item)]"
  )
  public func object(at indexPath: Any) -> Object { misuse("unavailable") }
}

extension ResultsSection {
  /// Core Data's name for ``count``.
  @available(*, unavailable, renamed: "count")
  public var numberOfObjects: Int { misuse("unavailable") }
}
