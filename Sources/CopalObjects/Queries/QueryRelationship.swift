import CopalModel
public import CopalStore

/// A relationship in a typed query: ``QueryReference`` or ``QueryToMany``.
public protocol QueryRelationship: Sendable {
  /// The class of the objects at the other end.
  associatedtype Destination: ManagedObject
  /// The name of the relationship, or the names of a path with points between them.
  // Underscored, so that no member hides the name of a relationship.
  var _path: String { get }
  /// For generated code: the relationship of that name, of the objects of a scope.
  init(_ path: String, _ scope: QueryScope)
}

extension FetchRequest where Object: QueryableObject {
  /// The request with relationships whose objects are read together with the objects of the result:
  /// one statement for each step of a path, for up to 30,000 objects.
  ///
  /// ```swift
  /// let request = Painter.fetchRequest().prefetching(\.paintings, \.paintings.museum)
  /// for painter in try context.fetch(request) {        // 3 statements in all
  ///   for painting in painter.paintings { print(painting.title, painting.museum?.name ?? "") }
  /// }
  /// ```
  ///
  /// Without it, what is missing is read at the first access, for a hundred objects at a time.
  public func prefetching<each Relationship: QueryRelationship>(
    _ paths: repeat KeyPath<QueryProperties<Object>, each Relationship>
  ) -> Self {
    var request = self
    let properties = QueryProperties<Object>()
    repeat request.prefetchedPaths.append(properties[keyPath: each paths]._path)
    return request
  }
}
