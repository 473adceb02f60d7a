public import CopalModel

/// A to-one relationship in a typed query: it is compared with objects.
///
/// ```swift
/// let works = try context.fetch(Work.self) { $0.artist == vermeer || $0.artist == nil }
/// ```
///
/// An object is compared by its id. An object of another store equals none. A new object, which has not been saved, is
/// only found in the objects that this context has not saved either.
@dynamicMemberLookup
public struct QueryReference<Destination: ManagedObject>: QueryRelationship {
  /// The name of the relationship, or the names of a path.
  public let _path: String

  /// For generated code: the relationship of that name.
  public init(_ path: String) { _path = path }

  /// A relationship of the object at the other end, as the next step of a path to prefetch.
  public subscript<Next: QueryRelationship>(
    dynamicMember next: KeyPath<QueryProperties<Destination>, Next>
  ) -> Next { Next("\(_path).\(QueryProperties<Destination>()[keyPath: next]._path)") }

  /// Whether the relationship has the object; for nil, whether it has none.
  public static func == (a: Self, b: Destination?) -> FetchPredicate { a == b?.objectID }

  /// Whether the relationship does not have the object; for nil, whether it has one.
  public static func != (a: Self, b: Destination?) -> FetchPredicate { a != b?.objectID }

  /// Whether the relationship has the object of an id; for nil, whether it has none.
  public static func == (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(.property(a._path), .equal, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the relationship does not have the object of an id; for nil, whether it has one.
  public static func != (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(.property(a._path), .notEqual, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the relationship has one of the objects.
  public func isIn(_ objects: some Sequence<Destination>) -> FetchPredicate {
    .isIn(.property(_path), objects.map { .object($0.objectID) })
  }
}
