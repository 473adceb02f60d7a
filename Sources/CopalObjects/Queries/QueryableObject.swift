public import CopalModel

/// A class that was generated for an entity. Typed fetches need the entity's name and its attributes.
///
/// Generated classes conform to it.
public protocol QueryableObject: ManagedObject {
  /// A type with one ``QueryAttribute``, ``RequiredQueryAttribute`` or ``QueryTransformable`` for each stored
  /// attribute.
  associatedtype Properties: Sendable
  /// The name of the entity.
  static var entityName: String { get }
  /// The attributes for typed queries.
  static var properties: Properties { get }
}

extension QueryableObject {
  /// A request for every object of the class.
  ///
  /// ```swift
  /// let request = ColorLibrary.fetchRequest().filter { $0.name != nil }
  /// ```
  public static func fetchRequest() -> FetchRequest<Self> {
    FetchRequest(entityName: entityName)
  }
}

extension FetchRequest where Object: QueryableObject {
  /// The request with one more condition. Its objects must meet both conditions.
  ///
  /// ```swift
  /// Pigment.fetchRequest().filter { $0.price < 20 && $0.name != "Lead white" }
  /// ```
  public func filter(_ condition: (Object.Properties) -> FetchPredicate) -> Self {
    var request = self
    let added = condition(Object.properties)
    request.predicate = predicate.map { $0 && added } ?? added
    return request
  }

  /// The request with another order: the given keys, the most significant key first.
  ///
  /// ```swift
  /// Pigment.fetchRequest().sorted(by: \.price.descending, \.name.ascending)
  /// ```
  public func sorted(by keys: KeyPath<Object.Properties, FetchSortKey>...) -> Self {
    var request = self
    request.sortKeys = keys.map { Object.properties[keyPath: $0] }
    return request
  }

  /// The request for a part of its result.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of objects.
  ///   - offset: the number of objects to leave out at the start.
  public func limited(to limit: Int, offset: Int = 0) -> Self {
    var request = self
    request.limit = limit
    request.offset = offset
    return request
  }
}
