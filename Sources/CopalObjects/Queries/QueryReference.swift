public import CopalModel

/// A to-one relationship in a typed query: it is compared with objects.
///
/// ```swift
/// let works = try context.fetch(Work.self) { $0.artist == vermeer || $0.artist == nil }
/// ```
///
/// An object is compared by its id. An object of another store equals none. A new object, which has not been saved, is
/// only found in the objects that this context has not saved either.
public struct QueryReference<Destination: ManagedObject>: Sendable {
  private let name: String

  /// The relationship of that name. Generated code makes it.
  public init(_ name: String) { self.name = name }

  /// Whether the relationship has the object; for nil, whether it has none.
  public static func == (a: Self, b: Destination?) -> FetchPredicate { a == b?.objectID }

  /// Whether the relationship does not have the object; for nil, whether it has one.
  public static func != (a: Self, b: Destination?) -> FetchPredicate { a != b?.objectID }

  /// Whether the relationship has the object of an id; for nil, whether it has none.
  public static func == (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(.property(a.name), .equal, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the relationship does not have the object of an id; for nil, whether it has one.
  public static func != (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(.property(a.name), .notEqual, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the relationship has one of the objects.
  public func isIn(_ objects: some Sequence<Destination>) -> FetchPredicate {
    .isIn(.property(name), objects.map { .object($0.objectID) })
  }
}
