public import CopalModel

/// A transformable attribute in a typed query, of whose values the store keeps projections. They
/// are compared and sorted as attributes are; the value itself is compared with nil only.
///
/// ```swift
/// let light = try context.fetch(Paint.self, sortedBy: \.color.lightness.descending) {
///   $0.color.lightness > 0.7
/// }
/// ```
///
/// Generated code has a member for each projection that the model lists in `"project"`. A
/// projection is nil where the attribute has no value, and where the value has none: gray has no
/// hue.
public struct QueryProjections<Names>: Sendable {
  // Underscored, so that no member hides the name of a projection.
  @usableFromInline let _name: String
  private let _scope: QueryScope

  /// For generated code: the transformable attribute of that name, of the objects of a scope.
  public init(_ name: String, _ scope: QueryScope) { (_name, _scope) = (name, scope) }

  /// For generated code: the projection of that name.
  public func _projection<V: ValueConvertible>(_ name: String) -> QueryAttribute<V> {
    QueryAttribute("\(_name).\(name)", _scope)
  }

  /// Whether the attribute has no value.
  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a._scope.expression(.property(a._name)), .equal, .constant(.null))
  }
  /// Whether the attribute has a value.
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a._scope.expression(.property(a._name)), .notEqual, .constant(.null))
  }
}

/// A transformable attribute of a subentity in a typed query, of whose values the store keeps
/// projections: `$0.as(Poster.self).color.lightness`. All of them are nil for an object that is not
/// of the subentity.
@dynamicMemberLookup
public struct QuerySubentityProjections<Names>: Sendable {
  private let entity: String
  private let name: String
  private let scope: QueryScope

  init(_ entity: String, _ name: String, _ scope: QueryScope) {
    (self.entity, self.name, self.scope) = (entity, name, scope)
  }

  private func expression(_ name: String) -> FetchExpression {
    scope.expression(.subentityProperty(entity: entity, property: name))
  }

  /// A projection.
  public subscript<V: ValueConvertible>(
    dynamicMember member: KeyPath<QueryProjections<Names>, QueryAttribute<V>>
  ) -> QueryPathAttribute<V> {
    QueryPathAttribute(expression(QueryProjections<Names>(name, scope)[keyPath: member]._name))
  }

  /// Whether the attribute has no value. True for an object that is not of the subentity.
  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.expression(a.name), .equal, .constant(.null))
  }
  /// Whether the attribute has a value.
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.expression(a.name), .notEqual, .constant(.null))
  }
}
