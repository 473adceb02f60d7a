public import CopalModel

/// The properties of a subentity in a typed query of an entity above it: what `$0.as(Book.self)`
/// returns.
///
/// ```swift
/// let long = try context.fetch(Item.self) { $0.as(Book.self).pages > 300 }
/// let others = try context.fetch(Item.self) { !$0.isKind(of: Book.self) }
/// ```
///
/// As with `(item as? Book)?.pages` in Swift, a property is nil for an object that is not one of
/// the subentity: it differs from every value, and is neither less nor greater than any. So
/// `$0.as(Book.self).pages != 300` is true for a magazine.
///
/// Generated code has `as(_:)` and `isKind(of:)` for each class that inherits from another one. For
/// an entity without a class, use ``FetchPredicate/isKind(_:)`` and
/// ``FetchExpression/subentityProperty(entity:property:)``.
@dynamicMemberLookup
public struct QuerySubentity<Object: ManagedObject>: Sendable {
  private let entity: String
  private let scope: QueryScope

  /// For generated code: the subentity of that name, of the objects of a scope.
  public init(_ entity: String, _ scope: QueryScope) { (self.entity, self.scope) = (entity, scope) }

  /// An attribute of the subentity.
  public subscript<V: ValueConvertible>(
    dynamicMember member: KeyPath<QueryProperties<Object>, QueryAttribute<V>>
  ) -> QueryPathAttribute<V> {
    QueryPathAttribute(expression(QueryProperties<Object>()[keyPath: member]._name))
  }

  /// A required attribute of the subentity. It is nil for other objects.
  public subscript<V: ValueConvertible>(
    dynamicMember member: KeyPath<QueryProperties<Object>, RequiredQueryAttribute<V>>
  ) -> QueryPathAttribute<V> {
    QueryPathAttribute(expression(QueryProperties<Object>()[keyPath: member]._name))
  }

  /// A transformable attribute of the subentity.
  public subscript(
    dynamicMember member: KeyPath<QueryProperties<Object>, QueryTransformable>
  ) -> QuerySubentityTransformable {
    QuerySubentityTransformable(expression(QueryProperties<Object>()[keyPath: member]._name))
  }

  /// A transformable attribute of the subentity, whose store keeps projections.
  public subscript<Names>(
    dynamicMember member: KeyPath<QueryProperties<Object>, QueryProjections<Names>>
  ) -> QuerySubentityProjections<Names> {
    QuerySubentityProjections(
      entity, QueryProperties<Object>()[keyPath: member]._name, scope)
  }

  /// A to-one relationship of the subentity.
  public subscript<Destination: ManagedObject>(
    dynamicMember member: KeyPath<QueryProperties<Object>, QueryReference<Destination>>
  ) -> QuerySubentityReference<Destination> {
    QuerySubentityReference(expression(QueryProperties<Object>()[keyPath: member]._path))
  }

  /// A to-many relationship of the subentity. It is empty for other objects.
  public subscript<Destination: ManagedObject>(
    dynamicMember member: KeyPath<QueryProperties<Object>, QueryToMany<Destination>>
  ) -> QueryMembers<Destination> {
    QueryMembers(expression(QueryProperties<Object>()[keyPath: member]._path))
  }

  private func expression(_ name: String) -> FetchExpression {
    scope.expression(.subentityProperty(entity: entity, property: name))
  }
}

/// An attribute of another object, or of a subentity, in a typed query: `$0.artist.name`,
/// `$0.as(Book.self).pages`. It is nil where that object does not exist, even if the attribute is
/// required.
///
/// It has the operators of ``QueryAttribute``. An attribute of the object of a to-one relationship
/// can be used for an order: `sortedBy: \.artist.name.ascending`.
public struct QueryPathAttribute<V: ValueConvertible>: Sendable {
  let expression: FetchExpression

  init(_ expression: FetchExpression) { self.expression = expression }

  /// Sorts by the attribute, the least value first. Objects without a related object have nil,
  /// which comes first.
  ///
  /// An attribute of a subentity cannot be used for an order: the fetch throws
  /// `request.unknownProperty`.
  public var ascending: FetchSortKey { .ascending(expression.sortPath) }
  /// Sorts by the attribute, the greatest value first. Nil comes last.
  public var descending: FetchSortKey { .descending(expression.sortPath) }

  /// Whether the attribute's value is one of the given values. False for an attribute without a
  /// value.
  public func isIn(_ values: some Sequence<V>) -> FetchPredicate {
    .isIn(expression, values.map { $0.value })
  }

  /// Whether the attribute's value is in a range, which includes both ends. False for an attribute
  /// without a value.
  public func isBetween(_ least: V, and greatest: V) -> FetchPredicate {
    self >= least && self <= greatest
  }

  /// Whether the attribute equals the value; with nil, whether it has no value.
  public static func == (a: Self, b: V?) -> FetchPredicate { a.compared(.equal, b) }
  /// Whether the attribute differs from the value; with nil, whether it has a value.
  public static func != (a: Self, b: V?) -> FetchPredicate { a.compared(.notEqual, b) }
  /// Whether the attribute is less than the value. False for an attribute without a value.
  public static func < (a: Self, b: V) -> FetchPredicate { a.compared(.less, b) }
  /// Whether the attribute is less than or equal to the value. False for an attribute without a
  /// value.
  public static func <= (a: Self, b: V) -> FetchPredicate { a.compared(.lessOrEqual, b) }
  /// Whether the attribute is greater than the value. False for an attribute without a value.
  public static func > (a: Self, b: V) -> FetchPredicate { a.compared(.greater, b) }
  /// Whether the attribute is greater than or equal to the value. False for an attribute without a
  /// value.
  public static func >= (a: Self, b: V) -> FetchPredicate { a.compared(.greaterOrEqual, b) }

  /// Whether two attributes are equal. Two attributes without a value are equal.
  public static func == (a: Self, b: Self) -> FetchPredicate { a.compared(.equal, to: b) }
  /// Whether two attributes differ. Two attributes without a value do not differ.
  public static func != (a: Self, b: Self) -> FetchPredicate { a.compared(.notEqual, to: b) }
  /// Whether the first attribute is less than the second one. False where one of them has no value.
  public static func < (a: Self, b: Self) -> FetchPredicate { a.compared(.less, to: b) }
  /// Whether the first attribute is less than or equal to the second one. False where one of them
  /// has no value.
  public static func <= (a: Self, b: Self) -> FetchPredicate { a.compared(.lessOrEqual, to: b) }
  /// Whether the first attribute is greater than the second one. False where one of them has no
  /// value.
  public static func > (a: Self, b: Self) -> FetchPredicate { a.compared(.greater, to: b) }
  /// Whether the first attribute is greater than or equal to the second one. False where one of
  /// them has no value.
  public static func >= (a: Self, b: Self) -> FetchPredicate { a.compared(.greaterOrEqual, to: b) }

  private func compared(_ comparison: FetchPredicate.Operator, _ value: V?) -> FetchPredicate {
    .comparison(expression, comparison, .constant(value.map { $0.value } ?? .null))
  }

  private func compared(_ comparison: FetchPredicate.Operator, to other: Self) -> FetchPredicate {
    .comparison(expression, comparison, other.expression)
  }
}

extension QueryPathAttribute where V == String {
  /// The order without case. ``FetchSortKey/TextOrder`` describes the orders.
  public var caseInsensitive: QueryTextOrder {
    QueryTextOrder(name: expression.sortPath, order: .caseInsensitive)
  }
  /// The order without case and diacritics.
  public var alphabetical: QueryTextOrder {
    QueryTextOrder(name: expression.sortPath, order: .alphabetical)
  }
  /// The order without case and diacritics, and with numbers by their values.
  public var natural: QueryTextOrder {
    QueryTextOrder(name: expression.sortPath, order: .natural)
  }
}

extension FetchExpression {
  /// The path of a sort key. Only paths of properties have one.
  fileprivate var sortPath: String {
    switch self {
    case .property(let path): path
    case .subentityProperty(let entity, let property): "\(entity).\(property)"
    default: ""
    }
  }
}

/// A transformable attribute of a subentity in a typed query. It can only be compared with nil.
public struct QuerySubentityTransformable: Sendable {
  private let expression: FetchExpression

  init(_ expression: FetchExpression) { self.expression = expression }

  /// Whether the attribute has no value. True for an object that is not of the subentity.
  public static func == (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.expression, .equal, .constant(.null))
  }

  /// Whether the attribute has a value.
  public static func != (a: Self, b: _OptionalNilComparisonType) -> FetchPredicate {
    .comparison(a.expression, .notEqual, .constant(.null))
  }
}

/// A to-one relationship of a subentity in a typed query: it is compared with objects. It has none
/// for an object that is not of the subentity.
public struct QuerySubentityReference<Destination: ManagedObject>: Sendable {
  private let expression: FetchExpression

  init(_ expression: FetchExpression) { self.expression = expression }

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
