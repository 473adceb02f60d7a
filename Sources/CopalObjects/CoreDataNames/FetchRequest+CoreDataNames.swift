public import CopalModel
public import CopalStore

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

  /// Core Data's relationships whose objects are read together with those of the result.
  @available(
    *, unavailable, renamed: "prefetchedPaths",
    message: "or write prefetching(_:), such as prefetching(\\.paintings)"
  )
  public var relationshipKeyPathsForPrefetching: [String]? {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's choice of what a fetch gives.
  @available(
    *, unavailable,
    message:
      "in place of fetch(_:), call context.fetchIDs(_:) or count(_:) with the request, or fetchValues for dictionaries"
  )
  public var resultType: Any {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's choice of properties.
  @available(
    *, unavailable, message: "call context.fetchValues, for the values of some properties"
  )
  public var propertiesToFetch: [Any]? {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's groups.
  @available(
    *, unavailable,
    message: "call context.fetchValues: the columns beside an aggregate are the groups"
  )
  public var propertiesToGroupBy: [Any]? {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's condition for groups.
  @available(*, unavailable, message: "call context.fetchValues with having:")
  public var havingPredicate: FetchPredicate? {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Core Data's result without equal rows.
  @available(*, unavailable, message: "call context.fetchValues with isDistinct: true")
  public var returnsDistinctResults: Bool {
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

extension FetchPredicate {
  /// Core Data's condition that every object meets, or none.
  @available(*, unavailable, message: "use FetchPredicate.true or FetchPredicate.false")
  public init(value: Bool) { misuse("unavailable") }

  /// Core Data's conditions that are combined.
  @available(*, unavailable, message: "use .and(_:), or && between conditions")
  public init(andPredicateWithSubpredicates subpredicates: [FetchPredicate]) {
    misuse("unavailable")
  }

  /// Core Data's conditions that are combined.
  @available(*, unavailable, message: "use .or(_:), or || between conditions")
  public init(orPredicateWithSubpredicates subpredicates: [FetchPredicate]) {
    misuse("unavailable")
  }

  /// Core Data's opposite of a condition.
  @available(*, unavailable, message: "use .not(_:), or ! before the condition")
  public init(notPredicateWithSubpredicate predicate: FetchPredicate) { misuse("unavailable") }
}
