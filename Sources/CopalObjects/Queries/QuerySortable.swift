public import CopalModel

/// What an order can follow in a typed query: an attribute, also over to-one relationships, or an
/// order of its texts.
public protocol QuerySortable: Sendable {
  /// Sorts by it, the least value first.
  var ascending: FetchSortKey { get }
  /// Sorts by it, the greatest value first.
  var descending: FetchSortKey { get }
}

extension QuerySortable {
  /// Sorts by it, in a direction that is known when the program runs.
  ///
  /// ```swift
  /// try context.fetch(Pigment.self, sortedBy: \.price[ascending: isCheapestFirst])
  /// ```
  // A subscript, because a key path cannot call a method.
  public subscript(ascending isAscending: Bool) -> FetchSortKey {
    isAscending ? ascending : descending
  }
}

extension QueryAttribute: QuerySortable {}
extension RequiredQueryAttribute: QuerySortable {}
extension QueryPathAttribute: QuerySortable {}
extension QueryTextOrder: QuerySortable {}

// MARK: Key paths in texts of conditions

extension PredicateArgument where Self: QuerySortable {
  /// The path, for `%K`: `FetchPredicate(format: "%K > %@", Pigment.properties.price, 12.5)`.
  public var formatArgument: FormatArgument { .keyPath(ascending.property) }
}

extension PredicateArgument where Self: QueryRelationship {
  /// The path, for `%K`.
  public var formatArgument: FormatArgument { .keyPath(_path) }
}

extension QueryAttribute: PredicateArgument {}
extension RequiredQueryAttribute: PredicateArgument {}
extension QueryPathAttribute: PredicateArgument {}
extension QueryReference: PredicateArgument {}
extension QueryToMany: PredicateArgument {}
