public import CopalModel

/// A class generated for an entity: it knows its entity's name and its attributes.
///
/// Generated code conforms to it; that is what makes typed fetches possible.
public protocol QueryableObject: ManagedObject {
  /// The attributes that typed queries name.
  associatedtype Properties: Sendable
  static var entityName: String { get }
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
  /// The request with one more condition: both must hold.
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

  /// The request in the order of the given keys, the first one first.
  ///
  /// ```swift
  /// Pigment.fetchRequest().sorted(by: \.price.descending, \.name.ascending)
  /// ```
  public func sorted(by keys: KeyPath<Object.Properties, FetchSortKey>...) -> Self {
    var request = self
    request.sortKeys = keys.map { Object.properties[keyPath: $0] }
    return request
  }

  /// The request for at most this many objects, after leaving out some at the start.
  public func limited(to limit: Int, offset: Int = 0) -> Self {
    var request = self
    request.limit = limit
    request.offset = offset
    return request
  }
}
