/// What to fetch: an entity, a condition, an order, a part of the result.
///
/// `Object` is the class of what comes back; generated classes make one typed:
///
/// ```swift
/// var request = ColorLibrary.fetchRequest()
///   .filter { $0.name == "好看的颜色呀!^_^" }
///   .sorted(by: \.added.descending)
/// request.limit = 20
/// let libraries = try context.fetch(request)  // [ColorLibrary]
/// ```
///
/// A value: change it, copy it, keep it. Names are checked against the model when it is executed.
public struct FetchRequest<Object>: Sendable, Hashable {
  public typealias Predicate = FetchPredicate
  public typealias SortKey = FetchSortKey

  public var entityName: String
  /// The condition; `nil` fetches every object of the entity.
  public var predicate: FetchPredicate?
  /// The order; objects that are equal in all keys come in the order of their insertion.
  public var sortKeys: [FetchSortKey]
  /// The greatest number of objects; `nil` means all.
  public var limit: Int?
  /// The number of objects to leave out at the start.
  public var offset: Int
  /// Whether only ids are read, so that each object is a fault until one of its values is read.
  ///
  /// One statement then serves a batch of neighbors of the same result. Useful where few of many
  /// objects are looked at. Default: false, the values come with the fetch.
  public var returnsObjectsAsFaults: Bool
  /// How many faults of the result one statement serves. Default: 100.
  public var faultBatchSize: Int
  /// Whether objects that the context has already take the values that the store has now; Core Data calls
  /// it `shouldRefreshRefetchedObjects`. Default: false: they keep the values that they were read with.
  ///
  /// Objects with unsaved changes keep theirs either way; `refresh(_:mergeChanges:)` is for those. With
  /// `returnsObjectsAsFaults`, objects without changes become faults again. `count` and `fetchIDs` ignore it.
  public var refreshesObjects: Bool

  @inlinable
  public init(
    entityName: String, predicate: FetchPredicate? = nil, sortKeys: [FetchSortKey] = [],
    limit: Int? = nil, offset: Int = 0, returnsObjectsAsFaults: Bool = false,
    faultBatchSize: Int = 100, refreshesObjects: Bool = false
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortKeys = sortKeys
    self.limit = limit
    self.offset = offset
    self.returnsObjectsAsFaults = returnsObjectsAsFaults
    self.faultBatchSize = faultBatchSize
    self.refreshesObjects = refreshesObjects
  }
}

/// One key of a fetch's order: an attribute and a direction. `nil` sorts before every value.
public struct FetchSortKey: Sendable, Hashable {
  public var attribute: String
  public var isAscending: Bool

  public init(_ attribute: String, isAscending: Bool = true) {
    self.attribute = attribute
    self.isAscending = isAscending
  }

  public static func ascending(_ attribute: String) -> Self { Self(attribute) }
  public static func descending(_ attribute: String) -> Self {
    Self(attribute, isAscending: false)
  }
}
