public import CopalModel

/// A to-many relationship in a typed query: a condition asks for its objects, and a request
/// prefetches them.
///
/// ```swift
/// try context.fetch(Painter.self) { $0.pigments.contains { $0.price > 20 && $0.name.hasPrefix("Ultra") } }
/// try context.fetch(Painter.self) { $0.pigments.count > 3 || $0.pigments.isEmpty }
/// try context.fetch(Painter.self) { $0.pigments.sum { $0.price } > 100 }
/// ```
///
/// Inside a closure, the properties of the object around it can be used as well. Unsaved changes of
/// the objects count.
@dynamicMemberLookup
public struct QueryToMany<Destination: ManagedObject>: QueryRelationship, QueryObjects {
  /// The name of the relationship, or the names of a path.
  public let _path: String
  private let scope: QueryScope

  /// For generated code: the relationship of that name, of the objects of a scope.
  public init(_ path: String, _ scope: QueryScope) { (_path, self.scope) = (path, scope) }

  /// A relationship of the objects at the other end, as the next step of a path to prefetch.
  public subscript<Next: QueryRelationship>(
    dynamicMember next: KeyPath<QueryProperties<Destination>, Next>
  ) -> Next { Next("\(_path).\(QueryProperties<Destination>()[keyPath: next]._path)", scope) }

  /// The objects in a condition.
  public var _collection: FetchCollection {
    FetchCollection(scope.expression(.property(_path)))
  }
}

/// The objects of a to-many relationship that meet a condition, in a typed query:
/// `$0.pigments.filter { $0.price > 20 }.count`.
public struct QueryMembers<Destination: ManagedObject>: QueryObjects {
  /// The objects in a condition.
  public let _collection: FetchCollection

  init(_ collection: FetchCollection) { _collection = collection }

  init(_ relationship: FetchExpression) { _collection = FetchCollection(relationship) }
}

/// What a condition can ask of several objects: ``QueryToMany`` or ``QueryMembers``.
public protocol QueryObjects<Destination>: Sendable {
  /// The class of the objects.
  associatedtype Destination: ManagedObject
  /// The objects in a condition.
  // Underscored, so that no member hides the name of a relationship.
  var _collection: FetchCollection { get }
}

extension QueryObjects {
  /// Whether there is no object.
  public var isEmpty: FetchPredicate { .not(.exists(_collection)) }

  /// The number of objects.
  public var count: QueryValue<Int> { QueryValue(.aggregate(.count, _collection, of: nil)) }

  /// Whether an object meets a condition.
  ///
  /// ```swift
  /// try context.fetch(Painter.self) { painter in painter.pigments.contains { $0.price > painter.budget } }
  /// ```
  public func contains(where condition: (QueryProperties<Destination>) -> any FetchCondition)
    -> FetchPredicate
  {
    .exists(filter(condition)._collection)
  }

  /// Whether every object meets a condition. True where there is no object.
  public func allSatisfy(_ condition: (QueryProperties<Destination>) -> any FetchCondition)
    -> FetchPredicate
  {
    .not(.exists(filter { !condition($0)._predicate }._collection))
  }

  /// The objects that meet a condition.
  public func filter(_ condition: (QueryProperties<Destination>) -> any FetchCondition)
    -> QueryMembers<Destination>
  {
    let added = CollectionClosure.condition(condition)
    var collection = _collection.inClosure
    collection.condition = collection.condition.map { $0 && added } ?? added
    return QueryMembers(collection)
  }

  /// Whether an object is one of them. An object that has not been saved is only found in the
  /// relationships of this context.
  public func contains(_ object: Destination) -> FetchPredicate { contains(object.objectID) }

  /// Whether the object of an id is one of them.
  public func contains(_ id: ManagedObjectID) -> FetchPredicate {
    let isObject = FetchPredicate.comparison(.object, .equal, .constant(.object(id)))
    var collection = _collection
    collection.condition = collection.condition.map { $0 && isObject } ?? isObject
    return .exists(collection)
  }

  /// The sum of a value of the objects: zero for none. A nil is left out. It is exact for integers
  /// and decimals, and nil for a sum that the type cannot have.
  public func sum<Value: QueryNumber>(
    _ value: (QueryProperties<Destination>) -> some QueryExpression<Value>
  ) -> QueryValue<Value> {
    QueryValue(.aggregate(.sum, _collection.inClosure, of: CollectionClosure.expression(value)))
  }

  /// The least value of the objects; nil where there is none.
  public func min<Value: Comparable>(
    _ value: (QueryProperties<Destination>) -> some QueryExpression<Value>
  ) -> QueryValue<Value> {
    QueryValue(.aggregate(.min, _collection.inClosure, of: CollectionClosure.expression(value)))
  }

  /// The greatest value of the objects; nil where there is none.
  public func max<Value: Comparable>(
    _ value: (QueryProperties<Destination>) -> some QueryExpression<Value>
  ) -> QueryValue<Value> {
    QueryValue(.aggregate(.max, _collection.inClosure, of: CollectionClosure.expression(value)))
  }

  /// The average of a value of the objects; nil where there is none. A decimal for decimals, and a
  /// double for other numbers.
  public func average<Value: QueryNumber>(
    _ value: (QueryProperties<Destination>) -> some QueryExpression<Value>
  ) -> QueryValue<Value.QueryAverage> {
    QueryValue(.aggregate(.average, _collection.inClosure, of: CollectionClosure.expression(value)))
  }
}
