public import CopalModel

extension FetchedResultsController {
  /// Core Data's initializer.
  @available(
    *, unavailable,
    message:
      "write try FetchedResultsController(request, sectionedBy: .value(of: \"name\"), in: context); there is no cache"
  )
  public convenience init(
    fetchRequest: FetchRequest<Object>, managedObjectContext context: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) { misuse("unavailable") }
}
