public import CopalModel

/// What to fetch: an entity, a condition, an order, and a part of the result.
///
/// `Object` is the class of the objects in the result. Generated classes make typed requests:
///
/// ```swift
/// var request = ColorLibrary.fetchRequest()
///   .filter { $0.name == "好看的颜色呀!^_^" }
///   .sorted(by: \.added.descending)
/// request.limit = 20
/// let libraries = try context.fetch(request)  // [ColorLibrary]
/// ```
///
/// A value: change it, copy it, keep it. Names are checked against the model when the request is
/// executed.
public struct FetchRequest<Object>: Sendable, Hashable {
  /// The type of the condition.
  public typealias Predicate = FetchPredicate
  /// The type of one key of the order.
  public typealias SortKey = FetchSortKey

  /// The name of the entity to fetch; nil for the entity of the class `Object`.
  public var entityName: String?
  /// The condition; nil fetches every object of the entity.
  public var predicate: FetchPredicate?
  /// The order, the most significant key first. Objects that are equal in all keys come in the
  /// order of their insertion.
  public var sortKeys: [FetchSortKey]
  /// The greatest number of objects in the result; nil means no limit. A negative number makes the
  /// fetch throw `request.invalidLimit`.
  public var limit: Int?
  /// The number of objects to leave out at the start. A negative number makes the fetch throw
  /// `request.invalidLimit`.
  public var offset: Int
  /// Whether the fetch reads only ids. Each object is then a fault until one of its values is read.
  /// Default: false, the fetch reads the values.
  ///
  /// Use it when a program looks at few objects of a large result. The first read of a fault also
  /// reads the values of the faults next to it in the result, in one statement.
  public var returnsObjectsAsFaults: Bool
  /// The number of faults whose values one statement reads. Default: 100.
  public var faultBatchSize: Int
  /// Whether objects that the context already has take the values that the store has now; Core Data
  /// calls it `shouldRefreshRefetchedObjects`. Default: false, they keep the values that they were
  /// read with.
  ///
  /// Objects with unsaved changes always keep their values; use `refresh(_:mergeChanges:)` for
  /// them. With `returnsObjectsAsFaults`, objects without changes become faults again. `count` and
  /// `fetchIDs` ignore it. To-many relationships that were read before are not read again;
  /// `refreshAllObjects()` does this.
  public var refreshesObjects: Bool
  /// Whether the objects of subentities are found as well. Default: true.
  public var includesSubentities: Bool

  /// Whether unsaved changes of the context count: whether they alter which objects are found, and
  /// in which order. Default: true.
  ///
  /// Without them, the store alone decides: new objects are not found, deleted ones are, and
  /// changed ones by their saved values. The objects keep their unsaved values.
  public var includesPendingChanges = true

  /// The relationships whose objects are read together with those of the result, as paths: names
  /// with points between them, such as `"paintings.museum"`. Each step of a path is one statement,
  /// for up to 30,000 objects. `count` and `fetchIDs` ignore it. `prefetching(_:)` makes typed
  /// paths.
  ///
  /// A name that is no relationship makes the fetch throw `request.unknownProperty`.
  public var prefetchedPaths: [String] = []

  /// A request for the objects of an entity. With a generated class, `fetchRequest()` makes it,
  /// without a name.
  ///
  /// ```swift
  /// let request = FetchRequest<ManagedObject>(entityName: "Pigment", limit: 20)
  /// ```
  @inlinable
  public init(
    entityName: String? = nil, predicate: FetchPredicate? = nil, sortKeys: [FetchSortKey] = [],
    limit: Int? = nil, offset: Int = 0, returnsObjectsAsFaults: Bool = false,
    faultBatchSize: Int = 100, refreshesObjects: Bool = false,
    includesSubentities: Bool = true
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortKeys = sortKeys
    self.limit = limit
    self.offset = offset
    self.returnsObjectsAsFaults = returnsObjectsAsFaults
    self.faultBatchSize = faultBatchSize
    self.refreshesObjects = refreshesObjects
    self.includesSubentities = includesSubentities
  }
}
