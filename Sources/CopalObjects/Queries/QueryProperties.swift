public import CopalModel
public import CopalStore

extension QueryableObject {
  /// The attributes that conditions and orders can name.
  public typealias Properties = QueryProperties<Self>

  /// The attributes, for typed queries.
  @inlinable
  public static var properties: QueryProperties<Self> { QueryProperties() }

  /// A request for every object of the class.
  ///
  /// ```swift
  /// let request = ColorLibrary.fetchRequest().filter { $0.name != nil }
  /// ```
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest() }
}

/// The attributes of a class in typed queries: `$0` of a condition.
///
/// Generated code extends it with a ``QueryAttribute``, ``RequiredQueryAttribute`` or
/// ``QueryTransformable`` for each stored attribute. A subclass has the attributes of its
/// superclass too.
@frozen
public struct QueryProperties<Object: ManagedObject>: Sendable {
  /// Whose properties these are.
  // Underscored, so that it hides no name of an attribute.
  public let _copalScope: QueryScope

  /// The attributes of the class, of the objects that are fetched.
  @inlinable
  public init() { _copalScope = QueryScope() }

  /// The attributes of the class, of the objects of a scope.
  @inlinable
  init(_ scope: QueryScope) { _copalScope = scope }
}

extension FetchRequest where Object: QueryableObject {
  /// The request with one more condition. Its objects must meet both conditions.
  ///
  /// ```swift
  /// Pigment.fetchRequest().filter { $0.price < 20 && $0.name != "Lead white" }
  /// ```
  public func filter(_ condition: (QueryProperties<Object>) -> any FetchCondition) -> Self {
    var request = self
    let added = condition(QueryProperties())._predicate
    request.predicate = predicate.map { $0 && added } ?? added
    return request
  }

  /// The request with another order: the given keys, the most significant key first.
  ///
  /// ```swift
  /// Pigment.fetchRequest().sorted(by: \.price.descending, \.name.ascending)
  /// ```
  public func sorted(by keys: KeyPath<QueryProperties<Object>, FetchSortKey>...) -> Self {
    var request = self
    let properties = QueryProperties<Object>()
    request.sortKeys = keys.map { properties[keyPath: $0] }
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
