public import CopalModel
import CopalStore

/// A column of a fetch of values: an attribute, a calculated value, a reference, or an aggregate.
public protocol QueryColumn<Output>: Sendable {
  /// The type of the column in the result.
  associatedtype Output
  /// The value of the column.
  // Underscored, so that no member hides the name of an attribute.
  var _columnExpression: FetchExpression { get }
  /// The value in a result; nil for one that the type cannot have.
  static func _output(_ value: PropertyValue) -> Output?
}

extension QueryAttribute: QueryColumn {
  /// The attribute.
  public var _columnExpression: FetchExpression { _expression }
  /// The value, which can be nil.
  public static func _output(_ value: PropertyValue) -> V?? { V.optionalOutput(value) }
}

extension RequiredQueryAttribute: QueryColumn {
  /// The attribute.
  public var _columnExpression: FetchExpression { _expression }
  /// The value.
  public static func _output(_ value: PropertyValue) -> V? { V(value: value) }
}

extension QueryPathAttribute: QueryColumn {
  /// The attribute.
  public var _columnExpression: FetchExpression { expression }
  /// The value, which can be nil.
  public static func _output(_ value: PropertyValue) -> V?? { V.optionalOutput(value) }
}

extension QueryValue: QueryColumn {
  /// The value.
  public var _columnExpression: FetchExpression { _expression }
  /// The value, which can be nil.
  public static func _output(_ value: PropertyValue) -> V?? { V.optionalOutput(value) }
}

extension QueryObject: QueryColumn {
  /// The object.
  public var _columnExpression: FetchExpression { expression }
  /// The id of the object.
  public static func _output(_ value: PropertyValue) -> ManagedObjectID? { value.objectID }

  /// The number of objects of a group.
  public var count: QueryAggregate<Int, Int> { QueryAggregate(.objectCount) }
}

extension QueryReference: QueryColumn {
  /// The relationship.
  public var _columnExpression: FetchExpression { expression }
  /// The id of the object; nil for none.
  public static func _output(_ value: PropertyValue) -> ManagedObjectID?? {
    value.isNull ? .some(nil) : value.objectID.map { .some($0) }
  }
}

/// An aggregate of a group of objects: a column, or a part of the condition on groups or of the
/// order.
///
/// ```swift
/// try context.fetchValues(Pigment.self, having: { $0.price.average > 20 }) { ($0.maker.name, $0.price.average) }
/// ```
public struct QueryAggregate<V: ValueConvertible, Output>: QueryExpression, QueryColumn {
  /// The type of the value.
  public typealias Value = V
  /// The value.
  public let _expression: FetchExpression
  /// The value.
  public var _columnExpression: FetchExpression { _expression }
  /// The value in a result.
  public static func _output(_ value: PropertyValue) -> Output? {
    // Some aggregates have no value for no objects.
    if value.isNull { return Optional<V>.none as? Output }
    return V(value: value) as? Output
  }

  init(_ expression: FetchExpression) { _expression = expression }

  /// The aggregate as a value, for comparisons and calculations.
  public var value: QueryValue<V> { QueryValue(_expression) }
}

/// Conditions on groups.
extension QueryAggregate {
  /// Whether the aggregate equals a value.
  public static func == (a: Self, b: V?) -> FetchPredicate {
    .comparison(a._expression, .equal, .constant(b.map { $0.value } ?? .null))
  }
  /// Whether the aggregate differs from a value.
  public static func != (a: Self, b: V?) -> FetchPredicate {
    .comparison(a._expression, .notEqual, .constant(b.map { $0.value } ?? .null))
  }
  /// Whether the aggregate is less than a value.
  public static func < (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .less, .constant(b.value))
  }
  /// Whether the aggregate is less than or equal to a value.
  public static func <= (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .lessOrEqual, .constant(b.value))
  }
  /// Whether the aggregate is greater than a value.
  public static func > (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .greater, .constant(b.value))
  }
  /// Whether the aggregate is greater than or equal to a value.
  public static func >= (a: Self, b: V) -> FetchPredicate {
    .comparison(a._expression, .greaterOrEqual, .constant(b.value))
  }
}

extension QueryExpression {
  /// The number of objects of a group that have a value.
  public var valueCount: QueryAggregate<Int, Int> {
    QueryAggregate(.aggregate(.count, of: _expression))
  }

  /// The number of different values in a group. Nil does not count.
  public var distinctCount: QueryAggregate<Int, Int> {
    QueryAggregate(.aggregate(.distinctCount, of: _expression))
  }
}

extension QueryExpression where Value: QueryNumber {
  /// The sum of the values of a group: zero for none. It is exact for integers and decimals. The
  /// fetch throws `request.valueOutOfRange` for a sum that the type cannot have.
  public var sum: QueryAggregate<Value, Value> { QueryAggregate(.sum(of: _expression)) }

  /// The average of the values of a group; nil where there is none. A decimal for decimals, and a
  /// double for other numbers.
  public var average: QueryAggregate<Value.QueryAverage, Value.QueryAverage?> {
    QueryAggregate(.average(of: _expression))
  }
}

extension QueryExpression where Value: Comparable {
  /// The least value of a group; nil where there is none.
  public var minimum: QueryAggregate<Value, Value?> { QueryAggregate(.min(of: _expression)) }

  /// The greatest value of a group; nil where there is none.
  public var maximum: QueryAggregate<Value, Value?> { QueryAggregate(.max(of: _expression)) }
}

/// One key of the order of a fetch of values.
///
/// ```swift
/// try context.fetchValues(Pigment.self, sortedBy: { [$0.price.average.sortedDescending] }) {
///   ($0.maker.name, $0.price.average)
/// }
/// ```
public struct QueryColumnOrder: Sendable {
  let key: ValueRequest.SortKey
}

extension QueryColumn {
  /// Sorts by the column, the least value first. Nil comes before every value.
  public var sortedAscending: QueryColumnOrder {
    QueryColumnOrder(key: ValueRequest.SortKey(_columnExpression))
  }

  /// Sorts by the column, the greatest value first. Nil comes after every value.
  public var sortedDescending: QueryColumnOrder {
    QueryColumnOrder(key: ValueRequest.SortKey(_columnExpression, isAscending: false))
  }
}

extension ValueConvertible {
  /// A value that can be nil.
  fileprivate static func optionalOutput(_ value: PropertyValue) -> Self?? {
    value.isNull ? .some(nil) : Self(value: value).map { .some($0) }
  }
}

extension PropertyValue {
  fileprivate var objectID: ManagedObjectID? {
    if case .object(let id) = self { return id }
    return nil
  }
}
