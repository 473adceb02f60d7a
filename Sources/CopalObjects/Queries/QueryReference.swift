public import CopalModel

/// A to-one relationship in a typed query: it is compared with objects, or a condition goes on to
/// the properties of its object.
///
/// ```swift
/// let works = try context.fetch(Work.self) { $0.artist == vermeer || $0.artist == nil }
/// let others = try context.fetch(Work.self) { $0.artist.name.hasPrefix("V") }
/// ```
///
/// The properties of the object are nil where there is no object: they differ from every value, and
/// are neither less nor greater than any. Unsaved changes of the object count.
///
/// An object is compared by its id. An object of another store equals none. A new object, which has
/// not been saved, is only found in the objects that this context has not saved either.
@dynamicMemberLookup
public struct QueryReference<Destination: ManagedObject>: QueryRelationship {
  /// The name of the relationship, or the names of a path.
  public let _path: String

  private let scope: QueryScope

  /// For generated code: the relationship of that name, of the objects of a scope.
  public init(_ path: String, _ scope: QueryScope) { (_path, self.scope) = (path, scope) }

  private func path(_ name: String) -> FetchExpression {
    scope.expression(.property("\(_path).\(name)"))
  }

  var expression: FetchExpression { scope.expression(.property(_path)) }

  /// A relationship of the object at the other end, as the next step of a path to prefetch.
  public subscript<Next: QueryRelationship>(
    dynamicMember next: KeyPath<QueryProperties<Destination>, Next>
  ) -> Next { Next("\(_path).\(QueryProperties<Destination>()[keyPath: next]._path)", scope) }

  /// An attribute of the object at the other end.
  public subscript<V: ValueConvertible>(
    dynamicMember member: KeyPath<QueryProperties<Destination>, QueryAttribute<V>>
  ) -> QueryPathAttribute<V> {
    QueryPathAttribute(path(QueryProperties<Destination>()[keyPath: member]._name))
  }

  /// A required attribute of the object at the other end. It is nil where there is no object.
  public subscript<V: ValueConvertible>(
    dynamicMember member: KeyPath<QueryProperties<Destination>, RequiredQueryAttribute<V>>
  ) -> QueryPathAttribute<V> {
    QueryPathAttribute(path(QueryProperties<Destination>()[keyPath: member]._name))
  }

  /// A transformable attribute of the object at the other end.
  public subscript(
    dynamicMember member: KeyPath<QueryProperties<Destination>, QueryTransformable>
  ) -> QueryTransformable {
    QueryTransformable(
      "\(_path).\(QueryProperties<Destination>()[keyPath: member]._name)", scope)
  }

  /// A transformable attribute of the object at the other end, whose store keeps projections.
  public subscript<Names>(
    dynamicMember member: KeyPath<QueryProperties<Destination>, QueryProjections<Names>>
  ) -> QueryProjections<Names> {
    QueryProjections("\(_path).\(QueryProperties<Destination>()[keyPath: member]._name)", scope)
  }

  /// Whether the relationship has no object.
  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.expression, .equal, .constant(.null))
  }

  /// Whether the relationship has an object.
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.expression, .notEqual, .constant(.null))
  }

  /// Whether the relationship has the object; for nil, whether it has none.
  public static func == (a: Self, b: Destination?) -> FetchPredicate { a == b?.objectID }

  /// Whether the relationship does not have the object; for nil, whether it has one.
  public static func != (a: Self, b: Destination?) -> FetchPredicate { a != b?.objectID }

  /// Whether the relationship has the object of an id; for nil, whether it has none.
  public static func == (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(a.expression, .equal, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the relationship does not have the object of an id; for nil, whether it has one.
  public static func != (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(a.expression, .notEqual, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the relationship has one of the objects.
  public func isIn(_ objects: some Sequence<Destination>) -> FetchPredicate {
    .isIn(expression, objects.map { .object($0.objectID) })
  }
}
