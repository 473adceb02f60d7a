public import CopalModel

/// The object itself in a typed query, compared by its id.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.objectID != pigment.objectID && $0.price < 20 }
/// ```
///
/// An id of another entity or of another store equals no object. A temporary id equals the object
/// that has it; the context that has saved the object still finds it by that id.
public struct QueryObject: Sendable {
  private let scope: QueryScope

  init(_ scope: QueryScope) { self.scope = scope }

  var expression: FetchExpression { scope.expression(.object) }

  /// Whether the object has the id. No object has nil as its id.
  public static func == (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(a.expression, .equal, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the object does not have the id.
  public static func != (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparison(a.expression, .notEqual, .constant(b.map(PropertyValue.object) ?? .null))
  }

  /// Whether the object has one of the ids.
  public func isIn(_ ids: some Sequence<ManagedObjectID>) -> FetchPredicate {
    .isIn(expression, ids.map(PropertyValue.object))
  }

  /// An order by ids, which does not exist.
  @available(
    *, unavailable,
    message: "leave it out: without an order, objects come in that of their insertion"
  )
  public var ascending: FetchSortKey { misuse("unavailable") }

  /// An order by ids, which does not exist.
  @available(*, unavailable, message: "sort by an attribute, such as the date of the insertion")
  public var descending: FetchSortKey { misuse("unavailable") }
}

extension QueryProperties {
  /// The object itself, compared by its id.
  public var objectID: QueryObject { QueryObject(_copalScope) }
}
