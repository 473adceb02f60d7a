public import CopalModel

/// What to fetch: values of the objects of an entity, or aggregates of them, without the objects.
///
/// ```swift
/// var request = ValueRequest(entityName: "Pigment", columns: [
///   .init("maker", .property("maker.name")), .init("average", .average(of: .property("price"))),
/// ])
/// request.having = .comparison(.objectCount, .greater, .constant(2))
/// let rows = try context.fetchValues(request)      // [[PropertyValue]]
/// ```
///
/// If a column, the condition on groups or the order has an aggregate, the objects are grouped by
/// the columns that have none, and the result has a row for each group.
/// `context.fetchValues(Pigment.self) { ($0.maker.name, $0.price.average) }` is the typed form.
public struct ValueRequest: Sendable, Hashable {
  /// The name of the entity.
  public var entityName: String
  /// The columns of the result, each with a name for dictionaries and for `Decodable` types.
  public var columns: [Column]
  /// The condition on objects; nil for every object of the entity.
  public var predicate: FetchPredicate?
  /// The condition on groups: it compares columns and aggregates. Nil for all groups.
  public var having: FetchPredicate?
  /// The order, the most significant key first. Without one, groups are in the order of their
  /// columns, nil first, and other rows in the order of the insertion of their objects.
  public var sortKeys: [SortKey] = []
  /// The greatest number of rows; nil means no limit.
  public var limit: Int?
  /// The number of rows to leave out at the start.
  public var offset = 0
  /// Whether equal rows are in the result once. Default: false.
  public var isDistinct = false
  /// Whether the objects of subentities are found as well. Default: true.
  public var includesSubentities = true
  /// Whether unsaved changes of the context count. Default: true. When there are some, the store
  /// returns the values of all objects, and they are grouped in memory.
  public var includesPendingChanges = true

  /// A column of the result.
  public struct Column: Sendable, Hashable {
    /// The name of the column.
    public var name: String
    /// The value.
    public var expression: FetchExpression

    /// A column with a name and a value.
    public init(_ name: String, _ expression: FetchExpression) {
      (self.name, self.expression) = (name, expression)
    }
  }

  /// One key of the order.
  public struct SortKey: Sendable, Hashable {
    /// The value: of a request with groups, a column or an aggregate.
    public var expression: FetchExpression
    /// Whether the least value comes first.
    public var isAscending: Bool
    /// How texts are ordered.
    public var textOrder = FetchSortKey.TextOrder.bytes
    /// Where nil comes. By default, nil, first in ascending order and last in descending order.
    public var nilOrder: FetchSortKey.NilOrder?

    /// Orders by a value.
    public init(_ expression: FetchExpression, isAscending: Bool = true) {
      (self.expression, self.isAscending) = (expression, isAscending)
    }
  }

  /// A request for columns.
  public init(
    entityName: String, columns: [Column], predicate: FetchPredicate? = nil
  ) {
    (self.entityName, self.columns, self.predicate) = (entityName, columns, predicate)
  }
}

extension FetchExpression {
  /// In a ``ValueRequest``, the number of objects.
  public static var objectCount: FetchExpression {
    .aggregate(.count, FetchCollection(.object), of: nil)
  }

  /// In a ``ValueRequest``, an aggregate of a value of the objects: `.aggregate(.sum, of:
  /// .property("price"))`.
  public static func aggregate(_ aggregate: FetchAggregate, of value: FetchExpression)
    -> FetchExpression
  {
    .aggregate(aggregate, FetchCollection(.object), of: value)
  }

  /// In a ``ValueRequest``, the average of a value of the objects.
  public static func average(of value: FetchExpression) -> FetchExpression {
    .aggregate(.average, of: value)
  }

  /// In a ``ValueRequest``, the sum of a value of the objects.
  public static func sum(of value: FetchExpression) -> FetchExpression {
    .aggregate(.sum, of: value)
  }

  /// In a ``ValueRequest``, the least value of the objects.
  public static func min(of value: FetchExpression) -> FetchExpression {
    .aggregate(.min, of: value)
  }

  /// In a ``ValueRequest``, the greatest value of the objects.
  public static func max(of value: FetchExpression) -> FetchExpression {
    .aggregate(.max, of: value)
  }
}
