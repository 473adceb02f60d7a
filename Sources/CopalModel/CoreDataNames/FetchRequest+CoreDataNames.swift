// What a person who comes from Core Data types first. None of it compiles; the compiler's error
// names what to write instead. What a later version will have under Core Data's name is not here.

extension FetchRequest {
  /// Core Data's name for ``limit``.
  @available(
    *, unavailable, renamed: "limit", message: "nil is no limit, and 0 fetches nothing"
  )
  public var fetchLimit: Int {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's name for ``offset``.
  @available(*, unavailable, renamed: "offset")
  public var fetchOffset: Int {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's name for ``sortKeys``.
  @available(
    *, unavailable, renamed: "sortKeys",
    message: "or write sorted(by:), such as sorted(by: \\.name.ascending)"
  )
  public var sortDescriptors: [Any]? {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's size of the parts of a result that is read as it is used. Here another call
  /// makes such a result.
  @available(
    *, unavailable,
    message:
      "call context.fetchBatches(_:size:) for a result that is read in batches; or set returnsObjectsAsFaults and faultBatchSize"
  )
  public var fetchBatchSize: Int {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's opposite of ``returnsObjectsAsFaults``.
  @available(*, unavailable, message: "write returnsObjectsAsFaults = true instead of false here")
  public var includesPropertyValues: Bool {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's name for ``refreshesObjects``.
  @available(*, unavailable, renamed: "refreshesObjects")
  public var shouldRefreshRefetchedObjects: Bool {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's call for a request without a context.
  @available(*, unavailable, message: "a context executes a request: context.fetch(request)")
  public func execute() throws -> [Object] { misuse("unavailable") }
}

extension FetchSortKey {
  /// Core Data's form of ``init(_:isAscending:)``.
  @available(*, unavailable, renamed: "init(_:isAscending:)")
  public init(key: String, ascending: Bool) { misuse("unavailable") }
}
