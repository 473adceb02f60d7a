public import CopalModel

/// A query for values of objects, and for aggregates of them. ``PredicateBinder`` makes it of a
/// `ValueRequest`.
///
/// If there are aggregates, objects with equal ``keys`` are a group, and the result has a row for
/// each group. Without keys, all objects are one group, also when there are none. If there are no
/// aggregates, the result has a row for each object.
public struct ValueQuery: Sendable, Hashable {
  /// The objects, and the constants of all parts of the query. Without an order and a limit.
  public var objects: StoreQuery
  /// The values of objects.
  public var keys: [QueryCalculation]
  /// The aggregates.
  public var aggregates: [Aggregate]
  /// The columns of the result: calculations with ``QueryCalculation/Operation/group(_:)`` and
  /// ``QueryCalculation/Operation/aggregated(_:)``.
  public var columns: [QueryCalculation]
  /// The condition on groups, or on rows, of the same kind; nil for all of them.
  public var having: QueryCondition?
  /// Whether equal rows are in the result once.
  public var isDistinct: Bool
  /// The order. Rows that are equal in it are in the order of the objects' keys; groups and
  /// distinct rows are in the order of their values, nulls first.
  public var order: [Order]
  /// The greatest number of rows; nil means no limit.
  public var limit: Int?
  /// The number of rows to leave out at the start.
  public var offset: Int
  /// Whether a row of the result has, behind its columns, the number of stored values that cannot
  /// be read for each of ``values``. A store whose values can all be read leaves these numbers out.
  package var countsUnreadable = false

  /// An aggregate of a value; of the number of objects for nil.
  public struct Aggregate: Sendable, Hashable {
    /// What is calculated.
    public var aggregate: FetchAggregate
    /// The value; nil for the number of objects.
    public var value: QueryCalculation?
  }

  /// One key of the order.
  public struct Order: Sendable, Hashable {
    /// The value, as those of ``ValueQuery/columns``.
    public var value: QueryCalculation
    /// Whether the least value comes first.
    public var isAscending: Bool
    /// How texts are ordered.
    public var textOrder: FetchSortKey.TextOrder
    /// Whether a null comes before every value.
    public var isNullFirst: Bool
  }

  /// A query for some values of objects.
  public init(
    objects: StoreQuery, keys: [QueryCalculation], aggregates: [Aggregate] = [],
    columns: [QueryCalculation], having: QueryCondition? = nil, isDistinct: Bool = false,
    order: [Order] = [], limit: Int? = nil, offset: Int = 0
  ) {
    self.objects = objects
    self.keys = keys
    self.aggregates = aggregates
    self.columns = columns
    self.having = having
    self.isDistinct = isDistinct
    self.order = order
    self.limit = limit
    self.offset = offset
  }

  /// Whether the rows of the result are groups.
  public var isGrouped: Bool { !aggregates.isEmpty }
}

extension ValueQuery {
  /// The values of objects by which the query groups, and those of its aggregates, each once.
  package var values: [QueryCalculation] {
    (keys + aggregates.compactMap(\.value)).reduce(into: []) { values, value in
      if !values.contains(value) { values.append(value) }
    }
  }

  /// The value of which a column is, or is the aggregate, by its position in ``values``; nil for
  /// another one.
  package func place(of column: QueryCalculation) -> Int? {
    switch column.operation {
    case .group(let position): values.firstIndex(of: keys[position])
    case .aggregated(let position):
      aggregates[position].value.flatMap { values.firstIndex(of: $0) }
    default: nil
    }
  }
}
